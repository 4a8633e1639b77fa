#include "model/schedule.hpp"

#include <charconv>
#include <map>
#include <utility>

#include "base/digest.hpp"

namespace inspect {
namespace {

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  return value;
}

bool is_thread_name(std::string_view text) {
  if (text.empty() || text[0] != '0') return false;
  std::size_t i = 1;
  while (i < text.size()) {
    if (text[i] != '.') return false;
    const std::size_t dot = text.find('.', i + 1);
    const std::string_view part = text.substr(i + 1, (dot == std::string_view::npos ? text.size() : dot) - i - 1);
    if (!whole_number<unsigned>(part)) return false;
    i += 1 + part.size();
  }
  return true;
}

std::optional<inspect_kind> kind_named(std::string_view word) {
  for (unsigned k = 1; k < INSPECT_OP_COUNT; ++k)
    if (word == inspect_kind_name(k)) return static_cast<inspect_kind>(k);
  return std::nullopt;
}

// What a point is in, and whether its owner is a thread.
bool is_owned_region(std::string_view region, std::string_view owner) {
  if (region == "image") return whole_number<unsigned>(owner).has_value();
  return (region == "heap" || region == "stack" || region == "locals" || region == "mapping") && is_thread_name(owner);
}

std::optional<SchedulePoint> point_of(std::string_view word) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at != std::string_view::npos && fields.size() < 5;) {
    const std::size_t colon = word.find(':', at);
    fields.push_back(word.substr(at, colon == std::string_view::npos ? colon : colon - at));
    at = colon == std::string_view::npos ? colon : colon + 1;
  }
  if (fields.size() != 4 || !is_owned_region(fields[0], fields[1])) return std::nullopt;
  const auto offset = whole_number<std::uint64_t>(fields[2]), bytes = whole_number<std::uint64_t>(fields[3]);
  if (!offset || !bytes || !*bytes) return std::nullopt;
  return SchedulePoint{std::string(fields[0]), std::string(fields[1]), *offset, *bytes};
}

std::string format_point(const SchedulePoint& point) {
  return point.region + ':' + point.owner + ':' + std::to_string(point.offset) + ':' + std::to_string(point.bytes);
}

// A place is "file:line", or "?" where unknown.
bool is_place(std::string_view text) {
  if (text == "?") return true;
  const std::size_t colon = text.rfind(':');
  return colon != std::string_view::npos && colon > 0 && whole_number<unsigned>(text.substr(colon + 1)).has_value();
}

// What a message quotes of a line that was not expected, which may be anything.
std::string shown_text(std::string_view found) {
  constexpr std::size_t limit = 60;
  std::string out;
  for (const char c : found.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte >= ' ' && byte < 0x7f ? std::string(1, c) : "?";
  }
  return found.size() > limit ? out + "…" : out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<ScheduleFile> parse() {
    if (text_.empty()) return Error{"the file is empty"};
    if (!version_line() || !header() || !steps()) return Error{error_};
    return std::move(file_);
  }

 private:
  using Words = std::vector<std::string>;

  bool fail(const std::string& expected, std::string_view found) {
    const std::string shown = shown_text(found);
    error_ = "line " + std::to_string(line_number_) + ": expected " + expected + ", found " +
             (shown.empty() ? "nothing" : "'" + shown + "'");
    return false;
  }

  // Takes the next line; a last line without its line break was cut off.
  bool next_line(const std::string& expected) {
    line_begin_ = position_;
    ++line_number_;
    if (position_ >= text_.size()) {
      error_ =
          "line " + std::to_string(line_number_) + ": expected " + expected + ", found the end of the file (it is truncated)";
      return false;
    }
    const std::size_t end = text_.find('\n', position_);
    if (end == std::string_view::npos)
      return fail("a line break after the line (the file is truncated)", text_.substr(position_));
    line_ = text_.substr(position_, end - position_);
    position_ = end + 1;
    return true;
  }

  bool next_words(const std::string& expected) {
    if (!next_line(expected)) return false;
    auto words = split_words(line_);
    // Only one spelling is ours: format() must give the file back.
    if (!words || words->empty() || quote_words(*words) != line_) return fail(expected, line_);
    words_ = std::move(*words);
    return true;
  }

  bool version_line() {
    if (!next_line("'inspect-schedule 1'")) return false;
    has_points_ = line_ == "inspect-schedule " + std::to_string(kScheduleVersionWithPoints);
    has_cycle_ = line_ == "inspect-schedule " + std::to_string(kScheduleVersionWithCycle);
    if (has_points_ || has_cycle_ || line_ == "inspect-schedule " + std::to_string(kScheduleVersion)) return true;
    constexpr std::string_view magic = "inspect-schedule ";
    if (line_.starts_with(magic) && whole_number<unsigned>(line_.substr(magic.size()))) {
      error_ = "it has format version " + std::string(line_.substr(magic.size())) + "; this inspect reads versions " +
               std::to_string(kScheduleVersion) + " to " + std::to_string(kScheduleVersionWithCycle);
      return false;
    }
    return fail("'inspect-schedule 1' (is it a schedule file?)", line_);
  }

  bool list_line(const char* word, Words& out) {
    if (words_[0] != word) return fail("'" + std::string(word) + " …'", line_);
    out.assign(words_.begin() + 1, words_.end());
    return true;
  }

  bool source_line() {
    std::size_t i = 1;
    while (i < words_.size() && words_[i] != "cflags") file_.sources.push_back(words_[i++]);
    if (i == words_.size() || file_.sources.empty()) return fail("'source <file>... cflags <word>...'", line_);
    file_.cflags.assign(words_.begin() + static_cast<std::ptrdiff_t>(i) + 1, words_.end());
    return true;
  }

  bool input_line() {
    if (words_.size() != 2 || words_[1].empty()) return fail("'input <bytes>-<digest>'", line_);
    file_.input = words_[1];
    return next_words("'options …'");
  }

  bool points_line() {
    constexpr auto expected = "'points <region>:<owner>:<offset>:<bytes>...'";
    if (words_.size() < 2 || words_[0] != "points") return fail(expected, line_);
    for (std::size_t i = 1; i < words_.size(); ++i) {
      auto point = point_of(words_[i]);
      if (!point) return fail("a point such as heap:0.1:16:8", words_[i]);
      file_.points.push_back(*std::move(point));
    }
    return true;
  }

  bool cycle_line() {
    const auto steps = words_.size() == 2 && words_[0] == "cycle" ? whole_number<std::uint64_t>(words_[1]) : std::nullopt;
    if (!steps) return fail("'cycle <steps>'", line_);
    file_.cycle = *steps;
    return true;
  }

  bool bug_line() {
    const std::string expected = "'bug <kind> <thread> <place> <other place> <message>'";
    if (words_.size() != 6 || words_[0] != "bug" || !is_thread_name(words_[2])) return fail(expected, line_);
    file_.bug = {words_[1], words_[2], words_[3], words_[4], words_[5]};
    return true;
  }

  bool header() {
    if (!next_words("'program <path> <build id>'")) return false;
    if (words_.size() != 3 || words_[0] != "program") return fail("'program <path> <build id>'", line_);
    file_.program = words_[1];
    file_.build_id = words_[2];
    if (!next_words("'source …' or 'args …'")) return false;
    if (words_[0] == "source" && (!source_line() || !next_words("'args …'"))) return false;
    if (!list_line("args", file_.args)) return false;
    if (!next_words("'input …' or 'options …'") || (words_[0] == "input" && !input_line())) return false;
    if (!list_line("options", file_.options)) return false;
    if (!next_words("'points …', 'cycle …' or 'bug …'")) return false;
    if (has_points_ || (has_cycle_ && words_[0] == "points"))
      if (!points_line() || !next_words("'cycle …' or 'bug …'")) return false;
    if (has_cycle_ && (!cycle_line() || !next_words("'bug …'"))) return false;
    return bug_line();
  }

  bool step_line() {
    constexpr auto expected = "'<thread> <operation> <object> <file:line> [choice]'";
    if (words_.size() < 4 || words_.size() > 5) return fail(expected, line_);
    if (!is_thread_name(words_[0])) return fail("a thread such as 0.1 first", words_[0]);
    const auto kind = kind_named(words_[1]);
    if (!kind) return fail("an operation such as MutexLock", words_[1]);
    if (!is_place(words_[3])) return fail("a place <file:line>", words_[3]);
    ScheduleStep step{words_[0], *kind, words_[2], words_[3], words_.size() == 5 ? words_[4] : std::string()};
    if (words_.size() == 5 && !valid_choice(step)) return fail("a choice (a thread woken, or a number from 1)", step.choice);
    file_.steps.push_back(std::move(step));
    return true;
  }

  static bool valid_choice(const ScheduleStep& step) {
    if (step.kind == INSPECT_OP_CondSignal) return is_thread_name(step.choice);
    return whole_number<std::uint16_t>(step.choice).value_or(0) != 0;
  }

  bool steps() {
    steps_begin_ = position_;
    for (;;) {
      if (!next_words("a step or 'sums <digest> <digest>'")) return false;
      if (words_[0] == "sums") return sums() && next_words("'end <steps> <digest>'") && trailer();
      if (!step_line()) return false;
    }
  }

  bool sums() {
    const std::string_view head = text_.substr(0, steps_begin_), steps = text_.substr(steps_begin_, line_begin_ - steps_begin_);
    return text_.substr(line_begin_, position_ - line_begin_) == sums_line({head, steps}) || changed();
  }

  bool changed() {
    error_ = "line " + std::to_string(line_number_) + ": the digest does not match: the file was changed after it was written";
    return false;
  }

  bool trailer() {
    if (words_[0] != "end" || words_.size() != 3) return fail("'end <steps> <digest>'", line_);
    if (file_.cycle.value_or(0) > file_.steps.size()) {
      error_ = "the cycle of " + std::to_string(*file_.cycle) + " steps is longer than the schedule";
      return false;
    }
    const std::string count = std::to_string(file_.steps.size());
    if (words_[1] != count) return fail("'end " + count + " …' after " + count + " steps", line_);
    if (text_.substr(line_begin_, position_ - line_begin_) != end_line(text_.substr(0, line_begin_), file_.steps.size()))
      return changed();
    if (position_ != text_.size()) {
      ++line_number_;
      return fail("the end of the file", text_.substr(position_, text_.find('\n', position_) - position_));
    }
    return true;
  }

  std::string_view text_, line_;
  std::size_t position_ = 0, line_begin_ = 0, steps_begin_ = 0;
  int line_number_ = 0;
  bool has_points_ = false, has_cycle_ = false;
  Words words_;
  std::string error_;
  ScheduleFile file_;
};

}  // namespace

std::string format_step(const ScheduleStep& step) {
  std::vector<std::string> words{step.thread, inspect_kind_name(step.kind), step.object, step.place};
  if (!step.choice.empty()) words.push_back(step.choice);
  return quote_words(words);
}

std::string format_schedule(const ScheduleFile& file) {
  const auto list = [](std::vector<std::string> words, const char* name) {
    words.insert(words.begin(), name);
    return quote_words(words) + '\n';
  };
  const int version = file.cycle            ? kScheduleVersionWithCycle
                      : file.points.empty() ? kScheduleVersion
                                            : kScheduleVersionWithPoints;
  std::string out = "inspect-schedule " + std::to_string(version) + '\n';
  out += quote_words({"program", file.program, file.build_id}) + '\n';
  if (!file.sources.empty()) {
    auto words = file.sources;
    words.push_back("cflags");
    words.insert(words.end(), file.cflags.begin(), file.cflags.end());
    out += list(std::move(words), "source");
  }
  out += list(file.args, "args");
  if (!file.input.empty()) out += quote_words({"input", file.input}) + '\n';
  out += list(file.options, "options");
  std::vector<std::string> points;
  for (const auto& point : file.points) points.push_back(format_point(point));
  if (!points.empty()) out += list(std::move(points), "points");
  if (file.cycle) out += quote_words({"cycle", std::to_string(*file.cycle)}) + '\n';
  out += quote_words({"bug", file.bug.kind, file.bug.thread, file.bug.place, file.bug.other_place, file.bug.message}) + '\n';
  const std::size_t head = out.size();
  for (const auto& step : file.steps) out += format_step(step) + '\n';
  const std::string_view whole = out;
  out += sums_line({whole.substr(0, head), whole.substr(head)});
  return sealed(std::move(out), file.steps.size());
}

std::string identity_of_input(std::string_view input) {
  return input.empty() ? std::string() : std::to_string(input.size()) + '-' + digest_of(input);
}

Result<ScheduleFile> parse_schedule(std::string_view text) { return Parser(text).parse(); }

namespace {

// Takes steps, and numbers the threads that they create.
class Numbering {
 public:
  explicit Numbering(const std::vector<std::string>& threads) {
    for (std::size_t i = 0; i < threads.size(); ++i) numbers_.emplace(threads[i], static_cast<ThreadId>(i));
  }

  Result<std::vector<Choice>> choices(const std::vector<ScheduleStep>& steps) {
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto choice = take(steps[i]);
      if (!choice) return Error{"step " + std::to_string(i + 1) + ": " + choice.error()};
      choices.push_back(*choice);
    }
    return choices;
  }
  ThreadNumbers&& numbers() && { return std::move(numbers_); }

 private:
  Result<Choice> take(const ScheduleStep& step) {
    const bool wakes = step.kind == INSPECT_OP_CondSignal && !step.choice.empty();
    for (const std::string& name : {step.thread, wakes ? step.choice : std::string("0")})
      if (!children_.contains(name)) return Error{"thread " + name + " does not exist yet there"};
    Choice choice{numbers_.at(step.thread), 0};
    if (wakes)
      choice.alternative = static_cast<std::uint16_t>(numbers_.at(step.choice) + 1);
    else if (!step.choice.empty())
      choice.alternative = *whole_number<std::uint16_t>(step.choice);
    if (step.kind != INSPECT_OP_ThreadCreate) return choice;
    const std::string child = step.thread + '.' + std::to_string(children_[step.thread]++);
    children_.emplace(child, 0);
    if (numbers_.size() >= kMaxThreads) return Error{"too many threads"};
    numbers_.emplace(child, static_cast<ThreadId>(numbers_.size()));
    return choice;
  }

  ThreadNumbers numbers_;
  std::map<std::string, unsigned, std::less<>> children_{{"0", 0}};  // the threads that exist, with how many they created
};

}  // namespace

Result<std::vector<Choice>> choices_of(const std::vector<ScheduleStep>& steps, const std::vector<std::string>& threads) {
  return Numbering(threads).choices(steps);
}

Result<ThreadNumbers> thread_numbers_of(const std::vector<ScheduleStep>& steps, const std::vector<std::string>& threads) {
  Numbering numbering(threads);
  if (const auto choices = numbering.choices(steps); !choices) return choices.failure();
  return std::move(numbering).numbers();
}

}  // namespace inspect
