// The functions that the C++ library exports, and those of them whose rows are not compared.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rows {

const std::vector<std::string>& exported_functions();
bool is_not_compared(std::string_view name);

}  // namespace rows
