#include "process/allocated_types.hpp"

#include <charconv>
#include <sstream>
#include <vector>

#include "hooks/allocated_types.h"
#include "process/symbols.hpp"

namespace inspect::process {
namespace {

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

template <class Number>
bool read(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

AllocatedRows::AllocatedRows(const std::string& program) {
  for (const auto& row : parts_of(section_of(program, INSPECT_ALLOCATED_TYPES_SECTION), '\n')) add(row);
}

void AllocatedRows::add(const std::string& row) {
  const auto fields = parts_of(row, '\t');
  if (fields.size() != INSPECT_ALLOCATED_TYPES_FIELDS) return;
  AllocatedRow of{.name = fields[3]};
  unsigned line = 0, column = 0, many = 0;
  if (!read(fields[1], line) || !read(fields[2], column) || !read(fields[4], of.line) || !read(fields[5], of.size) ||
      !read(fields[6], of.begin) || !read(fields[7], many))
    return;
  of.many = many != 0;
  const auto [known, fresh] = rows_.try_emplace({fields[0], line, column}, of);
  if (!fresh && known->second != of) known->second.reset();
}

std::optional<AllocatedRow> AllocatedRows::at(const Place& call) const {
  const auto found = rows_.find({call.function, call.line, call.column});
  return found == rows_.end() ? std::nullopt : found->second;
}

}  // namespace inspect::process
