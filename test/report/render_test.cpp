#include "report/render.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/interleaving.hpp"
#include "report/page.hpp"

namespace inspect::report {
namespace {

ScheduleFile recorded() {
  ScheduleFile file;
  file.bug = {"data-race", "0.0", "<b>.c:2:1", "a.c:1:1", "x & \"y\""};
  file.steps = {{"0", INSPECT_OP_MutexLock, "m", "a.c:1", ""}, {"0.0", INSPECT_OP_AtomicStore, "<x>", "<b>.c:2", ""}};
  return file;
}

// What the program says is data: no markup of its own, and nothing that ends the element it stands in.
TEST(Render, APageHoldsTextsAsDataOnly) {
  SourceLines source;
  auto interleaving = interleaving_of(recorded());
  interleaving.lines[0].action = "</script><script>alert(1)</script>";
  const auto page = interleaving_html(interleaving, source, "<t>");
  EXPECT_NE(page.find("<title>&lt;t&gt;</title>"), std::string::npos);
  EXPECT_NE(page.find("atomic store \\u003cx\\u003e"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("http://www.w3.org/1999"), std::string::npos);
}

TEST(Render, DotQuotesItsLabels) {
  const auto graph = interleaving_dot(interleaving_of(recorded()));
  EXPECT_NE(graph.find("label=\"data-race: x & \\\"y\\\"\""), std::string::npos);
}

TEST(Render, DotHasWhatIsOrdered) {
  ScheduleFile file = recorded();
  file.steps.push_back({"0.0", INSPECT_OP_MutexLock, "m", "<b>.c:3", ""});
  Interleaving interleaving = interleaving_of(file);
  interleaving.waiting = {{"0", "thread 0.0", {"0.0"}}};
  const auto graph = interleaving_dot(interleaving);
  const auto has = [&](const char* edge) { return graph.find(edge) != std::string::npos; };
  EXPECT_FALSE(has("s0 -> s1"));                 // other threads, other objects: in no order
  EXPECT_TRUE(has("s1 -> s2;"));                 // one thread
  EXPECT_TRUE(has("s0 -> s2 [style=dashed];"));  // one mutex
  EXPECT_TRUE(has("s0 -> s2 [color=red, constraint=false, label=\"waits for thread 0.0\"];"));
}

TEST(Render, SarifOfALongRunTellsItsEnd) {
  ScheduleFile file = recorded();
  for (unsigned i = 0; i < 15'000; ++i)
    file.steps.push_back(
        {i % 3 ? "0" : "0.0", INSPECT_OP_MutexLock, "m" + std::to_string(i), "a.c:" + std::to_string(i + 1), ""});
  const auto text = interleaving_sarif(interleaving_of(file));
  EXPECT_LT(text.size(), 1'000'000u);
  EXPECT_NE(text.find("(13002 earlier lines are left out) thread"), std::string::npos);
  EXPECT_NE(text.find("pthread_mutex_lock(m14999)"), std::string::npos);
}

TEST(Render, SarifHasTheShapeOfTheStandard) {
  const auto sarif = nlohmann::json::parse(interleaving_sarif(interleaving_of(recorded())));
  EXPECT_EQ(sarif["version"], "2.1.0");
  ASSERT_TRUE(sarif["runs"].is_array());
  const auto& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "inspect");
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "data-race");
  const auto& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "data-race");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startColumn"], 1);
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.c");
  const auto& flows = result["codeFlows"][0]["threadFlows"];  // one a thread
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0]["locations"][0]["location"]["message"]["text"], "thread 0: pthread_mutex_lock(m)");
  EXPECT_EQ(flows[1]["locations"][0]["executionOrder"], 2);
  EXPECT_EQ(flows[1]["locations"][0]["location"]["physicalLocation"]["artifactLocation"]["uri"], "%3Cb%3E.c");
}

TEST(Render, WhereACycleBeginsIsMarked) {
  ScheduleFile file = recorded();
  ASSERT_GE(file.steps.size(), 2u);
  file.cycle = 1;
  const Interleaving interleaving = interleaving_of(file);
  ASSERT_EQ(interleaving.lines.size(), file.steps.size() + 1);
  EXPECT_EQ(interleaving.lines[file.steps.size() - 1].action, kCycleMark);
  file.cycle = 0;  // a run that ends
  EXPECT_EQ(interleaving_of(file).lines.size(), file.steps.size());
}

}  // namespace
}  // namespace inspect::report
