// An interleaving as one page for a browser: a lane for each thread, the source of the step that is selected, locks, stacks.
//
// Guarantees: self-contained, and loads nothing; every text of the program is data that the page's script shows as text, and
// the page's policy lets no other script run. Long runs stay quick, since only rows in sight are there.
#pragma once
#include <string>

#include "report/interleaving.hpp"
#include "report/source.hpp"

namespace inspect::report {

std::string interleaving_html(const Interleaving& interleaving, SourceLines& source, const std::string& title);

namespace page {
extern const char *const kStyle, *const kScript, *const kBody;
}

}  // namespace inspect::report
