#!/usr/bin/env python3
"""What machines read of a check: JSON by docs/verdict.schema.json, SARIF, JUnit, annotations of GitHub's.

    formats_test.py --bin BIN [NAME...]

Exit status 77 without the Python package jsonschema (Debian: python3-jsonschema).
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from cases import expect, run  # noqa: E402

try:
    import jsonschema
except ImportError:
    print("no jsonschema")
    sys.exit(77)

SCHEMA = json.loads((HERE.parent.parent / "docs" / "verdict.schema.json").read_text())

# Of SARIF 2.1.0 what is used here, with the types and the required keys of the standard's schema.
PLACE = {"type": "object", "properties": {
    "physicalLocation": {"type": "object", "required": ["artifactLocation"], "properties": {
        "artifactLocation": {"type": "object", "required": ["uri"], "properties": {"uri": {"type": "string", "pattern": "^[!-~]+$"}}},
        "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1}}}}},
    "message": {"type": "object", "required": ["text"]}}}
SARIF = {"type": "object", "required": ["version", "runs"], "properties": {"version": {"const": "2.1.0"}, "runs": {"type": "array", "items": {
    "type": "object", "required": ["tool", "results"], "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {"type": "object", "required": ["name"]}}},
        "results": {"type": "array", "items": {"type": "object", "required": ["message", "ruleId"], "properties": {
            "level": {"enum": ["none", "note", "warning", "error"]}, "locations": {"type": "array", "items": PLACE},
            "codeFlows": {"type": "array", "items": {"type": "object", "required": ["threadFlows"], "properties": {
                "threadFlows": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["locations"], "properties": {
                    "id": {"type": "string"}, "locations": {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {
                        "location": PLACE, "executionOrder": {"type": "integer", "minimum": 0},
                        "importance": {"enum": ["important", "essential", "unimportant"]}}}}}}}}}}}}}}}}}}


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        for source in (HERE / "programs").iterdir():
            shutil.copy(source, folder)

    def inspect(self, *words):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
        return subprocess.run([self.tools / "inspect", *words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False)


def json_is_as_the_schema_says(bench):
    for words in (["pool.cpp"], ["--races=report", "--keep-going", "kinds.c"], ["--algorithm=pct", "--max-executions=3", "queue.cpp"],
                  ["--max-executions=2", "--races=ignore", "kinds.c", "--", "1"], ["--algorithm=pdp", "kinds.c"]):
        result = bench.inspect("check", "--progress=off", "--json=-", *words)
        jsonschema.validate(json.loads(result.stdout), SCHEMA)


def sarif_has_the_standard_s_shape(bench):
    bench.inspect("check", "--progress=off", "pool.cpp")
    expect(bench.inspect("report", "--sarif=a.sarif", "inspect-bug.schedule").returncode == 0, "refused")
    sarif = json.loads((bench.folder / "a.sarif").read_text())
    jsonschema.validate(sarif, SARIF)
    flows = sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
    expect([f["id"] for f in flows] == ["thread 0", "thread 0.0"], flows)


def junit_and_annotations(bench):
    result = bench.inspect("check", "--progress=off", "--quiet", "--github", "--junit=a.xml", "pool.cpp")
    expect("::error file=pool.cpp,line=23,col=39,title=data-race in pool.cpp::data-race: read of 1 bytes of pool.stop" in result.stdout,
           result.stdout)
    suite = ET.parse(bench.folder / "a.xml").getroot().find("testsuite")
    expect(suite.get("failures") == "1" and "pool.stop" in suite.find("testcase/failure").get("message"), ET.tostring(suite))
    result = bench.inspect("check", "--progress=off", "--quiet", "--github", "--junit=a.xml", "--max-executions=1", "queue.cpp")
    expect(result.returncode == 3 and "::warning title=queue.cpp%3A inconclusive::" in result.stdout, result.stdout)
    suite = ET.parse(bench.folder / "a.xml").getroot().find("testsuite")
    expect(suite.get("skipped") == "1" and "raise --max-executions" in suite.find("testcase/skipped").text, ET.tostring(suite))


CASES = [json_is_as_the_schema_says, sarif_has_the_standard_s_shape, junit_and_annotations]

if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__))
