#!/usr/bin/env bash
# An installation stands on its own: a project that finds the package checks its programs with it.
#   install_test.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
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
