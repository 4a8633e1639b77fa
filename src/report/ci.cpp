#include "report/ci.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/shown.hpp"
#include "report/advice.hpp"
#include "report/place.hpp"
#include "report/text.hpp"

namespace inspect::report {
namespace {

// Control characters and what is no UTF-8 cannot stand in XML at all.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : shown(std::string(text))) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

// As `::error file=…::message` wants it: of a property also the signs that end it.
std::string github(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool ends = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (ends)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines) out += (out.empty() ? "" : "; ") + line;
  return out;
}

// "file=a.c,line=3,col=5" of "a.c:3:5".
std::string place(const std::string& location) {
  const Place at = parse_place(location);
  std::string out = "file=" + github(at.file, true);
  if (at.line) out += fmt::format(",line={}", at.line);
  return at.column ? fmt::format("{},col={}", out, at.column) : out;
}

}  // namespace

std::string verdict_junit(const Verdict& verdict, const std::string& target) {
  const bool bug = verdict.kind == VerdictKind::bug, verified = verdict.kind == VerdictKind::verified;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"inspect\" tests=\"1\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\">\n"
      "    <testcase classname=\"inspect\" name=\"{}\" time=\"{:.3f}\"",
      bug ? 1 : 0, bug || verified ? 0 : 1, verdict.seconds, xml(target), verdict.seconds);
  if (verified) return out + "/>\n  </testsuite>\n</testsuites>\n";
  out += ">\n";
  if (bug) {
    std::string text;
    for (const auto& found : verdict.bugs)
      text += bug_line(found) + (found.schedule ? "\n  schedule: " + *found.schedule : "") + '\n';
    out += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", bug_kind_name(verdict.bugs.front().kind),
                       xml(bug_line(verdict.bugs.front())), xml(text));
  } else {
    out += fmt::format("      <skipped message=\"{}: {}\">{}</skipped>\n", verdict_name(verdict.kind), xml(verdict.reason),
                       xml(joined(advice_for(verdict))));
  }
  return out + "    </testcase>\n  </testsuite>\n</testsuites>\n";
}

std::string github_annotations(const Verdict& verdict, const std::string& target) {
  std::string out;
  for (const auto& bug : verdict.bugs)
    out += fmt::format("::error {}title={}::{}\n", bug.location ? place(*bug.location) + "," : "",
                       github(fmt::format("{} in {}", bug_kind_name(bug.kind), target), true), github(bug_line(bug), false));
  if (verdict.bugs.empty() && verdict.kind != VerdictKind::verified)
    out += fmt::format("::warning title={}::{}\n", github(fmt::format("{}: {}", target, verdict_name(verdict.kind)), true),
                       github(verdict.reason + "; what to do: " + joined(advice_for(verdict)), false));
  return out;
}

}  // namespace inspect::report
