// Included first in every file of the runtime: its code stands in a section of its own, so that its frames are known.
#pragma once
#pragma clang section text = "inspect_code_of_runtime"
