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
MEGABYTES = 200
ROUNDS = 5


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    times: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def by_hand(path: Path) -> Counter[str]:
    """What one writes without the package: each line parsed, calls matched with their results, counted by name."""
    calls: dict[str, dict[str, Any]] = {}
    with path.open("rb") as file:
        for line in file:
            record = orjson.loads(line)
            content = (record.get("message") or {}).get("content")
            if not isinstance(content, list):
                continue
            for block in content:
                if block.get("type") == "tool_use":
                    given = block["input"]
                    calls[block["id"]] = {
                        "name": block["name"],
                        "path": given.get("file_path") or given.get("path"),
                        "command": given.get("command"),
                        "started_at": record.get("timestamp"),
                        "status": "pending",
                    }
                elif block.get("type") == "tool_result" and block["tool_use_id"] in calls:
                    call = calls[block["tool_use_id"]]
                    call["status"] = "failed" if block.get("is_error") else "completed"
                    call["ended_at"] = record.get("timestamp")
    return Counter(call["name"] for call in calls.values())


def log(path: Path) -> None:
    """A log of many megabytes, each of whose copies has calls of its own."""
    largest = max((SAMPLES / "claude_code").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    text = largest.read_bytes().rstrip(b"\n") + b"\n"
    with path.open("wb") as file:
        for number in range(MEGABYTES * 1_000_000 // len(text)):
            file.write(text.replace(b'"toolu_', b'"toolu_%05d' % number))


def reading() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.jsonl")
        log(path)
        megabytes = path.stat().st_size / 1e6
        calls = len(toolprism.scan(path))
        assert calls == sum(by_hand(path).values()), "both must see the same calls"
        # One after the other, so that a slower clock meets both.
        rounds = [
            (best(lambda: toolprism.scan(path).groups(), 1), best(lambda: by_hand(path), 1), best(lambda: parsed(path), 1))
            for _ in range(ROUNDS)
        ]
        ours, theirs, parsing = (min(times) for times in zip(*rounds, strict=True))
        print(f"a log of {megabytes:.0f} MB, {calls} calls, {os.cpu_count()} cores, one file (one thread)")
        print(f"  scan and groups                  {ours:6.3f} s  {megabytes / ours:6.0f} MB/s")
        print(f"  orjson a line, and work on dicts {theirs:6.3f} s  {megabytes / theirs:6.0f} MB/s  {theirs / ours:4.1f} times ours")
        print(f"  orjson a line alone              {parsing:6.3f} s  {megabytes / parsing:6.0f} MB/s  {parsing / ours:4.1f} times ours")
        scanned = toolprism.scan(path)
        print(f"  its calls as dicts               {best(scanned.to_dicts):6.3f} s")
        print(f"  its calls as a DataFrame         {best(scanned.to_polars):6.3f} s")


def parsed(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)


def identifying() -> None:
    print("identify on a dict")
    for title, content in (("1 kB", "x" * 1_000), ("1 MB", "x" * 1_000_000)):
        call = {"harness": "claude_code", "name": "Write", "raw_input": {"file_path": "/a/b.txt", "content": content}}
        text = json.dumps(call)
        ours = best(lambda: [toolprism.identify(call) for _ in range(20_000)]) / 20_000
        parse = best(lambda: [json.loads(text) for _ in range(200)]) / 200
        print(f"  content of {title}: {ours * 1e6:6.2f} us  (json.loads of such a call alone: {parse * 1e6:8.2f} us)")


if __name__ == "__main__":
    reading()
    identifying()
