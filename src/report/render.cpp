#include "report/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/shown.hpp"
#include "report/folding.hpp"
#include "report/place.hpp"

namespace inspect::report {
namespace {

using Json = nlohmann::ordered_json;

std::string dot(std::string_view text) {
  std::string out;
  for (const char c : shown(std::string(text))) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    out += c;
  }
  return out;
}

// A file's name as a relative reference: only what may stand in one is as it is.
std::string uri_of(const std::string& file) {
  std::string out = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-._~/+").find(c) != std::string_view::npos;
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// SARIF location of "file:line[:column]"; null for unknown places.
Json sarif_location(const std::string& place, const std::string& message) {
  const Place at = parse_place(place);
  Json location = Json::object();
  if (at.line) {
    Json region = {{"startLine", at.line}};
    if (at.column) region["startColumn"] = at.column;
    location["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(at.file)}}}, {"region", region}};
  }
  if (!message.empty()) location["message"] = {{"text", message}};
  return location;
}

constexpr std::size_t kMostLocations = 2000;  // no viewer shows more

// One flow a thread; the order of execution goes over all of them. What repeats is folded, and of long runs the end is told.
Json sarif_flow(const Interleaving& in) {
  std::vector<Json> locations(in.threads.size(), Json::array());
  const std::vector<FoldedLine> lines = folded(in);
  const std::size_t first = lines.size() > kMostLocations ? lines.size() - kMostLocations : 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const InterleavingLine& line = lines[i].line;
    const std::string before = first && i == first ? fmt::format("({} earlier lines are left out) ", first) : "";
    locations[line.column].push_back(
        {{"location", sarif_location(line.place == "?" ? "" : line.place,
                                     fmt::format("{}thread {}: {}", before, in.threads[line.column], line.action))},
         {"executionOrder", i + 1},
         {"importance", line.decisive || line.at_bug ? "essential" : "important"}});
  }
  Json threads = Json::array();
  for (std::size_t t = 0; t < in.threads.size(); ++t)
    if (!locations[t].empty()) threads.push_back({{"id", "thread " + in.threads[t]}, {"locations", locations[t]}});
  Json flow = Json::object();
  flow["threadFlows"] = std::move(threads);
  return Json::array({std::move(flow)});
}

}  // namespace

namespace {

// The graph of what happens before what: threads as columns, their own order, and what orders them among each other.
class Graph {
 public:
  explicit Graph(const Interleaving& in) : in_(in), last_(in.threads.size()) {
    for (std::size_t i = 0; i < in_.lines.size(); ++i)
      if (in_.lines[i].step) line_of_[in_.lines[i].step] = i;
  }

  std::string text() {
    out_ = "digraph happens_before {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n";
    out_ += fmt::format("  label=\"{}: {}\";\n", dot(in_.bug.kind), dot(in_.bug.message));
    for (std::size_t t = 0; t < in_.threads.size(); ++t) thread(t);
    for (std::size_t i = 0; i < in_.lines.size(); ++i) edges(i);
    waits();
    return out_ + "}\n";
  }

 private:
  void thread(std::size_t t) {
    out_ += fmt::format("  subgraph cluster_{} {{\n    label=\"thread {}\";\n", t, dot(in_.threads[t]));
    for (std::size_t i = 0; i < in_.lines.size(); ++i) {
      const InterleavingLine& line = in_.lines[i];
      if (line.column != t) continue;
      const std::string number = line.step ? std::to_string(line.step) + "  " : "";
      out_ += fmt::format("    s{} [label=\"{}{}{}\"{}];\n", i, number, dot(line.action),
                          line.place == "?" ? "" : "\\n" + dot(line.place), line.at_bug ? ", color=red, penwidth=2" : "");
      last_[t] = i;
    }
    out_ += "  }\n";
  }

  // Within the thread; behind the step of another thread; and where the schedule turned.
  void edges(std::size_t i) {
    const InterleavingLine& line = in_.lines[i];
    for (std::size_t before = i; before-- > 0;)
      if (in_.lines[before].column == line.column) {
        out_ += fmt::format("  s{} -> s{};\n", before, i);
        break;
      }
    if (const auto after = line_of_.find(line.after); line.after && after != line_of_.end())
      out_ += fmt::format("  s{} -> s{} [style=dashed];\n", after->second, i);
    if (line.decisive && i > 0)
      out_ += fmt::format("  s{} -> s{} [color=red, style=dotted, constraint=false, label=\"decisive switch\"];\n", i - 1, i);
  }

  // A deadlock: from where a thread stands to those that it waits for.
  void waits() {
    for (const WaitEdge& wait : in_.waiting)
      for (const std::string& holder : wait.holders) {
        const auto from = last_of(wait.thread), to = last_of(holder);
        if (from && to)
          out_ += fmt::format("  s{} -> s{} [color=red, constraint=false, label=\"waits for {}\"];\n", *from, *to,
                              dot(wait.awaited));
      }
  }
  [[nodiscard]] std::optional<std::size_t> last_of(const std::string& thread) const {
    const auto at = std::find(in_.threads.begin(), in_.threads.end(), thread);
    return at == in_.threads.end() ? std::nullopt : last_[static_cast<std::size_t>(at - in_.threads.begin())];
  }

  const Interleaving& in_;
  std::vector<std::optional<std::size_t>> last_;  // line of each thread
  std::map<std::size_t, std::size_t> line_of_;    // by step
  std::string out_;
};

}  // namespace

std::string interleaving_dot(const Interleaving& in) { return Graph(in).text(); }

std::string interleaving_sarif(const Interleaving& in) {
  Json result = {{"ruleId", in.bug.kind}, {"level", "error"}, {"message", {{"text", in.bug.message}}}};
  Json locations = Json::array();
  if (in.bug.place != "?") locations.push_back(sarif_location(in.bug.place, ""));
  result["locations"] = locations;
  if (in.bug.other_place != "-" && in.bug.other_place != "?")
    result["relatedLocations"] = Json::array({sarif_location(in.bug.other_place, "the other access")});
  result["codeFlows"] = sarif_flow(in);
  const Json rule = {{"id", in.bug.kind}, {"shortDescription", {{"text", in.bug.kind}}}};
  const Json driver = {{"name", "inspect"}, {"version", INSPECT_VERSION}, {"rules", Json::array({rule})}};
  Json run = Json::object();
  run["tool"]["driver"] = driver;
  run["results"] = Json::array({result});
  const Json out = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  const int indent = in.lines.size() > kMostLocations ? -1 : 2;
  return out.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace inspect::report
