"""Many calls leave the memory as it was: 150,000 of each function here, and as many errors, a million with
`cargo xtask test --full`, which sets TOOLPRISM_ROUNDS. Every twentieth round makes a ledger and drops it."""

import os
import sys
from pathlib import Path

import pytest
import toolprism

ROUNDS = int(os.environ.get("TOOLPRISM_ROUNDS", "150000"))
PARTS = 5
# No allocation takes less than 32 bytes.
MOST_PER_CALL = 16

LINE = (
    b'{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":'
    b'[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}\n'
)


def used() -> int:
    """The memory that the process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def work(calls: int) -> None:
    raised = 0
    for i in range(calls):
        call = toolprism.identify({"harness": "claude_code", "name": "Bash", "raw_input": {"command": f"ls {i}"}})
        toolprism.parse_meta(toolprism.stamp_meta({"i": i}, call))
        toolprism.finalize({"input": f'{{"path": "{i}",}}'})
        try:
            toolprism.identify({"name": i})
        except toolprism.ToolprismError:
            raised += 1
        if i % 20 == 0:
            ledger = toolprism.CallLedger()
            ledger.push(LINE)
            assert len(ledger.calls()) == 1
    assert raised == calls


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads how much memory is used from /proc")
def test_memory_does_not_grow() -> None:
    calls = ROUNDS // PARTS
    work(calls)
    grown: list[int] = []
    for _ in range(PARTS):
        before = used()
        work(calls)
        grown.append(used() - before)
    # A leak grows with every call; what the interpreter takes for itself, it takes in some of the parts.
    assert min(grown) < calls * MOST_PER_CALL, grown
