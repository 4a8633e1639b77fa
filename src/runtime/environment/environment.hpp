// The model of the outside world as a whole: at boot, before the snapshot; and after each execution.
#pragma once

namespace inspect::runtime {

void boot_files();
void reset_files();

}  // namespace inspect::runtime
