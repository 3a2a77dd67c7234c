"""The start in the README does what it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
SAMPLES = HERE.parent / "samples"


def test_the_examples_run(tmp_path: Path) -> None:
    examples = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    assert len([line for line in examples[0].splitlines() if line]) == 3
    shutil.copytree(SAMPLES, tmp_path / ".claude/projects/samples")
    # No agent's folder but that one.
    env = {key: value for key, value in os.environ.items() if key not in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GROK_HOME")}
    env |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    for example in examples:
        run = subprocess.run([sys.executable, "-c", example], env=env, cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert run.stdout.strip()
    first = subprocess.run([sys.executable, "-c", examples[0]], env=env, capture_output=True, text=True).stdout
    assert re.search(r"^Run Command \d+ \d+$", first, re.MULTILINE), first
