"""The plugin of pytest: the fixtures ``postern`` and ``postern_server``, and the report of a failed test.

Each run of pytest loads it, so it imports the kit when a test first needs it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ._desk import Shared
    from ._postern import Postern, Server

_used = pytest.StashKey["Postern"]()
_shared = pytest.StashKey["Shared"]()
_desk = pytest.StashKey[list[Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("postern_flags", "Flags of `postern start` for the server of the tests", "args", [])


def _share(config: pytest.Config) -> Shared:
    from ._desk import Shared

    if _shared not in config.stash:
        desk = getattr(config, "workerinput", {}).get("postern")
        config.stash[_shared] = Shared(config.getini("postern_flags"), desk)
        config.add_cleanup(config.stash[_shared].close)
    return config.stash[_shared]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Of pytest-xdist: hands each worker the address of the desk."""
    from ._desk import open_desk

    if _desk not in node.config.stash:
        node.config.stash[_desk] = open_desk(_share(node.config))
    node.workerinput["postern"] = node.config.stash[_desk]


@pytest.fixture(scope="session")
def postern_server(request: pytest.FixtureRequest) -> Server:
    """The process that the tests of a session share."""
    return _share(request.config).get()


@pytest.fixture
def postern(request: pytest.FixtureRequest, postern_server: Server) -> Iterator[Postern]:
    """An authorization server for this test alone: ``postern.issuer``, ``postern.login("bob")``."""
    with postern_server.tenant(request.node.name) as own:
        request.node.stash[_used] = own
        yield own


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    own = item.stash.get(_used, None)
    # A login is often in a fixture. After the test, its server is gone.
    if own is not None and report.when != "teardown" and report.failed:
        report.sections.append((f"Postern at {own.issuer}", own.report()))
        if log := _share(item.config).read_log():
            report.sections.append(("the last lines of Postern", log))
    return report
