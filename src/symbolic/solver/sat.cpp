#include "symbolic/solver/sat.hpp"

#include <unistd.h>

#include <cadical.hpp>
#include <cstdio>
#include <cstring>

#include "base/check.hpp"

namespace inspect::symbolic {

namespace {

class Deadline : public CaDiCaL::Terminator {
 public:
  Deadline(std::optional<std::chrono::steady_clock::time_point> at, const std::function<void()>& watcher)
      : at_(at), watcher_(watcher) {}
  bool terminate() override {
    if (watcher_) watcher_();
    return at_ && std::chrono::steady_clock::now() >= *at_;
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> at_;
  const std::function<void()>& watcher_;
};

// What `print` writes to standard output, as text.
template <class Print>
std::optional<std::string> printed_by(const Print& print) {
  std::FILE* const file = std::tmpfile();
  if (!file) return std::nullopt;
  std::fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  print();
  std::fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  std::rewind(file);
  std::string text;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return text;
}

std::uint64_t number_behind(const std::string& text, const char* name) {
  const std::size_t at = text.find(name);
  return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + std::strlen(name), nullptr, 10);
}

}  // namespace

// Counts, and wants to see none.
class Solver::Learnt : public CaDiCaL::Learner {
 public:
  bool learning(int) override { return ++count, false; }
  void learn(int) override {}
  std::uint64_t count = 0;
};

Solver::Solver(Reports reports, Keeps keeps)
    : solver_(std::make_unique<CaDiCaL::Solver>()), learnt_(std::make_unique<Learnt>()), keeps_(keeps) {
  solver_->connect_learner(learnt_.get());
  if (reports == Reports::nothing) solver_->set("quiet", 1);
}
Solver::~Solver() = default;

std::uint64_t Solver::conflicts() const { return learnt_->count; }

void Solver::add(std::span<const Literal> clause) {
  for (const Literal l : clause) {
    CHECK(l != 0 && l <= variables_ && -l <= variables_);
    solver_->add(l);
  }
  solver_->add(0);
  ++clauses_;
  if (keeps_ == Keeps::nothing) return;
  kept_.insert(kept_.end(), clause.begin(), clause.end());
  kept_.push_back(0);
}

Answer Solver::solve(std::span<const Literal> assumptions) {
  for (const Literal l : assumptions) solver_->assume(l);
  std::optional<Deadline> terminator;
  if (deadline_ || watcher_) solver_->connect_terminator(&terminator.emplace(deadline_, watcher_));
  const int found = solver_->solve();
  if (terminator) solver_->disconnect_terminator();
  const Answer answer = found == 10 ? Answer::satisfiable : found == 20 ? Answer::unsatisfiable : Answer::unknown;
  if (keeps_ == Keeps::questions)
    questions_.push_back({kept_.size(), static_cast<std::size_t>(clauses_), {assumptions.begin(), assumptions.end()}, answer});
  return answer;
}

bool Solver::value(Literal literal) { return (solver_->val(std::abs(literal)) > 0) == (literal > 0); }

std::optional<Solver::Effort> Solver::effort() {
  const auto text = printed_by([&] { solver_->statistics(); });
  if (!text || text->find("conflicts:") == std::string::npos) return std::nullopt;
  return Effort{number_behind(*text, "conflicts:"), number_behind(*text, "decisions:")};
}

namespace {

const char* word_of(Answer answer) {
  switch (answer) {
    case Answer::satisfiable:
      return "satisfiable";
    case Answer::unsatisfiable:
      return "unsatisfiable";
    case Answer::unknown:
      return "unknown";
  }
  return "?";
}

}  // namespace

// Not what the solver has made of the clauses: others are to judge them.
bool Solver::write_dimacs(const std::string& path) const {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (!file) return false;
  const Question none;
  const Question& last = questions_.empty() ? none : questions_.back();
  std::fprintf(file, "p cnf %d %zu\n", variables_, last.clauses + last.assumptions.size());
  std::size_t at = 0;
  for (const Question& question : questions_) {
    for (; at < question.literals; ++at) std::fprintf(file, kept_[at] ? "%d " : "%d\n", kept_[at]);
    std::fputs("c question, assuming", file);
    for (const Literal l : question.assumptions) std::fprintf(file, " %d", l);
    std::fprintf(file, ": %s\n", word_of(question.answer));
  }
  for (const Literal l : last.assumptions) std::fprintf(file, "%d 0\n", l);
  const bool is_written = std::ferror(file) == 0;
  return std::fclose(file) == 0 && is_written;
}

}  // namespace inspect::symbolic
