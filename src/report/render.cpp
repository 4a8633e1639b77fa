#include "report/render.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

namespace inspect::report {
namespace {

using Json = nlohmann::ordered_json;

std::string dot(std::string_view text) {
  std::string out;
  for (const char c : text) {
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
  const auto first = place.find(':');
  Json location = Json::object();
  if (first != std::string::npos) {
    unsigned line = 0, column = 0;
    const char* end = place.data() + place.size();
    const auto [after, error] = std::from_chars(place.data() + first + 1, end, line);
    if (after < end) std::from_chars(after + 1, end, column);
    Json region = {{"startLine", std::max(1u, line)}};
    if (column) region["startColumn"] = column;
    location["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(place.substr(0, first))}}}, {"region", region}};
  }
  if (!message.empty()) location["message"] = {{"text", message}};
  return location;
}

// One flow a thread; the order of execution goes over all of them.
Json sarif_flow(const Interleaving& in) {
  std::vector<Json> locations(in.threads.size(), Json::array());
  for (std::size_t i = 0; i < in.lines.size(); ++i) {
    const auto& line = in.lines[i];
    locations[line.column].push_back(
        {{"location", sarif_location(line.place == "?" ? "" : line.place,
                                     fmt::format("thread {}: {}", in.threads[line.column], line.action))},
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

std::string interleaving_dot(const Interleaving& in) {
  std::string out = "digraph interleaving {\n  node [shape=box, fontname=\"monospace\"];\n";
  out += fmt::format("  label=\"{}: {}\";\n", dot(in.bug.kind), dot(in.bug.message));
  for (std::size_t t = 0; t < in.threads.size(); ++t) {
    out += fmt::format("  subgraph cluster_{} {{\n    label=\"thread {}\";\n", t, dot(in.threads[t]));
    for (std::size_t i = 0; i < in.lines.size(); ++i)
      if (in.lines[i].column == t)
        out += fmt::format("    s{} [label=\"{}\\n{}\"{}];\n", i, dot(in.lines[i].action), dot(in.lines[i].place),
                           in.lines[i].at_bug ? ", color=red" : "");
    out += "  }\n";
  }
  for (std::size_t i = 1; i < in.lines.size(); ++i)
    out += fmt::format("  s{} -> s{}{};\n", i - 1, i, in.lines[i].decisive ? " [color=red, penwidth=3]" : "");
  return out + "}\n";
}

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
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace inspect::report
