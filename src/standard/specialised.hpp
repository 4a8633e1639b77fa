// Headers included after this one do not declare their templates as instantiated elsewhere, so that members may be specialised.
#pragma once
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
