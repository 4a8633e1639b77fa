// Where standard output and error go: nowhere, but in an execution whose output is asked for.
#pragma once

namespace inspect::runtime {

struct Output {
  int null, output, error;  // the kernel's descriptors for /dev/null and what 1 and 2 were at boot
  bool open;                // what is printed is seen
};
Output& output();

// At boot: both go nowhere.
void boot_output();
// No explorer: both stay as they are.
void boot_standalone_output();
void open_output(bool open);
// Descriptors 1 and 2 are what the present execution finds at its begin.
void restore_output_descriptors();

}  // namespace inspect::runtime
