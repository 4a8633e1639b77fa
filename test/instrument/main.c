// main becomes the runtime's to call, and is found by its own name all the same; debug information and calls keep working.
// RUN: %ir -O0 %s | FileCheck %s
// RUN: %cc %s -o %t && %t a b
// CHECK: @main = alias i32 (i32, ptr), ptr @inspect_program_main
// CHECK: define {{.*}}i32 @inspect_program_main(i32
// CHECK: call i32 @inspect_program_main(
// CHECK-NOT: @main(
int main(int argc, char** argv) { return argc > 1 ? main(argc - 1, argv) : argv[1] == 0; }
