#include "model/symbolic_answer.hpp"

#include <charconv>

#include "model/sealed_text.hpp"

namespace inspect {

namespace {

using Words = std::vector<std::string>;

std::string line_of(const Words& words) { return quote_words(words) + '\n'; }

Words words_of(const SymbolicFigures& f) {
  Words words;
  for (const std::uint64_t n : {f.bound, f.depth, f.threads, f.cells, f.variables, f.clauses, f.conflicts,
                                static_cast<std::uint64_t>(f.seconds * 1000)})
    words.push_back(std::to_string(n));
  return words;
}

std::optional<std::uint64_t> number(const std::string& word) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(n) : std::nullopt;
}

// The numbers from word number `from` on; nothing if there are not so many, or more.
std::optional<std::vector<std::uint64_t>> numbers(const Words& words, std::size_t from, std::size_t count) {
  if (words.size() != from + count) return std::nullopt;
  std::vector<std::uint64_t> out;
  for (std::size_t i = from; i < words.size(); ++i) {
    const auto n = number(words[i]);
    if (!n) return std::nullopt;
    out.push_back(*n);
  }
  return out;
}

std::optional<SymbolicFigures> figures_of(const Words& words) {
  const auto n = numbers(words, 1, 8);
  if (!n) return std::nullopt;
  return SymbolicFigures{(*n)[0], (*n)[1], (*n)[2], (*n)[3], (*n)[4], (*n)[5], (*n)[6], static_cast<double>((*n)[7]) / 1000};
}

// False: not understood.
bool take_words(const Words& words, SymbolicAnswer& answer, std::optional<SymbolicFigures>& progress) {
  const std::string& first = words[0];
  if (first == "progress") return (progress = figures_of(words)).has_value();
  if (first == "figures") {
    const auto figures = figures_of(words);
    if (figures) answer.figures = *figures;
    return figures.has_value();
  }
  if (first == "verdict" && words.size() == 3) return answer.verdict = words[1], answer.reason = words[2], true;
  if (first == "encoding" && words.size() == 2) return answer.encoding = words[1], true;
  if (first == "bug" && words.size() == 4) return answer.bug = SymbolicBug{words[1], words[2], words[3]}, true;
  if (first == "step" && words.size() == 5) return answer.steps.push_back({words[1], words[2], words[3], words[4]}), true;
  if (first == "dump" && words.size() == 2) return answer.transitions += words[1] + '\n', true;
  if (first == "uninitialised" && words.size() == 2) return answer.uninitialised.push_back(words[1]), true;
  if (first == "assumption" && words.size() == 2) return answer.assumptions.push_back(words[1]), true;
  if (first == "input") {
    const auto n = numbers(words, 5, 4);
    if (n && (*n)[1] <= 64)
      answer.inputs.push_back(
          {words[1], words[2], words[3], words[4], (*n)[0], static_cast<unsigned>((*n)[1]), (*n)[2], (*n)[3]});
    return n && (*n)[1] <= 64;
  }
  if (first == "end" && words.size() == 1) return answer.is_whole = true;
  return false;
}

}  // namespace

std::string progress_line(const SymbolicFigures& figures) {
  Words words = words_of(figures);
  words.insert(words.begin(), "progress");
  return line_of(words);
}

std::string dump_lines(std::string_view transitions) {
  std::string text;
  while (!transitions.empty()) {
    const std::size_t end = std::min(transitions.find('\n'), transitions.size());
    text += line_of({"dump", std::string(transitions.substr(0, end))});
    transitions.remove_prefix(std::min(end + 1, transitions.size()));
  }
  return text;
}

std::string answer_lines(const SymbolicAnswer& answer) {
  std::string text;
  for (const SymbolicStep& s : answer.steps) text += line_of({"step", s.thread, s.what, s.source, s.wakes});
  for (const SymbolicInput& i : answer.inputs)
    text += line_of({"input", i.thread, i.name, i.function, i.source, std::to_string(i.step), std::to_string(i.bits),
                     std::to_string(i.value), std::to_string(i.count)});
  for (const std::string& u : answer.uninitialised) text += line_of({"uninitialised", u});
  for (const std::string& a : answer.assumptions) text += line_of({"assumption", a});
  if (answer.bug) text += line_of({"bug", answer.bug->kind, answer.bug->message, answer.bug->source});
  if (!answer.encoding.empty()) text += line_of({"encoding", answer.encoding});
  Words figures = words_of(answer.figures);
  figures.insert(figures.begin(), "figures");
  return text + line_of(figures) + line_of({"verdict", answer.verdict, answer.reason}) + line_of({"end"});
}

std::optional<Error> take_line(std::string_view line, SymbolicAnswer& answer, std::optional<SymbolicFigures>& progress) {
  const auto words = split_words(line);
  if (!words || words->empty() || answer.is_whole || !take_words(*words, answer, progress))
    return Error{"a line that is not understood: " + std::string(line.substr(0, 200))};
  return std::nullopt;
}

}  // namespace inspect
