// Variables of ours in the program's data that are no part of its state.
#pragma once

#define INSPECT_NOISE __attribute__((section("inspect_noise")))
