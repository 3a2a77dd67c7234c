"""The cases of conformance/faces.jsonl and partial.jsonl, and the start of the README, in Python: `cases.py COMPONENT`."""

import json
import re
import sys
from pathlib import Path

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker

ROOT = Path(__file__).resolve().parents[4]
PACKAGE = "toolprism:tools/{}@0.1.0"


class Tools:
    """The component's functions, by interface and name."""

    def __init__(self, file):
        engine = Engine()
        self.store = Store(engine)
        self.instance = Linker(engine).instantiate(self.store, Component.from_file(engine, file))

    def call(self, interface, name, *args):
        index = self.instance.get_export_index(self.store, PACKAGE.format(interface))
        index = self.instance.get_export_index(self.store, name, index)
        function = self.instance.get_func(self.store, index)
        answer = function(self.store, *args)
        function.post_return(self.store)
        return answer

    def in_ledger(self, log, name, by):
        ledger = self.call("ledger", "[static]call-ledger.create", "{}")
        self.call("ledger", "[method]call-ledger.push", ledger, log.encode())
        self.call("ledger", "[method]call-ledger.finish", ledger)
        answer = self.call("ledger", f"[method]call-ledger.{name}", ledger, by)
        ledger.drop(self.store)
        return answer



def cases(name):
    """The cases of a file, of which none may be missing."""
    folder = ROOT / "conformance"
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").strip().split("\n")
    assert len(lines) == json.loads((folder / "manifest.json").read_text())[name], "cases are missing"
    return [json.loads(line) for line in lines]


def operations(tools):
    """What each operation of the cases calls."""
    finalizer = tools.call("finalizing", "[static]finalizer.create", "{}")
    finalize = "[method]finalizer.finalize"
    return {
        "identify": lambda call, _: tools.call("identity", "identify", call),
        "parse_meta": lambda meta, _: tools.call("meta", "parse", meta),
        "parse_meta_strict": lambda meta, _: tools.call("meta", "parse-strict", meta),
        "stamp_meta": lambda meta, envelope: tools.call("meta", "stamp", meta, envelope),
        "read_session": lambda log, _: tools.call("session", "read-session", log.encode(), "{}"),
        "groups": lambda log, by: tools.in_ledger(log, "groups", by),
        "runs": lambda log, by: tools.in_ledger(log, "runs", by),
        "finalize": lambda question, _: tools.call("finalizing", finalize, finalizer, question),
    }


def run_cases(tools):
    """Runs all cases, and stops at the first that gives something else."""
    run = operations(tools)
    ran = set()
    faces = cases("faces")
    for case in faces:
        answer = run[case["op"]](case["input"], case.get("second"))
        if "error" in case:
            assert getattr(answer, "kind", None) == case["error"], (case, answer)
        else:
            assert answer == case["answer"], (case, answer)
        ran.add(case["op"])
    assert ran == set(run), "an operation has no cases"
    return len(faces)


def run_partial(tools):
    """Pushes the arguments of all cases byte by byte, and looks at them after each."""
    streamed = cases("partial")
    for case in streamed:
        options = json.dumps({"mode": "lenient" if case["lenient"] else "strict"})
        arguments = tools.call("partial", "[static]partial-input.create", options)

        def ask(name, *args):
            return tools.call("partial", f"[method]partial-input.{name}", arguments, *args)

        steps = {at: rest for at, *rest in case["steps"]}
        expected = steps[0]
        for at, byte in enumerate(case["doc"].encode(), 1):
            ask("push", bytes([byte]))
            expected = steps.get(at, expected)
            assert [json.loads(ask("visible")), ask("is-complete")] == expected, (case, at)
        state = json.loads(ask("state"))
        fault = state.get("fault") and {name: state["fault"][name] for name in ("code", "offset")}
        assert fault == case.get("fault"), (case, state)
        arguments.drop(tools.store)
    return len(streamed)


def check_error(tools):
    """An error says where, and the next call works."""
    error = tools.call("identity", "identify", '{"name": 1}')
    assert (error.kind, error.offset, error.line) == ("wrong_type", 9, None), vars(error)
    assert json.loads(tools.call("identity", "identify", "{}"))["label"] == "Tool"
    assert tools.call("finalizing", "[static]finalizer.create", "[").kind == "not_json"
    assert tools.call("partial", "[static]partial-input.create", '{"mode": 1}').kind == "wrong_type"


def run_readme(file):
    """The README's Python prints what its comment says."""
    readme = (ROOT / "wasm/component/README.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1].replace("dist/toolprism.component.wasm", file)
    promised = re.findall(r"print\(.*# (.*)", code)
    printed = []
    exec(code, {"print": printed.append})
    assert promised == printed != [], (promised, printed)


def main():
    file = sys.argv[1]
    tools = Tools(file)
    count = run_cases(tools) + run_partial(tools)
    check_error(tools)
    run_readme(file)
    print(f"Python: {count} cases")


main()
