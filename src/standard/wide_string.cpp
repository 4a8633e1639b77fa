#include <string>

template class std::basic_string<wchar_t>;
