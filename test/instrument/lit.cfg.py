"""Lit: %cc and %cxx are the wrappers, %ir shows what a C file becomes, %mark runs the pass over LLVM IR."""
import os

import lit.formats

config.name = "instrument"
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["stub", "inputs"]
config.test_format = lit.formats.ShTest(True)
config.test_source_root = os.path.dirname(__file__)
for name in ("HOME", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

if os.path.exists(config.runtime):
    config.available_features.add("runtime")
bin = os.path.join(config.prefix, "bin")
config.substitutions += [
    ("%cc", os.path.join(bin, "inspect-cc")),
    ("%cxx", os.path.join(bin, "inspect-c++")),
    ("%ir", os.path.join(bin, "inspect-cc") + " -w -S -emit-llvm -o -"),
    ("%mark", os.path.join(config.tools, "opt") + " -S -load-pass-plugin=" + config.plugin + " -passes=inspect-mark"),
    ("%both", os.path.join(config.tools, "opt") + " -S -load-pass-plugin=" + config.plugin + " -passes=inspect-mark,inspect-finish"),
    ("%finish", os.path.join(config.tools, "opt") + " -S -load-pass-plugin=" + config.plugin + " -passes=inspect-finish"),
    ("%prefix", config.prefix),
    ("%library_def", config.library_def),
    ("%runtime", config.runtime),
    ("%python", config.python),
    ("%llvm", config.tools),
    ("FileCheck", os.path.join(config.tools, "FileCheck")),
]
