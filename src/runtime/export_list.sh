#!/bin/sh
# Writes the linker's dynamic list: every symbol that the runtime archive $1 exports, so that the libraries' calls bind to it.
set -eu
printf '{\n'
readelf -sW "$1" | awk '($5 == "GLOBAL" || $5 == "WEAK") && $6 == "DEFAULT" && $7 != "UND" { print "  " $8 ";" }' | LC_ALL=C sort -u
printf '};\n'
