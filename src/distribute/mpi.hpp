// The plug-in's one function: joins the ranks of mpirun. To be called once in a process; the caller owns what it returns.
#pragma once
#include "distribute/transport.hpp"

extern "C" inspect::distribute::Transport* inspect_open_mpi();
