"""The walk in `docs/contract-python.md`: its file as it stands there, served, and called by the official SDK's client."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

WALK = Path(__file__).parents[2] / "docs" / "contract-python.md"


@pytest.fixture
def server(tmp_path: Path) -> Path:
    blocks = re.findall(r"```python\n(.*?)```", WALK.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 4
    file = tmp_path / "server.py"
    file.write_text("\n\n".join(blocks), "utf-8")
    return file


def test_the_walk_is_typed(server: Path) -> None:
    check = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", str(server)], cwd=server.parent, capture_output=True, text=True
    )
    assert check.returncode == 0, check.stdout


def test_the_walk_is_served(server: Path) -> None:
    async def main() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=[server.name], cwd=server.parent, env=dict(os.environ))
        async with Client(parameters, read_timeout_seconds=30) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert list(tools) == ["head", "bash"]
            assert tools["head"].description == "The first lines of a file."
            assert tools["head"].annotations is not None and tools["head"].annotations.read_only_hint is True
            assert tools["head"].input_schema["properties"]["path"] == {"type": "string", "description": "The file to read."}
            assert tools["bash"].description == "Runs a command. To read a file, call head."
            assert tools["bash"].input_schema["required"] == ["cmd"]

            def text(result: types.CallToolResult) -> str:
                (block,) = result.content
                assert isinstance(block, types.TextContent)
                return block.text

            read = await client.call_tool("head", {"path": "server.py", "lines": "1"})
            assert (text(read), read.is_error) == ("from pathlib import Path", False)
            assert read.structured_content == {"type": "Text", "text": "from pathlib import Path"}
            wrong = await client.call_tool("head", {"lines": "all"})
            assert wrong.is_error and "`path`: expected a text; it is required and missing" in text(wrong)
            gone = await client.call_tool("head", {"path": "gone"})
            assert (text(gone), gone.is_error) == ("there is no file gone", True)
            ran = await client.call_tool("bash", {"cmd": "exit 3"})
            assert (ran.is_error, ran.structured_content) == (True, {"type": "Ran", "stdout": "", "exit_code": 3})
            unknown = await client.call_tool("tail", {})
            assert unknown.is_error and text(unknown).startswith('there is no tool "tail"')

    asyncio.run(asyncio.wait_for(main(), 60))
