#include "report/page.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/digest.hpp"
#include "report/folding.hpp"
#include "report/place.hpp"

namespace inspect::report {
namespace {

using Json = nlohmann::ordered_json;

std::string escaped(std::string_view text) {
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

// JSON that can stand in an element of a page: nothing in it ends that.
std::string embedded(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

// What the page shows, each frame once.
class PageData {
 public:
  PageData(const Interleaving& in, SourceLines& source) : in_(in), source_(source) {}

  Json json(const std::string& title) {
    Json out;
    out["title"] = title;
    out["kind"] = in_.bug.kind;
    out["message"] = in_.bug.message + place_of_bug();
    out["critical"] = in_.critical;
    out["threads"] = in_.threads;
    out["lines"] = Json::array();
    for (const auto& line : in_.lines) out["lines"].push_back(row(line));
    out["folded"] = folded_lines();
    out["waits"] = in_.waits;
    out["waiting"] = Json::array();
    for (const auto& w : in_.waiting)
      out["waiting"].push_back({{"thread", w.thread}, {"awaited", w.awaited}, {"holders", w.holders}});
    out["stacks"] = Json::array();
    for (const auto& stack : in_.stacks) out["stacks"].push_back({{"title", stack.title}, {"frames", numbers(stack.frames)}});
    out["notes"] = Json::array();
    for (const auto& note : in_.accesses) {
      quote(note.place);
      out["notes"].push_back(note.text + " (" + note.place + ")");
    }
    out["frames"] = frames_;
    out["sources"] = sources_;
    out["changed"] = source_.changed();
    return out;
  }

 private:
  [[nodiscard]] std::string place_of_bug() const {
    std::string out = " (thread " + in_.bug.thread + " at " + in_.bug.place;
    if (in_.bug.other_place != "-") out += ", other access at " + in_.bug.other_place;
    return out + ")";
  }

  Json row(const InterleavingLine& line) {
    quote(line.place);
    Json out = {{"t", line.column}, {"n", line.step}, {"a", line.action}, {"p", line.place}};
    out["f"] = numbers(line.frames);
    if (line.decisive) out["d"] = 1;
    if (line.at_bug) out["b"] = 1;
    if (line.action == kCycleMark) out["c"] = 1;
    if (!line.takes.empty()) out["takes"] = line.takes;
    if (!line.gives.empty()) out["gives"] = line.gives;
    if (line.after) out["after"] = line.after;
    return out;
  }

  // What is told once: the line that it begins with, its last step, its words. Empty: nothing is.
  [[nodiscard]] Json folded_lines() const {
    Json out = Json::array();
    const std::vector<FoldedLine> lines = folded(in_);
    if (lines.size() == in_.lines.size()) return out;
    for (const FoldedLine& each : lines) out.push_back({each.first, each.last_step, each.line.action});
    return out;
  }

  Json numbers(const Frames& frames) {
    Json out = Json::array();
    for (const Frame& frame : frames) {
      if (!frame.library) quote(frame.place);
      const auto [known, fresh] = known_.try_emplace({frame.function, frame.place}, known_.size());
      if (fresh) frames_.push_back({frame.function, frame.place, frame.library ? 1 : 0});
      out.push_back(known->second);
    }
    return out;
  }

  // The lines around a place.
  void quote(const std::string& place) {
    constexpr std::size_t kAround = 12;
    const auto [file, line, column] = parse_place(place);
    if (!line || !quoted_.insert(place).second) return;
    for (std::size_t i = line > kAround ? line - kAround : 1; line && i <= line + kAround; ++i)
      if (auto text = source_.whole(file, i)) sources_[file][std::to_string(i)] = *text;
  }

  const Interleaving& in_;
  SourceLines& source_;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;
  Json frames_ = Json::array(), sources_ = Json::object();
  std::set<std::string> quoted_;
};

}  // namespace

std::string interleaving_html(const Interleaving& in, SourceLines& source, const std::string& title) {
  const std::string data = embedded(PageData(in, source).json(title));
  const std::string nonce = digest_of(data);  // which no text in it can hold
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'nonce-{0}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{1}</title>\n"
      "<style>\n{2}</style></head>\n<body>\n{3}<script type=\"application/json\" id=\"data\">{4}</script>\n"
      "<script nonce=\"{0}\">\n{5}</script></body></html>\n",
      nonce, escaped(title), page::kStyle, page::kBody, data, page::kScript);
}

}  // namespace inspect::report
