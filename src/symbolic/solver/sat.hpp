// A SAT solver as the encodings see it: literals, clauses, assumptions, a model.
//
// Guarantees: incremental; after `satisfiable` value() gives the model until the next clause. This header and its source are
// all that knows which solver it is (CaDiCaL, through its C++ interface). A time limit that is reached is `unknown`, never an
// answer.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CaDiCaL {
class Solver;
}

namespace inspect::symbolic {

// A variable, or its negation: -literal. Never 0.
using Literal = int;

enum class Answer : std::uint8_t { satisfiable, unsatisfiable, unknown };

class Solver {
 public:
  // One that reports prints its figures, and remarks between them, on standard output: effort() needs that.
  enum class Reports : std::uint8_t { nothing, effort };
  // One that keeps them has what was added and asked as it was given: write_dimacs() needs that.
  enum class Keeps : std::uint8_t { nothing, questions };
  explicit Solver(Reports reports = Reports::nothing, Keeps keeps = Keeps::nothing);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  Literal fresh() { return ++variables_; }
  void add(std::span<const Literal> clause);
  void add(std::initializer_list<Literal> clause) { add(std::span(clause.begin(), clause.size())); }
  Answer solve(std::span<const Literal> assumptions = {});
  bool value(Literal literal);
  void set_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }
  [[nodiscard]] bool is_late() const { return deadline_ && std::chrono::steady_clock::now() >= *deadline_; }
  // Called often while it solves.
  void set_watcher(std::function<void()> watcher) { watcher_ = std::move(watcher); }

  [[nodiscard]] int variables() const { return variables_; }
  [[nodiscard]] std::uint64_t clauses() const { return clauses_; }
  // Clauses learnt so far, one a conflict.
  [[nodiscard]] std::uint64_t conflicts() const;
  struct Effort {
    std::uint64_t conflicts = 0, decisions = 0;
  };
  // Of all calls so far. Nothing if the solver does not report, or what it prints cannot be read.
  std::optional<Effort> effort();
  // The last question in DIMACS form: the clauses that it was asked of, and its assumptions as clauses. Comments say behind
  // which clauses each question was asked, what it assumed, and the answer. False if the file cannot be written.
  [[nodiscard]] bool write_dimacs(const std::string& path) const;

 private:
  class Learnt;
  struct Question {
    std::size_t literals = 0, clauses = 0;  // that were kept before it
    std::vector<Literal> assumptions;
    Answer answer = Answer::unknown;
  };
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::unique_ptr<Learnt> learnt_;
  std::function<void()> watcher_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  int variables_ = 0;
  std::uint64_t clauses_ = 0;
  Keeps keeps_ = Keeps::nothing;
  std::vector<Literal> kept_;  // a 0 behind each clause
  std::vector<Question> questions_;
};

}  // namespace inspect::symbolic
