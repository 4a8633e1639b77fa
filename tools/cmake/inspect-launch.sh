#!/bin/sh
# What CMake puts before the compiler's name in the targets that are built for checks: the wrapper takes the compiler's place.
#   inspect-launch.sh WRAPPER COMPILER ARGS...
wrapper=$1
shift 2
exec "$wrapper" "$@"
