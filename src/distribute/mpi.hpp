// The plug-in's one function: joins the ranks of mpirun. The caller owns what it returns, once a process.
#pragma once
#include "distribute/transport.hpp"

extern "C" inspect::distribute::Transport* inspect_open_mpi();
