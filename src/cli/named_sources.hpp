// Which files a schedule file may have a report quote: those that the program was built of.
//
// Guarantees: a schedule file from elsewhere cannot have other files shown. The sources that it lists count if they are such by
// their names, with what they include; of an executable, when it is there and is the recorded one, the files that it names
// itself; and the system's headers. Deliberately unknown here: what is quoted of them.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "model/schedule.hpp"

namespace inspect::cli {

class NamedSources {
 public:
  // `roots`: folders that relative names are below.
  NamedSources(const ScheduleFile& file, const std::vector<std::string>& roots);
  [[nodiscard]] bool has(const std::string& name) const;

 private:
  [[nodiscard]] bool names_it(const std::string& name) const;
  void add_with_includes(const std::string& name, const std::vector<std::string>& roots);

  std::set<std::string> names_;
  std::string program_;  // the bytes of the executable
};

}  // namespace inspect::cli
