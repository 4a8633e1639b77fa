#!/usr/bin/env python3
"""What machines read of a check: JSON by docs/verdict.schema.json, SARIF, JUnit, annotations of GitHub's.

    formats_test.py --bin BIN [NAME...]

Exit status 77 without the Python packages jsonschema and sarif_om (Debian: python3-jsonschema, python3-sarif-python-om, the object
model of SARIF 2.1.0 as generated from its schema).
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from cases import expect, run  # noqa: E402

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's, if another Python runs this

try:
    import attr
    import jsonschema
    import sarif_om
except ImportError as missing:
    print(missing)
    sys.exit(77)

SCHEMA = json.loads((HERE.parent.parent / "docs" / "verdict.schema.json").read_text())

# Which class of the standard's object model a property holds, whatever the object; and where it depends on that.
MODEL = {"runs": "Run", "tool": "Tool", "driver": "ToolComponent", "rules": "ReportingDescriptor", "results": "Result",
         "shortDescription": "MultiformatMessageString", "message": "Message", "locations": "Location", "relatedLocations": "Location",
         "codeFlows": "CodeFlow", "threadFlows": "ThreadFlow", "location": "Location", "physicalLocation": "PhysicalLocation",
         "artifactLocation": "ArtifactLocation", "region": "Region", ("ThreadFlow", "locations"): "ThreadFlowLocation"}


# What the schema asks of values, of those properties that are written: the object model knows names alone.
VALUES = {("SarifLog", "version"): ["2.1.0"], "level": ["none", "note", "warning", "error"], "importance": ["important", "essential", "unimportant"],
          "startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1, "executionOrder": -1}
UNIQUE = {"rules", "results", "locations", "relatedLocations", "codeFlows"}  # of which none may be there twice


def fits(key, content, name, value):
    wanted = VALUES.get((name, key), VALUES.get(key, str))
    if isinstance(wanted, list):
        expect(content in wanted, f"{name}.{key}", value)
    elif isinstance(wanted, int):
        expect(type(content) is int and content >= wanted, f"{name}.{key}", value)
    else:
        expect(isinstance(content, (str, dict, list)), f"{name}.{key}", value)
    if key == "uri":  # RFC 3986: a reference
        expect(re.fullmatch(r"(?:[\w.~!$&'()*+,;=:@/?#-]|%[0-9A-Fa-f]{2})+", content, re.ASCII), content)
        expect(":" not in content.split("/")[0] or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", content), content)
    if key in UNIQUE and name != "ThreadFlow":
        expect(len({json.dumps(each, sort_keys=True) for each in content}) == len(content), f"{name}.{key} has equal parts", value)
    if (name, key) in {("CodeFlow", "threadFlows"), ("ThreadFlow", "locations")}:
        expect(content, f"{name}.{key} is empty", value)


def conforms(value, name):
    """Every property is one of its class, and none that is required is missing: the object model was generated from the schema."""
    fields = {field.metadata["schema_property_name"]: field for field in getattr(sarif_om, name).__attrs_attrs__}
    for key, content in value.items():
        expect(key in fields, f"{name} has no {key}", value)
        fits(key, content, name, value)
        kind = MODEL.get((name, key), MODEL.get(key))
        for part in content if isinstance(content, list) else [content]:
            expect(isinstance(part, dict) == (kind is not None), f"{name}.{key}", value)
            if kind:
                conforms(part, kind)
    if name == "Region":
        expect("startLine" in value or "charOffset" in value or "byteOffset" in value, "where is the region", value)
    if name == "PhysicalLocation":
        expect("artifactLocation" in value or "address" in value, "what is it in", value)
    if name == "Message":
        expect("text" in value or "id" in value, "a message of nothing", value)
    for key, field in fields.items():
        expect(key in value or field.default is not attr.NOTHING, f"{name} lacks {key}", value)


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


def sarif_is_as_the_standard_says(bench):
    """From the schedule file alone, and from a replay, with what only that knows."""
    bench.inspect("check", "--progress=off", "pool.cpp")
    said = []
    for command in ("report", "replay"):
        result = bench.inspect(command, "--sarif=a.sarif", "--dot=a.dot", "inspect-bug.schedule")
        expect(result.returncode == (1 if command == "replay" else 0), result.stderr)
        text = (bench.folder / "a.sarif").read_text()
        sarif = json.loads(text)
        conforms(sarif, "SarifLog")
        expect(sarif["version"] == "2.1.0", "version")
        result, = sarif["runs"][0]["results"]
        flows = result["codeFlows"][0]["threadFlows"]
        expect([f["id"] for f in flows] == ["thread 0", "thread 0.0"], flows)
        orders = sorted(place["executionOrder"] for flow in flows for place in flow["locations"])
        expect(orders == list(range(1, len(orders) + 1)), orders)
        for place in re.findall(r'"uri": "(.*)"', text):
            expect(re.fullmatch("[!-~]+", place), place)
        said.append(text)
        graph = (bench.folder / "a.dot").read_text()
        expect(re.search(r"s\d+ -> s\d+ \[style=dashed\]", graph), graph)
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tsvg", "a.dot", "-o", "a.svg"], cwd=bench.folder, check=True)
            ET.parse(bench.folder / "a.svg")
    expect("read pool.stop" not in said[0] and "read pool.stop" in said[1], "values")


def advice_is_in_the_json(bench):
    result = bench.inspect("check", "--progress=off", "--json=-", "--max-executions=1", "queue.cpp")
    advice = json.loads(result.stdout)["advice"]
    expect(result.returncode == 3 and len(advice) == 1 and "raise --max-executions" in advice[0], result.stdout)


def junit_and_annotations(bench):
    result = bench.inspect("check", "--progress=off", "--quiet", "--github", "--junit=a.xml", "pool.cpp")
    expect("::error file=pool.cpp,line=23,col=39,title=data-race in pool.cpp::data-race: read of 1 byte of pool.stop" in result.stdout,
           result.stdout)
    suite = ET.parse(bench.folder / "a.xml").getroot().find("testsuite")
    expect(suite.get("failures") == "1" and "pool.stop" in suite.find("testcase/failure").get("message"), ET.tostring(suite))
    result = bench.inspect("check", "--progress=off", "--quiet", "--github", "--junit=a.xml", "--max-executions=1", "queue.cpp")
    expect(result.returncode == 3 and "::warning title=queue.cpp%3A inconclusive::" in result.stdout, result.stdout)
    suite = ET.parse(bench.folder / "a.xml").getroot().find("testsuite")
    expect(suite.get("skipped") == "1" and "raise --max-executions" in suite.find("testcase/skipped").text, ET.tostring(suite))


CASES = [json_is_as_the_schema_says, sarif_is_as_the_standard_says, advice_is_in_the_json, junit_and_annotations]

if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__))
