"""The plugin in other people's test suites."""

import shlex
import socket
import struct
import subprocess
import sys
import threading

import pytest

from pytest_postern import Server
from pytest_postern._desk import Shared, open_desk
from pytest_postern._types_generated import VERSION

SETTINGS = "[pytest]\naddopts = -p no:cacheprovider -p no:asyncio\n"

LOGIN = """
    def test_login(postern):
        assert postern.login("bob", scope="openid").claims["sub"] == "bob"
"""


@pytest.fixture(autouse=True)
def alone(pytester: pytest.Pytester) -> None:
    """Each suite here runs in a process of its own, with the plugin as it is installed."""
    pytester.makeini(SETTINGS)


def test_the_report_of_a_failed_test_has_the_flow_and_why_the_last_request_was_refused(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        """
        import urllib.error, urllib.request

        def test_refused(postern):
            postern.login("bob")
            form = b"grant_type=authorization_code&client_id=demo&code=wrong"
            try:
                urllib.request.urlopen(f"{postern.issuer}/oauth2/token", form)
            except urllib.error.HTTPError:
                pass
            assert False, "of the test"

        def test_fine(postern):
            postern.login("bob")
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.re_match_lines(
        [
            r"E +AssertionError: of the test",
            r"-+ Postern at http://localhost:\d+/refused-[0-9a-f]{8} -+",
            r"\+0\.000 s .*/oauth2/authorize .* as bob",
            r".*/oauth2/token .* 400 invalid_",
            r".*code",
        ]
    )
    # it has printed nothing but that it is ready, which says nothing about the failure
    result.stdout.no_fnmatch_line("*the last lines of Postern*")
    assert "eyJ" not in result.stdout.str(), "no token is in the report"


def test_a_fixture_that_fails_shows_the_flow_and_the_line_of_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def tokens(postern):
            postern.login("alice")
            return postern.add_client("shop", redirect_uris=["http://shop.example/"])

        def test_refused(tokens):
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.re_match_lines(
        [
            r'> +return postern\.add_client\("shop"',
            r"E +pytest_postern\.RefusedError: .*must be https",
            r"-+ Postern at http://localhost:\d+/refused-[0-9a-f]{8} -+",
            r"\+0\.000 s .*/oauth2/authorize .* as alice",
        ]
    )
    result.stdout.no_fnmatch_line("*policy_uri = None*")


def test_a_suite_that_does_not_use_the_fixture_starts_nothing(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTERN_COMMAND", "/no/such/program")
    pytester.makepyfile(test_other="def test_other(): pass", test_login=LOGIN)
    pytester.runpytest_subprocess("test_other.py").assert_outcomes(passed=1)
    pytester.runpytest_subprocess("-n", "2", "test_other.py").assert_outcomes(passed=1)
    for arguments in ([], ["-n", "2"]):
        result = pytester.runpytest_subprocess(*arguments, "test_login.py", "test_other.py")
        result.assert_outcomes(passed=1, errors=1)
        result.stdout.fnmatch_lines(["*StartError: /no/such/program cannot be started*"])


@pytest.mark.parametrize("arguments", [[], ["-n", "2"]])
def test_the_report_of_a_failed_test_has_the_last_lines_of_the_server(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """The command is a server that prints two lines, and nothing listens there."""
    line = f'{{"message":"started","version":"{VERSION}","control":"http://localhost:1"}}'
    program = pytester.makefile(".sh", f"#!/bin/sh\necho '{line}'\necho 'a late line'\nexec cat >/dev/null\n")
    program.chmod(0o700)
    monkeypatch.setenv("POSTERN_COMMAND", shlex.quote(str(program)))
    pytester.makepyfile(
        """
        import time
        from pytest_postern import plugin

        class Own:
            issuer = "http://localhost:1"

            def report(self):
                return "the flow"

        def test_failed(postern_server, request):
            request.node.stash[plugin._used] = Own()
            while "late" not in plugin._share(request.config).read_log():
                time.sleep(0.01)
            assert False, "of the test"
        """
    )
    result = pytester.runpytest_subprocess(*arguments)
    result.assert_outcomes(failed=1)
    result.stdout.re_match_lines(
        [
            r"-+ Postern at http://localhost:1 -+",
            "the flow",
            r"-+ the last lines of Postern -+",
            "a late line",
        ]
    )
    result.stdout.no_fnmatch_line('*"message":"started"*')


def test_a_run_of_pytest_that_needs_no_server_does_not_import_the_kit() -> None:
    program = "import sys, pytest_postern.plugin; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [each for each in ran.stdout.split() if "pytest_postern." in each] == ["pytest_postern.plugin"]


def test_the_workers_of_xdist_share_one_process(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import os
        import pytest

        @pytest.mark.parametrize("number", range(64))
        def test_login(postern, postern_server, number):
            postern.login("bob")
            assert len(postern.requests("token")) == 1
            with open("used", "a") as file:
                file.write(f"{os.environ['PYTEST_XDIST_WORKER']} {postern_server.issuer} {postern.issuer}\\n")
        """
    )
    pytester.runpytest_subprocess("-n", "4").assert_outcomes(passed=64)
    workers, servers, tenants = zip(
        *(line.split() for line in (pytester.path / "used").read_text().splitlines()), strict=True
    )
    assert len(set(workers)) == 4
    assert len(set(servers)) == 1
    assert len(set(tenants)) == 64


class Slow(Shared):
    """Answers when the test says so."""

    def __init__(self, server: Server) -> None:
        super().__init__([])
        self.asked, self.answers = threading.Event(), threading.Event()
        self._found = server

    def get(self) -> Server:
        self.asked.set()
        self.answers.wait()
        return super().get()


def test_the_desk_goes_on_after_a_stray_connection_and_a_worker_that_goes_away(
    postern_server: Server,
) -> None:
    shared = Slow(postern_server)
    host, port, key = address = open_desk(shared)
    # one of these sends nothing, and stays
    with socket.create_connection((host, port)):
        for sent in (b"", b"GET / HTTP/1.1\r\n\r\n", b"none\n", "ö\n".encode()):
            with socket.create_connection((host, port)) as stray:
                stray.sendall(sent)
                stray.shutdown(socket.SHUT_WR)
                assert stray.recv(1) == b"", "without the key there is no answer"
        assert not shared.asked.is_set()
        with socket.create_connection((host, port)) as gone:
            gone.sendall(f"{key}\n".encode())
            assert shared.asked.wait(60)
            # the desk's answer fails, as after the end of a worker that is killed
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        shared.answers.set()
        worker = Shared([], address)
        own, other = worker.get().connection, postern_server.connection
        assert (own.url, own.key, own.certificate) == (other.url, other.key, other.certificate)
        worker.close()
        assert worker.read_log() == postern_server.log


def test_flags_of_the_server_are_settings_of_the_suite(pytester: pytest.Pytester) -> None:
    (pytester.path / "shop.jsonc").write_text(
        '{"clients": [{"client_id": "shop", "redirect_uris": ["http://localhost:3000/callback"]}]}'
    )
    pytester.makeini(f"{SETTINGS}postern_flags = --config shop.jsonc --alg ES256\n")
    pytester.makepyfile(
        """
        def test_login(postern):
            assert [each.client_id for each in postern.list_clients()] == ["shop"]
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_server_that_runs_already_gives_a_tenant_to_each_test(
    pytester: pytest.Pytester, postern_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTERN_URL", postern_server.issuer)
    monkeypatch.setenv("POSTERN_CONTROL_TOKEN", postern_server.connection.key or "")
    pytester.makepyfile(
        f"""
        def test_login(postern):
            assert postern.issuer.startswith("{postern_server.issuer}/login-")
            postern.login("bob")
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    assert [name for name in postern_server.list_tenants() if name.startswith("login-")] == []


def test_the_shared_server_is_for_a_whole_session(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture(scope="module")
        def module_postern(postern_server):
            with postern_server.tenant("of the module") as postern:
                yield postern

        def test_first(module_postern):
            module_postern.add_person("carol")

        def test_second(module_postern):
            module_postern.login("carol")
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=2)


def test_a_server_that_does_not_start_is_tried_once(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = pytester.makefile(".sh", f"#!/bin/sh\necho x >> '{pytester.path}/started'; exit 1")
    started.chmod(0o700)
    monkeypatch.setenv("POSTERN_COMMAND", shlex.quote(str(started)))
    pytester.makepyfile("def test_first(postern): pass\n\n\ndef test_second(postern): pass\n")
    pytester.runpytest_subprocess().assert_outcomes(errors=2)
    assert (pytester.path / "started").read_text() == "x\n"
