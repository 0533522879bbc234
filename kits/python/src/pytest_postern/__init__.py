"""Postern in tests: an OAuth 2.1 and OpenID Connect server that is strict, and wrong on demand.

With pytest, the fixture ``postern`` is a server of its own for each test. Without it, ``start()`` runs one.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._all import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        """Each run of pytest loads the plugin, which is in this package. Most runs need no more of it."""
        from importlib import import_module

        return getattr(import_module("pytest_postern._all"), name)
