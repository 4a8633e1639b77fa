#include "report/folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "report/action.hpp"

namespace inspect::report {
namespace {

// A step of memory in the insides of a library, on behalf of one line of the user's.
bool is_inside(const InterleavingLine& line) {
  return !line.decisive && !line.at_bug && !line.frames.empty() && line.frames.front().library &&
         line.action.find(": ") != std::string::npos && !called_function(line.frames).empty();
}

bool same_call(const InterleavingLine& a, const InterleavingLine& b) {
  return a.column == b.column && a.place == b.place && called_function(a.frames) == called_function(b.frames);
}

bool alike(const InterleavingLine& a, const InterleavingLine& b) {
  return a.column == b.column && a.place == b.place && a.action == b.action && !b.decisive && !b.at_bug;
}

// How often the `length` lines at `at` are repeated right behind themselves.
std::size_t turns(const std::vector<FoldedLine>& lines, std::size_t at, std::size_t length) {
  std::size_t count = 1;
  for (std::size_t next = at + length; next + length <= lines.size(); next += length, ++count)
    for (std::size_t i = 0; i < length; ++i)
      if (!alike(lines[at + i].line, lines[next + i].line)) return count;
  return count;
}

std::vector<FoldedLine> without_turns(std::vector<FoldedLine> lines) {
  constexpr std::size_t kLongest = 8;
  std::vector<FoldedLine> out;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t length = 1, count = 1;
    for (std::size_t l = 1; l <= kLongest && i + 2 * l <= lines.size() && count < 2; ++l) {
      length = l;
      count = turns(lines, i, l);
    }
    if (count < 2) {
      out.push_back(std::move(lines[i++]));
      continue;
    }
    for (std::size_t k = 0; k < length; ++k) out.push_back(lines[i + k]);
    out.back().line.action +=
        length == 1 ? fmt::format(" ({} times)", count) : fmt::format(" (these {} lines {} times)", length, count);
    out.back().last_step = lines[i + length * count - 1].last_step;
    i += length * count;
  }
  return out;
}

}  // namespace

std::vector<FoldedLine> unfolded(const Interleaving& interleaving) {
  std::vector<FoldedLine> out;
  for (const auto& line : interleaving.lines) out.push_back({line, line.step, out.size()});
  return out;
}

std::vector<FoldedLine> folded(const Interleaving& interleaving) {
  std::vector<FoldedLine> out;
  const auto& lines = interleaving.lines;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i + 1;
    if (is_inside(lines[i]))
      while (end < lines.size() && is_inside(lines[end]) && same_call(lines[i], lines[end])) ++end;
    out.push_back({lines[i], lines[end - 1].step, i});
    const std::span<const InterleavingLine> within(lines.data() + i, end - i);
    const auto is_step = [](const InterleavingLine& line) { return line.step != 0; };
    const auto steps = std::ranges::count_if(within, is_step);
    if (steps == 1)
      out.back().line = *std::ranges::find_if(within, is_step);  // says more than how many there are
    else if (end > i + 1)
      out.back().line.action =
          called_function(lines[i].frames) + (steps ? fmt::format(": {} steps within", steps) : ": accesses within");
    i = end;
  }
  return without_turns(std::move(out));
}

}  // namespace inspect::report
