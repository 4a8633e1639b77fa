#include "symbolic/frontend/program.hpp"

#include <llvm/IR/DebugInfoMetadata.h>

#include "symbolic/frontend/uninitialised.hpp"

namespace inspect::symbolic {

Program::Program(llvm::Module& of, Memory& its_memory, ThreadNumbers& thread_numbers, const FrontendOptions& given)
    : module(of), memory(its_memory), options(given), thread_numbers_(thread_numbers) {
  for (const auto& [key, number] : thread_numbers) {
    const std::string name = "thread" + std::to_string(number);
    ThreadOfProgram& thread = threads[number];
    thread.start = std::get<3>(key);
    thread.started = system.add_cell({name + ".started", 1});
    thread.progress = system.add_cell({name + ".progress", 2});
    thread.argument = system.add_cell({name + ".argument", 64});
    thread.detached = system.add_cell({name + ".detached", 1});
    thread.result = system.add_cell({name + ".result", 64});
    thread.argument_value = {system.read(thread.argument), true};
  }
  Term all = Terms::truth(true);
  std::string names;
  for (const std::string& name : options.propositions) {
    if (!propositions.contains(name)) propositions[name] = system.add_cell({"proposition " + name, 1});
    all = system.terms.both(all, system.read(propositions.at(name)));
    names += (names.empty() ? "" : " && ") + name;
  }
  if (!names.empty()) system.propositions.push_back({names, all});
}

void Program::add_cells(ObjectId id) {
  const Object& object = memory[id];
  first_cells_[id] = static_cast<CellId>(system.cells.size());
  for (std::size_t i = 0; i < object.slots.size(); ++i) {
    Cell cell{object.name + (object.slots.size() > 1 ? "." + std::to_string(object.slots[i].offset) : ""),
              object.slots[i].width};
    if (object.kind == ObjectKind::global) {
      const auto value = memory.initial(system.terms, object.first_slot + static_cast<SlotId>(i));
      if (value) {
        cell.initial = system.terms[value->bits].value;
        memory.note_pointer(object.first_slot + static_cast<SlotId>(i), value->objects);
      } else {
        cell.is_input = true;  // not known: anything
      }
    } else if (object.slots[i].is_synchronisation()) {
      const SlotId slot = object.first_slot + static_cast<SlotId>(i);
      cell.initial =
          object.is_zero ? system.terms[memory.zeroed(system.terms, slot).bits].value : truncated(kNotInitialised, cell.width);
    } else if (!object.is_zero) {
      cell.is_input = true;  // not initialised: anything
      cell.uninitialised = name_of(id);
    }
    system.add_cell(std::move(cell));
  }
}

CellId Program::cell_of(SlotId slot) {
  const ObjectId id = memory.object_of(slot);
  if (!first_cells_.contains(id)) add_cells(id);
  return first_cells_[id] + (slot - memory[id].first_slot);
}

CellId Program::alive_cell(ObjectId object) {
  const auto [it, is_new] = alive_cells_.try_emplace(object, 0);
  if (is_new) it->second = system.add_cell({memory[object].name + ".alive", 1, 1});
  return it->second;
}

CellId Program::add_register(const std::string& name, unsigned width, ThreadIndex owner) {
  is_register_.resize(system.cells.size());
  is_register_.push_back(true);
  return system.add_cell({name + "#" + std::to_string(system.cells.size()), width, 0, false, owner});
}

CellId Program::add_input(const std::string& name, unsigned width, ThreadIndex owner) {
  is_register_.resize(system.cells.size());
  is_register_.push_back(true);
  return system.add_cell({name + "#" + std::to_string(system.cells.size()), width, 0, true, owner});
}

CellId Program::add_uninitialised(const std::string& of, unsigned width, ThreadIndex owner) {
  const CellId cell = add_input("uninitialised " + of, width, owner);
  system.cells[cell].uninitialised = of;
  return cell;
}

std::string Program::name_of(ObjectId id) {
  const Object& object = memory[id];
  if (object.kind == ObjectKind::stack) return variable_name(*llvm::cast<llvm::AllocaInst>(object.value));
  if (object.kind == ObjectKind::heap) return "a block of the heap at " + place(*llvm::cast<llvm::Instruction>(object.value));
  return object.name;
}

CellId Program::uninitialised(SlotId slot, ThreadIndex owner) {
  const auto it = uninitialised_.find({slot, owner});
  if (it != uninitialised_.end()) return it->second;
  return uninitialised_[{slot, owner}] = add_uninitialised(name_of(memory.object_of(slot)), memory.slot(slot).width, owner);
}

bool Program::is_stable(Term term) {
  is_register_.resize(system.cells.size());
  visit_terms(
      system.terms, term, [&](Term of) { return stable_.contains(of); },
      [&](Term of) {
        const TermNode& node = system.terms[of];
        bool stable = node.kind == TermKind::cell ? is_register_[node.value] : node.kind != TermKind::element;
        const unsigned operands = operand_count(node.kind);
        if (operands > 0) stable = stable && stable_.at(node.a);
        if (operands > 1) stable = stable && stable_.at(node.b);
        if (operands > 2) stable = stable && stable_.at(node.c);
        stable_[of] = stable;
      });
  return stable_.at(term);
}

std::optional<ThreadIndex> Program::create(const ThreadKey& key, const Value& argument) {
  const auto number = thread_numbers_.try_emplace(key, static_cast<ThreadIndex>(thread_numbers_.size()) + 1).first->second;
  const auto thread = threads.find(number);
  if (thread == threads.end()) return std::nullopt;
  Value& seen = thread->second.argument_value;
  seen = argument;
  if (!system.terms.is_constant(argument.bits)) seen.bits = system.read(thread->second.argument);
  return number;
}

const Shape& Program::shape(llvm::Function* function) {
  auto& shape = shapes_[function];
  if (!shape) shape = std::make_unique<Shape>(*function);
  return *shape;
}

std::string Program::place(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& at = instruction.getDebugLoc();
  if (!at) return instruction.getFunction()->getName().str();
  return llvm::cast<llvm::DIScope>(at.getScope())->getFilename().str() + ":" + std::to_string(at.getLine());
}

}  // namespace inspect::symbolic
