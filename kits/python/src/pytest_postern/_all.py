"""What programs import from ``pytest_postern``."""

from . import _types_generated as types
from ._async_generated import AsyncBlock, AsyncClockOf, AsyncGateBlock, AsyncMisbehaviourBlock
from ._errors import MisbehaviourError, PosternError, RefusedError, StartError, WaitError, WrongCallError
from ._http import Connection
from ._json import NOT_GIVEN
from ._postern import AsyncPostern, AsyncServer, Postern, Server, start
from ._sync import Block, ClockOf, GateBlock, MisbehaviourBlock
from ._types_generated import VERSION as __version__

__all__ = [
    "NOT_GIVEN",
    "AsyncBlock",
    "AsyncClockOf",
    "AsyncGateBlock",
    "AsyncMisbehaviourBlock",
    "AsyncPostern",
    "AsyncServer",
    "Block",
    "ClockOf",
    "Connection",
    "GateBlock",
    "MisbehaviourBlock",
    "MisbehaviourError",
    "Postern",
    "PosternError",
    "RefusedError",
    "Server",
    "StartError",
    "WaitError",
    "WrongCallError",
    "__version__",
    "start",
    "types",
]
