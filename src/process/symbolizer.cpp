#include "process/symbolizer.hpp"

#include <utility>

#include "process/debug_information.hpp"

namespace inspect::process {

Symbolizer::Symbolizer(std::string program) : program_(std::move(program)) {}
Symbolizer::~Symbolizer() = default;

std::vector<Place> Symbolizer::places(std::uint64_t offset) {
  if (!information_) information_ = std::make_unique<DebugInformation>(program_);
  return information_->places(offset);
}

}  // namespace inspect::process
