#include "native/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/files.hpp"
#include "distribute/codec.hpp"
#include "model/sealed_text.hpp"
#include "native/summary.hpp"

namespace inspect::native {
namespace {

constexpr std::string_view kFirstLine = "inspect-checkpoint 4";

std::string hex_of(const std::string& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const unsigned char c : bytes) {
    out += digits[c >> 4];
    out += digits[c & 15];
  }
  return out;
}

std::optional<std::string> bytes_of(std::string_view hex) {
  std::string out;
  if (hex.size() % 2) return std::nullopt;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    if (error != std::errc() || end != hex.data() + i + 2) return std::nullopt;
    out += static_cast<char>(byte);
  }
  return out;
}

std::string words_line(std::string_view name, const std::vector<std::string>& words) {
  return words.empty() ? std::string(name) + '\n' : fmt::format("{} {}\n", name, quote_words(words));
}

std::size_t lines_of(std::string_view text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

// Reads lines one by one.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  std::string_view line() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }
  // The words behind `name`.
  std::optional<std::vector<std::string>> words(std::string_view name) {
    const std::string_view text = line();
    if (text != name && !(text.starts_with(name) && text[name.size()] == ' ')) return std::nullopt;
    auto words = split_words(text.substr(std::min(name.size() + 1, text.size())));
    return words ? std::optional(std::move(*words)) : std::nullopt;
  }
  [[nodiscard]] bool at(std::string_view name) const { return rest_.starts_with(name); }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

Error damaged() { return Error{"the checkpoint is damaged: it was cut or edited"}; }

// Do the parts have the digests that the line "sums" says?
bool parts_fit(std::string_view body) {
  const std::size_t record = body.find("\nrecord ") + 1, sums = body.rfind("\nsums ") + 1;
  if (!record || !sums || sums < record) return false;
  const std::size_t tree = body.find('\n', record) + 1;
  return body.substr(sums) ==
         sums_line({body.substr(0, record), body.substr(record, tree - record), body.substr(tree, sums - tree)});
}

// The first word of `all` that is missing in `word_of`; empty if none is.
std::string missing_from(const std::vector<std::string>& all, const std::vector<std::string>& word_of) {
  const auto at =
      std::ranges::find_if(all, [&](const auto& word) { return std::ranges::find(word_of, word) == word_of.end(); });
  return at == all.end() ? std::string() : *at;
}

// The first word is standard input, the others are the folder, variables and libraries.
std::string difference_around(const std::vector<std::string>& then, const std::vector<std::string>& now) {
  if (then.empty() || then[0] != now[0]) return "the checkpoint is of a run with another standard input: redirect the same";
  constexpr std::string_view kVariable = "variable ", kFolder = "folder ";
  std::string word = missing_from(then, now);
  if (word.empty()) word = missing_from(now, then);
  if (word.starts_with(kFolder))
    return fmt::format("the checkpoint is of a run in another working directory: {}", then.size() > 1 ? then[1] : word);
  if (word.starts_with(kVariable))
    return fmt::format("the checkpoint is of a run with another environment: {} differs; set it as it was then",
                       word.substr(kVariable.size(), word.rfind(' ') - kVariable.size()));
  return fmt::format("the checkpoint is of a run with another build of a shared library, {}", word.substr(0, word.find(' ')));
}

std::optional<CheckpointOf> read_origin(Reader& in) {
  const auto program = in.words("program"), args = in.words("args"), options = in.words("options"), around = in.words("around");
  if (!program || program->size() != 2 || !args || !options || !around) return std::nullopt;
  return CheckpointOf{(*program)[0], (*program)[1], *args, *options, *around};
}

std::optional<Error> check_origin(const CheckpointOf& then, const CheckpointOf& now) {
  if (then.build_id != now.build_id)
    return Error{fmt::format("the checkpoint is of another build of the program, {} ({})", then.program, then.build_id)};
  if (then.args != now.args)
    return Error{fmt::format("the checkpoint is of a run with other arguments: {}", quote_words(then.args))};
  if (then.options != now.options)
    return Error{fmt::format("the checkpoint is of a run with other options: {}", quote_words(then.options))};
  if (!now.around.empty() && then.around != now.around) return Error{difference_around(then.around, now.around)};
  return std::nullopt;
}

std::optional<search::TreePiece> read_piece(Reader& in) {
  const auto words = in.words("piece");
  if (!words || words->size() != 5) return std::nullopt;
  search::TreePiece piece{};
  std::uint64_t* const numbers[] = {&piece.name, &piece.counts.executions, &piece.counts.redundant, &piece.counts.limited,
                                    &piece.counts.transitions};
  for (std::size_t i = 0; i < 5; ++i) {
    const std::string& w = (*words)[i];
    if (std::from_chars(w.data(), w.data() + w.size(), *numbers[i]).ec != std::errc()) return std::nullopt;
  }
  while (!in.empty() && !in.at("piece ") && !in.at("sums ")) piece.text += std::string(in.line()) + '\n';
  return piece;
}

// After the first word, `knowledge` has one for each thread but the first.
std::size_t threads_known(const std::string& knowledge) {
  return 1 + static_cast<std::size_t>(std::ranges::count(knowledge, ' '));
}

// Is every number of the record one that a search could have written? `known`: how many threads it knew.
bool is_possible(const distribute::Record& record, std::size_t known) {
  const search::Outcome& o = record.outcome;
  const auto threads_exist = [&](const std::vector<Choice>& schedule) {
    return std::ranges::all_of(schedule, [&](Choice c) { return c.thread < known; });
  };
  const auto cut_is = [&](const std::optional<search::CutExecution>& cut) { return !cut || threads_exist(cut->schedule); };
  const auto bug_is = [&](const search::FoundBug& b) {
    return b.detail > INSPECT_BUG_NONE && b.detail <= INSPECT_BUG_LAST && b.thread < kMaxThreads &&
           b.other_thread < kMaxThreads && b.executions_before <= o.executions && threads_exist(b.schedule) &&
           b.schedule.size() <= o.max_depth;
  };
  const auto cut_exists = [&](const std::optional<search::CutExecution>& cut) { return cut && !cut->message.empty(); };
  return o.threads >= 1 && o.threads <= known && std::isfinite(o.seconds) && o.seconds >= 0 && !o.exhausted &&
         (!o.limited || cut_exists(o.limit)) && cut_is(o.limit) && cut_is(o.unsupported) && cut_is(o.divergence) &&
         std::ranges::all_of(o.bugs, bug_is) && !record.notes.empty() && std::ranges::all_of(record.notes, are_notes);
}

}  // namespace

std::string format_checkpoint(const CheckpointOf& of, const distribute::Checkpoint& checkpoint) {
  std::string out = std::string(kFirstLine) + '\n';
  out += words_line("program", {of.program, of.build_id});
  out += words_line("args", of.args);
  out += words_line("options", of.options);
  out += words_line("around", of.around);
  out += words_line("knowledge", {checkpoint.knowledge});
  const std::size_t head = out.size();
  distribute::Encoder record;
  record << checkpoint.record;
  out += words_line("record", {hex_of(record.take())});
  const std::size_t tree = out.size();
  for (const auto& piece : checkpoint.pieces) {
    const search::Counts& c = piece.counts;
    out += fmt::format("piece {} {} {} {} {}\n", piece.name, c.executions, c.redundant, c.limited, c.transitions);
    out += piece.text;
  }
  const std::string_view whole = out;
  out += sums_line({whole.substr(0, head), whole.substr(head, tree - head), whole.substr(tree)});
  const std::size_t lines = lines_of(out);
  return sealed(std::move(out), lines);
}

Result<distribute::Checkpoint> parse_checkpoint(std::string_view text, const CheckpointOf& of) {
  Reader in(text);
  const std::string_view first = in.line();
  if (!first.starts_with("inspect-checkpoint ")) return Error{"it is no checkpoint"};
  if (first != kFirstLine) return Error{fmt::format("a checkpoint of another version: expected '{}'", kFirstLine)};
  const std::size_t end = text.rfind("\nend ");
  const std::string_view body = text.substr(0, end + 1);
  if (end == std::string_view::npos || end_line(body, lines_of(body)) != text.substr(body.size())) return damaged();
  if (!parts_fit(body)) return damaged();
  const auto as_written = read_origin(in);
  if (!as_written) return damaged();
  if (auto wrong = check_origin(*as_written, of)) return *wrong;
  distribute::Checkpoint checkpoint;
  const auto knowledge = in.words("knowledge"), record = in.words("record");
  if (!knowledge || knowledge->size() != 1 || !record || record->size() != 1) return damaged();
  checkpoint.knowledge = knowledge->front();
  const auto bytes = bytes_of(record->front());
  if (!bytes) return damaged();
  distribute::Decoder decoder(*bytes);
  decoder >> checkpoint.record;
  if (decoder.failed() || !decoder.empty()) return Error{"a checkpoint of another build of inspect"};
  if (!is_possible(checkpoint.record, threads_known(checkpoint.knowledge))) return damaged();
  while (in.at("piece ")) {
    auto piece = read_piece(in);
    if (!piece) return damaged();
    checkpoint.pieces.push_back(std::move(*piece));
  }
  if (!in.at("sums ")) return damaged();
  if (format_checkpoint(*as_written, checkpoint) != text) return damaged();  // only one spelling is ours
  return checkpoint;
}

// Writes a new file beside it first, so that there is always a whole one.
std::optional<Error> write_checkpoint(const std::string& path, const std::string& text) {
  if (!is_regular_or_absent(path)) return write_file(path, text);  // a device must stay one
  const std::string beside = path + ".new";
  const int fd = create_anew(beside);
  if (fd < 0) return Error{fmt::format("cannot write {}: {}", beside, system_reason())};
  auto failed = write_all(fd, text);
  if (!failed && fsync(fd)) failed = Error{system_reason()};
  close(fd);
  if (!failed && rename(beside.c_str(), path.c_str())) failed = Error{system_reason()};
  if (failed) {
    unlink(beside.c_str());
    return Error{fmt::format("cannot write {}: {}", path, failed->message)};
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int directory = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    fsync(directory);
    close(directory);
  }
  return std::nullopt;
}

}  // namespace inspect::native
