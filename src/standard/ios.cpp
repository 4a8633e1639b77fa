#include <ios>

template class std::basic_ios<char>;
