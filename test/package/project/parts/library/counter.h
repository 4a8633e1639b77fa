#pragma once
extern int counter;
void count(void);
