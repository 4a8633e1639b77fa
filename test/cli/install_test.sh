#!/usr/bin/env bash
# An installation stands on its own: a project that finds the package checks its programs with it.
#   install_test.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The list of what was installed is one a build folder: again if another test installs at the same time.
for _ in 1 2 3 4 5; do
  cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
  cp "$build/install_manifest.txt" "$work/manifest"
  ! grep -qv "^$work/prefix/" "$work/manifest" || continue
  [[ $(wc -l <"$work/manifest") -lt $(find "$work/prefix" ! -type d | wc -l) ]] || break
done
mkdir "$work/project"
cp "$source/examples/bank.c" "$source/examples/bank_fixed.c" "$work/project"
cat >"$work/project/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(user C)
enable_testing()
find_package(Inspect REQUIRED)
inspect_add_check(fixed SOURCES bank_fixed.c OPTIONS --schedule=fixed.schedule)
inspect_add_check(broken SOURCES bank.c OPTIONS --schedule=broken.schedule)
inspect_add_check(bounded SOURCES bank_fixed.c OPTIONS --max-executions=1)
add_executable(plain bank_fixed.c)
target_link_libraries(plain Inspect::header)
TEXT
cd "$work/project"
cmake -S . -B out -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log" && cmake --build out >>"$work/log"
result=$(ctest --test-dir out || true)
for line in 'fixed \.+ +Passed' 'broken \.+\*+Failed' 'bounded \.+\*+Skipped'; do
  grep -qE "$line" <<<"$result" || { printf 'no line like %s in:\n%s\n' "$line" "$result"; exit 1; }
done
CC=$work/prefix/bin/inspect-cc cmake -S . -B instrumented -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log"
cmake --build instrumented >>"$work/log"
"$work/prefix/bin/inspect" check --progress=off instrumented/plain | tail -n 2 | grep -q '^VERIFIED'

# What is not CMake finds the header and the compilers by pkg-config.
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
flags=$(pkg-config --cflags inspect) compiler=$(pkg-config --variable=cc inspect)
printf '#include <inspect/inspect.h>\nint main(void) { inspect_assert(inspect_nondet(3) < 3); }\n' >choice.c
gcc $flags -c choice.c -o /dev/null
"$compiler" choice.c -o choice
"$work/prefix/bin/inspect" check --progress=off choice | grep -q 'complete executions explored: 3'

# Removed again, with nothing left but what others may use too.
touch "$work/prefix/bin/other"
cmake -DMANIFEST="$work/manifest" -P "$source/tools/cmake/Uninstall.cmake"
left=$(cd "$work/prefix" && find . ! -type d -o -iname inspect)
[[ $left == ./bin/other ]] || { printf 'left after uninstalling: %s\n' "$left"; exit 1; }
