"""Files: found, read, grouped, and handed on as tables."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import toolprism
from toolprism import ToolprismError

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def scanned() -> toolprism.Scan:
    return toolprism.scan(SAMPLES, raw_input=True)


def test_calls(scanned: toolprism.Scan) -> None:
    calls = list(scanned)
    assert len(calls) == len(scanned) > 50
    assert calls == scanned.to_dicts()
    assert {call["harness"] for call in calls} >= {"claude_code", "codex", "grok_build"}
    assert all(call["file"] and Path(call["file"]).is_file() and call["line"] >= 0 for call in calls)
    assert any(isinstance(call.get("raw_input"), dict) for call in calls)
    assert all("raw_input" not in call for call in toolprism.scan(SAMPLES))


def test_groups_and_runs(scanned: toolprism.Scan) -> None:
    groups = scanned.groups()
    assert sum(group["calls"] for group in groups) == len(scanned) == scanned.totals["calls"]
    assert [group["calls"] for group in groups] == sorted((group["calls"] for group in groups), reverse=True)
    assert sum(run["calls"] for run in scanned.runs(by="kind")) == len(scanned)
    with pytest.raises(ToolprismError) as caught:
        scanned.groups(by="colour")  # type: ignore[arg-type]
    assert caught.value.kind == "unknown_value"
    assert "<td>Run Command</td>" in scanned._repr_html_()
    assert str(len(scanned)) in repr(scanned)


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "logs"
    shutil.copytree(SAMPLES / "claude_code", folder)
    log = max((path for path in folder.rglob("*.jsonl")), key=lambda path: path.stat().st_size)
    wanted = toolprism.scan(log).to_dicts()
    assert wanted
    with gzip.open(tmp_path / "a.jsonl.gz", "wb") as file:
        file.write(log.read_bytes())

    def ids(*paths: str | os.PathLike[str]) -> list[str]:
        return [call["id"] for call in toolprism.scan(paths)]

    expected = [call["id"] for call in wanted]
    assert ids(tmp_path / "a.jsonl.gz") == expected
    assert ids(str(log), os.fspath(log)) == expected
    assert set(expected) <= set(ids(f"{tmp_path}/logs/**")) == set(ids(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    assert set(ids("~/logs")) == set(ids(folder))
    for variable in ("CODEX_HOME", "GROK_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "none"))
    assert len(toolprism.scan()) == 0
    shutil.copytree(folder, tmp_path / ".claude/projects/here")
    assert {call["id"] for call in toolprism.scan()} == set(ids(folder))


def test_what_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", f"{tmp_path}/*.nothing"):
        with pytest.raises(ToolprismError) as caught:
            toolprism.scan(path)
        assert (caught.value.kind, caught.value.file) == ("unreadable", str(path))
    other = tmp_path / "other.json"
    other.write_text('{"a": 1}')
    with pytest.raises(ToolprismError) as caught:
        toolprism.scan(other)
    assert (caught.value.kind, caught.value.file) == ("unknown_format", str(other))
    assert len(toolprism.scan(tmp_path)) == 0
    with pytest.raises(ToolprismError):
        toolprism.scan([])
    with pytest.raises(TypeError):
        toolprism.scan(5)  # type: ignore[arg-type]
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(b"x" * 100_000)[:-20])
    assert [problem.file for problem in toolprism.scan(tmp_path).problems] == [str(cut)]


def test_damage_has_a_place(tmp_path: Path) -> None:
    log = min((SAMPLES / "claude_code").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    lines = log.read_bytes().splitlines(keepends=True)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"".join([*lines[:2], b'{"type":"assistant","mess\n', *lines[2:]]))
    (span,) = toolprism.scan(damaged).quarantined
    place = {"file": str(damaged), "line": 3, "offset": sum(map(len, lines[:2]))}
    assert {name: span.get(name) for name in place} == place
    with pytest.raises(ToolprismError) as caught:
        toolprism.scan(damaged, strict=True)
    error = caught.value
    assert (error.kind, error.file, error.line, error.offset) == ("damaged", *place.values())
    assert str(error).startswith(f"{damaged}:3: ")


def test_arrow(scanned: toolprism.Scan) -> None:
    import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

    table = pa.table(scanned)
    assert table.schema == pa.schema(scanned)
    assert table.num_rows == len(scanned)
    assert table.column_names == list(scanned.to_dicts()[0])
    for name in ("label", "kind", "name", "namespace"):
        assert table.schema.field(name).type == pa.dictionary(pa.int32(), pa.string())
    rows = table.drop_columns(["input", "raw_input", "started_at", "ended_at"]).to_pylist()
    calls = [{name: call.get(name) for name in rows[0]} for call in scanned]
    assert rows == calls
    times = [at and at.isoformat(timespec="milliseconds").replace("+00:00", "Z") for at in table["started_at"].to_pylist()]
    assert times == [call["started_at"] for call in scanned]
    # The table outlives what it came from, and a stream that nobody reads does no harm.
    again = pa.table(toolprism.scan(SAMPLES))
    assert again["id"].to_pylist() == [call["id"] for call in scanned]
    scanned.__arrow_c_stream__()


def test_polars(scanned: toolprism.Scan) -> None:
    import polars as pl

    frame = scanned.to_polars()
    assert frame.shape == pl.DataFrame(scanned).shape == (len(scanned), 29)
    groups = frame.group_by("label").len().sort("len", descending=True)
    assert dict(groups.iter_rows()) == {group["value"]: group["calls"] for group in scanned.groups()}


def test_pandas(scanned: toolprism.Scan) -> None:
    frame = scanned.to_pandas()
    assert list(frame["id"]) == [call["id"] for call in scanned]
    assert str(frame["label"].dtype) == "category"
    assert frame["duration_ms"].sum() == sum(call["duration_ms"] or 0 for call in scanned)


def test_duckdb(scanned: toolprism.Scan) -> None:
    import duckdb

    found = duckdb.sql("select label::varchar, count(*), max(started_at)::varchar from scanned group by 1")
    assert found is not None
    assert {label: calls for label, calls, _ in found.fetchall()} == {group["value"]: group["calls"] for group in scanned.groups()}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    log = max((SAMPLES / "claude_code").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    text = log.read_bytes().rstrip(b"\n") + b"\n"
    folder = tmp_path_factory.mktemp("large")
    path = folder / "large.jsonl"
    with path.open("wb") as file:
        for _ in range(200_000_000 // len(text)):
            file.write(text)
    yield path
    path.unlink()


def test_progress_and_errors_in_it(large: Path) -> None:
    seen: list[toolprism.types.Progress] = []
    toolprism.scan(large, progress=seen.append)
    assert seen[-1] == (1, 1, large.stat().st_size, large.stat().st_size)

    def fail(_: object) -> None:
        raise KeyError("mine")

    start = time.monotonic()
    with pytest.raises(KeyError, match="mine"):
        toolprism.scan([large], progress=fail)
    assert time.monotonic() - start < 2


def test_other_threads_go_on(large: Path) -> None:
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    toolprism.scan(large)
    done.set()
    thread.join()
    assert ticks > 10


def test_ctrl_c(large: Path) -> None:
    script = f"""
import toolprism
print("ready", flush=True)
try:
    while True:
        toolprism.scan({str(large)!r})
except KeyboardInterrupt:
    print("stopped", len(toolprism.scan({str(SAMPLES)!r})) > 0)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped True\n"


def test_the_program() -> None:
    program = Path(sys.executable).with_name("toolprism")
    for command in ([str(program)], [sys.executable, "-m", "toolprism"]):
        run = subprocess.run([*command, "groups", str(SAMPLES), "--format", "json"], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert '"value":"Run Command"' in run.stdout
        assert subprocess.run([*command, "nonsense"], capture_output=True).returncode == 2
        assert toolprism.__version__ in subprocess.run([*command, "--version"], capture_output=True, text=True).stdout
