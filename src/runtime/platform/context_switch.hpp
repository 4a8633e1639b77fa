// How control goes from one stack to another (fiber.cpp).
#pragma once

// Saves the present stack pointer and goes on from the stack in `load`.
extern "C" void inspect_switch(void** save, void* load);
