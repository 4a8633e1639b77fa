#include "report/render.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace inspect::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStyle = R"(
body{font-family:sans-serif;margin:2em}
table{border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.15em .8em;border-left:1px solid #ccc}
th{border-bottom:1px solid #888}
td.n{text-align:right;color:#666;border:0}
code{white-space:pre;color:#555}
tr.switch td{border-top:3px solid #c60}
tr.bug td{background:#fdd}
)";

std::string html(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

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

std::string html_row(const InterleavingLine& line, std::size_t columns, SourceLines& source) {
  std::string row = fmt::format("<tr class=\"{}{}\"><td class=\"n\">{}</td>", line.decisive ? "switch " : "",
                                line.at_bug ? "bug" : "", line.step ? std::to_string(line.step) : "");
  for (std::size_t i = 0; i < columns; ++i) {
    if (i != line.column) {
      row += "<td></td>";
      continue;
    }
    row += "<td>" + html(line.action);
    if (line.place != "?")
      row += fmt::format("<br><small>{}</small> <code>{}</code>", html(line.place), html(source.at(line.place)));
    row += "</td>";
  }
  return row + "</tr>\n";
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
    location["physicalLocation"] = {{"artifactLocation", {{"uri", place.substr(0, first)}}}, {"region", region}};
  }
  if (!message.empty()) location["message"] = {{"text", message}};
  return location;
}

Json sarif_flow(const Interleaving& in) {
  Json steps = Json::array();
  for (const auto& line : in.lines)
    steps.push_back({{"location", sarif_location(line.place == "?" ? "" : line.place,
                                                 fmt::format("thread {}: {}", in.threads[line.column], line.action))},
                     {"importance", line.decisive || line.at_bug ? "essential" : "important"}});
  const Json thread_flow = {{"locations", steps}};
  const Json flow = {{"threadFlows", Json::array({thread_flow})}};
  return Json::array({flow});
}

}  // namespace

std::string interleaving_html(const Interleaving& in, SourceLines& source, const std::string& title) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<style>{1}</style></head><body>\n"
      "<h1>{2}</h1>\n<p>{3}</p>\n<table>\n<tr><th></th>",
      html(title), kStyle, html(in.bug.kind), html(in.bug.message));
  for (const auto& thread : in.threads) out += "<th>thread " + html(thread) + "</th>";
  out += "</tr>\n";
  for (const auto& line : in.lines) out += html_row(line, in.threads.size(), source);
  out += "</table>\n";
  for (const auto& wait : in.waits) out += "<p>" + html(wait) + "</p>\n";
  for (const auto& [text, place] : in.accesses)
    out += fmt::format("<p>{}<br><small>{}</small> <code>{}</code></p>\n", html(text), html(place), html(source.at(place)));
  for (const auto& stack : in.stacks) {
    out += "<h2>" + html(stack.title) + "</h2>\n<ol>\n";
    for (const auto& frame : stack.frames) out += "<li>" + html(frame.function + " at " + frame.place) + "</li>\n";
    out += "</ol>\n";
  }
  return out + "</body></html>\n";
}

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
  const Json rule = {{"id", in.bug.kind}};
  const Json driver = {{"name", "inspect"}, {"version", INSPECT_VERSION}, {"rules", Json::array({rule})}};
  Json run = Json::object();
  run["tool"]["driver"] = driver;
  run["results"] = Json::array({result});
  const Json out = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace inspect::report
