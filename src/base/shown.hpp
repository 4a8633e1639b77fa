// Text from elsewhere, such as names and output of the program under test, for a terminal.
//
// Guarantees: nothing in it is executed: control characters other than line breaks and tabs, what turns the direction of
// writing, and what is no UTF-8 are shown by their numbers.
#pragma once
#include <string>
#include <string_view>

namespace inspect {

std::string shown(std::string_view text);
// The same for one line: line breaks are shown by their numbers as well.
std::string shown_line(std::string_view text);

}  // namespace inspect
