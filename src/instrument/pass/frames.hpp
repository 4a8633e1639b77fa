// Frame records (hooks/frame.h): every function that can be stopped in says where it is and what is alive there.
//
// In two steps, around those that put counters and entries into the code: find() looks at the code as the program has it,
// write() inserts the records. Guarantees: where a function is stopped inside a call that it makes, the record names the point
// of that call, and every value alive there stands in it; what cannot be described so is marked opaque. Deliberately unknown
// here: what is done with the records.
#pragma once
#include <memory>

#include "instrument/pass/steps.hpp"
#include "instrument/pass/stops.hpp"

namespace inspect::pass {

// Did the user ask for records (-mllvm -inspect-states)?
bool wants_frames();

class Frames {
 public:
  explicit Frames(Context& context);
  ~Frames();
  void find();
  void write();

 private:
  struct Function_;
  Context& context_;
  std::unique_ptr<Stops> stops_;
  std::vector<std::unique_ptr<Function_>> functions_;
};

}  // namespace inspect::pass
