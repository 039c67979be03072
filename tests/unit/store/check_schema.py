#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a document that kregress wrote against the published schema, and that the schema bites.

usage: check_schema.py SCHEMA PROGRAM

PROGRAM prints a document on standard output. Exit code 77: python3-jsonschema is missing.
"""
import copy
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

# Changes that make a line of that type wrong: a key with another value, or without (DROP).
DROP = object()
WRONG = {
    "header": {"format": [DROP, "kregress-2", 1], "generator": [1]},
    "run_set": {
        "id": [DROP, "", 7], "variant": [DROP, "", None], "target": [DROP, 1], "machine": [DROP, []],
        "collection": [1], "created_at": ["yesterday", "2026-11-30T20:33:07+01:00", 0],
        "seed": [7, "-1", "0x10", ""], "level": [DROP, "run", 1],
    },
    "boot": {
        "boot": [DROP, -1, 0.5, "0", 4294967296], "block": [-1], "slot": [None, 4294967296],
        "status": [DROP, "fine"], "reason": [None], "console_tail": [1], "started_at": ["now"],
        "duration_s": [-1, "1"], "environment": [[], {"cpu.count": 4}],
        "failures": [{}, [1], [{"benchmark": "b"}], [{"benchmark": "", "reason": ""}],
                     [{"benchmark": "b", "reason": "r", "unavailable": 1}]],
    },
    "series": {
        "series": [DROP, -1], "benchmark": [DROP, ""], "params": [None], "metric": [DROP, ""],
        "unit": [DROP, None], "better": [DROP, "less"],
    },
    "samples": {
        "series": [DROP, -1], "boot": [DROP, "0"], "invocation": [0.5], "iteration": [-1],
        "values": [DROP, [], 1, ["1"], [None], [[1]]],
    },
    "end": {"lines": [DROP, -1, "5"]},
}


def changed(line, key, value):
    line = copy.deepcopy(line)
    if value is DROP:
        del line[key]
    else:
        line[key] = value
    return line


def check_lines(validator, lines):
    """Every line is valid, also with a key that nobody knows."""
    for number, line in enumerate(lines, 1):
        validator.validate(line)
        validator.validate(changed(line, "unknown_key", {"any": [1]}))
        yield number


def check_wrong(validator, example):
    """Every wrong line is refused."""
    for type_, keys in WRONG.items():
        for key, values in keys.items():
            for value in values:
                line = changed(example[type_], key, value)
                if validator.is_valid(line):
                    sys.exit(f"the schema takes a wrong line: {json.dumps(line)}")
                yield line


def check_keys(schema, lines):
    """The schema describes every key that kregress writes, apart from those it only keeps."""
    kept = {"note", "nested", "big", "weather", "colour"}
    for line in lines:
        described = schema["$defs"][line["type"]]["properties"]
        missing = set(line) - set(described) - kept
        if missing:
            sys.exit(f"the schema does not describe {sorted(missing)} of {line['type']}")
        for key in set(line) & set(described) - {"type"}:
            if "description" not in described[key]:
                sys.exit(f"the schema has no description of {key} of {line['type']}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    text = subprocess.run([sys.argv[2]], check=True, capture_output=True).stdout.decode("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    example = {line["type"]: line for line in lines}
    if set(example) != set(WRONG):
        sys.exit(f"the document has the line types {sorted(example)}, not {sorted(WRONG)}")
    if {key for line in lines if line["type"] == "boot" for key in line} < set(WRONG["boot"]):
        sys.exit("the document does not make use of every key of a boot")
    example["boot"] = max((line for line in lines if line["type"] == "boot"), key=len)

    valid = len(list(check_lines(validator, lines)))
    check_keys(schema, lines)
    wrong = len(list(check_wrong(validator, example)))
    for value in ({}, [], 7, {"type": "comment"}, {"type": 1}):
        if validator.is_valid(value):
            sys.exit(f"the schema takes a wrong line: {json.dumps(value)}")
    print(f"{valid} lines are valid, {wrong} wrong ones are not")


main()
