// The statement of the source around a place: debug information tells of blocks, not of statements.
//
// The source is read again. A statement is what lies between two semicolons, braces of blocks, or ends of heads (`if (…)`).
// Guarantees: a whole expression lies within one statement, but for what the preprocessor makes of a macro's body.
#pragma once
#include <cstdint>
#include <optional>

#include <llvm/IR/DebugInfoMetadata.h>

namespace inspect::pass {

// Line and column, from 1, in one number that grows with them.
constexpr std::uint64_t source_position(unsigned line, unsigned column) { return std::uint64_t(line) << 32 | column; }

struct Statement {
  const llvm::DIFile* file;
  std::uint64_t begin, end;  // source_position of the first character, and of the one that ends it

  [[nodiscard]] bool contains(const llvm::DILocation& place) const {
    const std::uint64_t at = source_position(place.getLine(), place.getColumn());
    return place.getFile() == file && at >= begin && at <= end;
  }
};

// Empty: the source is not there, or is another one.
std::optional<Statement> statement_at(const llvm::DILocation& place);

}  // namespace inspect::pass
