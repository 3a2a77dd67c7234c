"""Measures the package beside what it saves: a parser, and the work on what it gives."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

import toolprism

SAMPLES = Path(__file__).parents[1] / "samples"
SESSIONS = Path(__file__).parents[2] / "shared/data/claude/spotter"
MEGABYTES = 200
ROUNDS = 5


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    times: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def by_hand(paths: list[Path]) -> Counter[str]:
    """What one writes without the package: each line parsed, calls matched with their results, counted by name."""
    calls: dict[tuple[str, str, str], dict[str, Any]] = {}
    for path in paths:
        for line in path.open("rb"):
            record: dict[str, Any] = orjson.loads(line)
            # What a subagent does may stand in records of its progress.
            data: dict[str, Any] = record.get("data") or {}
            message: dict[str, Any] = record.get("message") or (data.get("message") or {}).get("message") or {}
            content = message.get("content")
            if not isinstance(content, list):
                continue
            blocks: list[dict[str, Any]] = content
            # An id is one only together with its session and subagent.
            whose: tuple[str, str] = (record.get("sessionId", ""), record.get("agentId") or data.get("agentId", ""))
            for block in blocks:
                if block.get("type") == "tool_use":
                    given: dict[str, Any] = block["input"]
                    calls[*whose, block["id"]] = {
                        "name": block["name"],
                        "path": given.get("file_path") or given.get("path"),
                        "command": given.get("command"),
                        "started_at": record.get("timestamp"),
                        "status": "pending",
                    }
                elif block.get("type") == "tool_result" and (*whose, block["tool_use_id"]) in calls:
                    call = calls[*whose, block["tool_use_id"]]
                    call["status"] = "failed" if block.get("is_error") else "completed"
                    call["ended_at"] = record.get("timestamp")
    return Counter(call["name"] for call in calls.values())


def parsed(paths: list[Path]) -> None:
    for path in paths:
        for line in path.open("rb"):
            orjson.loads(line)


def sources() -> dict[str, bytes]:
    """The records to repeat: a sample that is all calls and, where a collection of logs is at hand, whole sessions."""
    samples = max((SAMPLES / "claude_code").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    found = {"sessions": sorted(SESSIONS.glob("*.jsonl")), "a sample that is all calls": [samples]}
    return {
        title: b"".join(path.read_bytes().rstrip(b"\n") + b"\n" for path in paths) for title, paths in found.items() if paths
    }


def logs(folder: Path, files: int, text: bytes) -> list[Path]:
    """So many logs, each of whose parts has calls of its own."""
    parts = MEGABYTES * 1_000_000 // len(text)
    paths = [folder / f"{number}.jsonl" for number in range(files)]
    for number, path in enumerate(paths):
        with path.open("wb") as file:
            for part in range(number, parts, files):
                file.write(text.replace(b'"toolu_', b'"toolu_%05d' % part))
    return paths


def reading(title: str, text: bytes, files: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = logs(Path(folder), files, text)
        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        calls = len(toolprism.scan(paths))
        assert calls == sum(by_hand(paths).values()), "both must see the same calls"
        # One after the other, so that a slower clock meets all.
        works = (lambda: toolprism.scan(paths).groups(), lambda: by_hand(paths), lambda: parsed(paths))
        rounds = [[best(work, 1) for work in works] for _ in range(ROUNDS)]
        ours, theirs, parsing = (min(times) for times in zip(*rounds, strict=True))
        print(f"{title}: {megabytes:.0f} MB in {files} file(s), {calls} calls; {os.cpu_count()} cores")
        print(f"  scan and groups                  {ours:6.3f} s  {megabytes / ours:6.0f} MB/s")
        print(f"  orjson a line, and work on dicts {theirs:6.3f} s  {megabytes / theirs:6.0f} MB/s  {theirs / ours:4.1f} times ours")
        print(f"  orjson a line alone              {parsing:6.3f} s  {megabytes / parsing:6.0f} MB/s  {parsing / ours:4.1f} times ours")
        scanned = toolprism.scan(paths)
        print(f"  its calls as dicts               {best(scanned.to_dicts):6.3f} s")
        print(f"  its calls as a DataFrame         {best(scanned.to_polars):6.3f} s")


def identifying() -> None:
    print("identify on a dict")
    for title, content in (("1 kB", "x" * 1_000), ("1 MB", "x" * 1_000_000)):
        call = {"harness": "claude_code", "name": "Write", "raw_input": {"file_path": "/a/b.txt", "content": content}}
        answer = json.dumps(toolprism.identify(call))
        ours = best(lambda: [toolprism.identify(call) for _ in range(20_000)]) / 20_000
        text = best(lambda: [(json.dumps(call), json.loads(answer)) for _ in range(200)]) / 200
        loads = best(lambda: [json.loads(answer) for _ in range(20_000)]) / 20_000
        print(f"  content of {title}: {ours * 1e6:6.2f} us  (json.loads of the answer alone {loads * 1e6:5.2f} us, "
              f"text both ways alone {text * 1e6:8.2f} us)")



if __name__ == "__main__":
    for title, text in sources().items():
        reading(title, text, 1)
        reading(title, text, 20)
    identifying()
