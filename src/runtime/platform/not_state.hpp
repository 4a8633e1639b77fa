// Variables of ours in the program's data that are no part of its state.
#pragma once

#define INSPECT_NOT_STATE __attribute__((section("inspect_not_state")))
