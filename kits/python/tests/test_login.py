"""Clients of other people sign in, refresh, and meet a server that is wrong."""

import asyncio
import copy
import math
import pickle
import threading
import unittest
import warnings
from datetime import datetime, timedelta, timezone
from typing import Any, ClassVar

import httpx
import pytest
from authlib.common.errors import AuthlibBaseError as OAuthError
from authlib.common.security import generate_token
from authlib.integrations.httpx_client import AsyncOAuth2Client, OAuth2Client
from shop import CALLBACK, sign_in

from pytest_postern import (
    MisbehaviourError,
    Postern,
    PosternError,
    RefusedError,
    Server,
    WaitError,
    WrongCallError,
)


def test_a_person_signs_in_to_an_application_of_authlib(postern: Postern) -> None:
    tokens = sign_in(postern)
    assert tokens["userinfo"]["sub"] == "bob"
    assert tokens["userinfo"]["iss"] == postern.issuer
    assert [each.grant_type for each in postern.requests("token")] == ["authorization_code"]


def test_an_unknown_person_is_refused_with_the_known_ones(postern: Postern) -> None:
    with pytest.raises(RefusedError, match='There is no person "carol": known are alice, bob') as refused:
        postern.login("carol")
    assert refused.value.error == "invalid_request"
    assert refused.value.place == "username"
    assert refused.value.expected == "must be one of alice, bob"
    assert refused.value.reason is None
    postern.add_person("carol", claims={"name": "Carol Clark"})
    postern.login("carol", scope="openid profile")
    assert [each.username for each in postern.list_people()] == ["alice", "bob", "carol"]


def test_a_refusal_of_the_server_has_its_reason(postern: Postern) -> None:
    with pytest.raises(RefusedError) as refused:
        postern.login("bob", params={"code_challenge_method": "plain"})
    assert (refused.value.status, refused.value.reason) == (422, "challenge_method_unsupported")
    assert refused.value.refusal is not None
    assert refused.value.refusal.error == "invalid_request"


def create_client(postern: Postern) -> OAuth2Client:
    return OAuth2Client(
        client_id="shop",
        scope="openid orders",
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        token_endpoint=f"{postern.issuer}/oauth2/token",
        token_endpoint_auth_method="none",
    )


def log_in(postern: Postern, client: OAuth2Client) -> dict[str, Any]:
    verifier = generate_token(48)
    url, state = client.create_authorization_url(f"{postern.issuer}/oauth2/authorize", code_verifier=verifier)
    callback = postern.authorize(url, username="bob")
    tokens: dict[str, Any] = client.fetch_token(
        authorization_response=callback.url, code_verifier=verifier, state=state
    )
    return tokens


def test_a_client_refreshes_when_its_token_has_expired(postern: Postern) -> None:
    with create_client(postern) as client:
        before = log_in(postern, client)
        userinfo = httpx.get(
            f"{postern.issuer}/userinfo", headers={"Authorization": f"Bearer {before['access_token']}"}
        )
        assert userinfo.status_code == 200
        postern.clock.advance(hours=2)
        after = client.refresh_token(refresh_token=before["refresh_token"])
    assert after["access_token"] != before["access_token"]
    assert [each.grant_type for each in postern.requests("token")] == ["authorization_code", "refresh_token"]


def test_the_answer_to_a_refresh_is_lost(postern: Postern) -> None:
    with create_client(postern) as client:
        tokens = log_in(postern, client)
        with postern.gate("token", "drop", count=1), pytest.raises(httpx.TransportError):
            client.refresh_token(refresh_token=tokens["refresh_token"])
    last = postern.requests("token")[-1]
    assert (last.grant_type, last.lost) == ("refresh_token", True)


def test_a_held_request_waits_for_the_test(postern: Postern) -> None:
    answers: list[int] = []

    def ask() -> None:
        answers.append(httpx.get(f"{postern.issuer}/oauth2/jwks").status_code)

    with postern.gate("jwks", "hold") as gate:
        asking = threading.Thread(target=ask)
        asking.start()
        assert gate.wait().waiting == 1
        assert answers == []
        gate.release()
        asking.join()
    assert answers == [200]


def test_a_gate_says_how_many_requests_came(postern: Postern) -> None:
    with (
        postern.gate("jwks", "hold") as gate,
        pytest.raises(WaitError, match="0 of 2 requests came to jwks within 0 s"),
    ):
        gate.wait(2, seconds=0)


def test_a_device_signs_in(postern: Postern) -> None:
    asked = httpx.post(
        f"{postern.issuer}/oauth2/device_authorization", data={"client_id": "tv", "scope": "openid"}
    ).json()
    postern.approve_device(asked["user_code"], username="bob")
    tokens = httpx.post(
        f"{postern.issuer}/oauth2/token",
        data={
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": asked["device_code"],
            "client_id": "tv",
        },
    ).json()
    assert tokens["token_type"] == "Bearer"


def test_authlib_notices_another_audience(postern: Postern) -> None:
    with postern.misbehave("id_token.aud_wrong", client="shop") as wrong:
        sign_in(postern)
    assert wrong.verdict.outcome == "noticed"
    assert sign_in(postern)["userinfo"]["sub"] == "bob", "Postern is right after the block"


def test_a_client_that_checks_nothing_fails_its_test(postern: Postern) -> None:
    with (
        pytest.raises(MisbehaviourError, match="id_token.aud_wrong: fooled: ") as fooled,
        postern.misbehave("id_token.aud_wrong"),
        create_client(postern) as client,
    ):
        log_in(postern, client)
    assert fooled.value.verdict.outcome == "fooled"
    assert fooled.value.verdict.requests[0].endpoint == "token"
    assert "/oauth2/token: 200" in str(fooled.value)


@pytest.mark.parametrize(
    "error", [StopIteration(), ValueError("not enough values to unpack (expected 2, got 1)"), KeyError("sub")]
)
def test_a_mistake_in_the_client_is_no_refusal(postern: Postern, error: Exception) -> None:
    def sign_in_and_fail(client: OAuth2Client) -> None:
        log_in(postern, client)
        raise error

    with create_client(postern) as client, pytest.raises(MisbehaviourError) as failed:  # noqa: SIM117
        with postern.misbehave("id_token.aud_wrong"):
            sign_in_and_fail(client)
    assert failed.value.verdict.outcome == "crashed"


def test_an_application_that_shows_an_error_says_that_it_has_refused(postern: Postern) -> None:
    with postern.misbehave("id_token.aud_wrong", client="shop") as wrong:
        with pytest.raises(OAuthError, match="azp"):
            sign_in(postern)
        wrong.refused("the page says that the login failed")
    assert wrong.verdict.outcome == "noticed"


def test_a_mistake_in_the_client_after_its_refusal_is_a_mistake(postern: Postern) -> None:
    def refuse_and_fail(client: OAuth2Client) -> None:
        log_in(postern, client)
        wrong.refused()
        raise KeyError("sub")

    with create_client(postern) as client, pytest.raises(MisbehaviourError, match="crashed"):  # noqa: SIM117
        with postern.misbehave("id_token.aud_wrong") as wrong:
            refuse_and_fail(client)


def test_a_failed_assertion_is_no_refusal(postern: Postern) -> None:
    with (
        pytest.raises(AssertionError, match="^of the test"),
        postern.misbehave("id_token.aud_wrong"),
    ):
        raise AssertionError("of the test")
    assert postern.list_misbehaviours() == []


def test_a_failed_assertion_in_a_group_of_exceptions_is_no_refusal(postern: Postern) -> None:
    class Group(Exception):
        """As ExceptionGroup of Python 3.11, which asyncio.TaskGroup raises."""

        exceptions: ClassVar = [ValueError("of the client"), AssertionError("of the test")]

    with pytest.raises(Group), postern.misbehave("id_token.aud_wrong"):
        raise Group
    assert postern.list_misbehaviours() == []


def test_a_wrong_call_of_the_test_is_no_refusal(postern: Postern) -> None:
    with pytest.raises(RefusedError, match="no person"), postern.misbehave("id_token.aud_wrong") as wrong:
        postern.login("carol")
    assert postern.list_misbehaviours() == []
    assert not hasattr(wrong, "verdict")


@pytest.mark.parametrize(
    "error",
    [
        PosternError("of the kit"),
        ModuleNotFoundError("No module named 'shop'"),
        unittest.SkipTest("not here"),
        DeprecationWarning("with -W error"),
    ],
)
async def test_an_error_that_is_none_of_the_client_leaves_the_block(
    postern: Postern, error: Exception
) -> None:
    with pytest.raises(type(error)) as left, postern.misbehave("id_token.aud_wrong"):
        raise error
    assert left.value is error
    assert postern.list_misbehaviours() == []
    with pytest.raises(type(error)) as left:
        async with postern.aio.misbehave("id_token.aud_wrong"):
            raise error
    assert left.value is error
    assert postern.list_misbehaviours() == []


async def test_a_refusal_that_cannot_be_judged_ends_the_misbehaviour(postern: Postern) -> None:
    # more than the server reads: it refuses this, or closes the connection before all of it is sent
    too_long = ValueError("x" * 1_000_000)
    with pytest.raises(PosternError), postern.misbehave("id_token.aud_wrong"):
        raise too_long
    assert postern.list_misbehaviours() == []
    with pytest.raises(PosternError):
        async with postern.aio.misbehave("id_token.aud_wrong"):
            raise too_long
    assert postern.list_misbehaviours() == []


async def test_a_reset_in_the_block_ends_the_misbehaviour_without_a_verdict(postern: Postern) -> None:
    with postern.misbehave("id_token.aud_wrong") as wrong:
        postern.reset()
    assert not hasattr(wrong, "verdict")
    async with postern.aio.misbehave("id_token.aud_wrong"):
        await postern.aio.reset()

    def fail() -> None:
        postern.reset()
        raise ValueError("after the reset")

    with pytest.raises(ValueError, match="after the reset"), postern.misbehave("id_token.aud_wrong"):
        fail()


def test_an_unexpected_exception_is_no_refusal(postern: Postern) -> None:
    with pytest.raises(KeyError), postern.misbehave("id_token.aud_wrong", raises=httpx.HTTPError):
        raise KeyError("a mistake of the client")
    assert postern.list_misbehaviours() == []


def test_a_misbehaviour_that_the_client_never_met_fails_the_test(postern: Postern) -> None:
    with pytest.raises(MisbehaviourError, match="not_reached"), postern.misbehave("id_token.aud_wrong"):
        pass


def test_a_misspelt_misbehaviour_is_refused_with_the_right_name(postern: Postern) -> None:
    suggestion = r"Did you mean id_token\.aud_wrong\?$"
    with pytest.raises(RefusedError, match=suggestion):
        postern.misbehave("id_token.aud_wrnog").__enter__()  # type: ignore[arg-type]


def test_a_hook_changes_the_claims_of_an_id_token(postern: Postern) -> None:
    with postern.hook("id_token", {"role": "admin", "sid": None}, username="bob") as hook:
        claims = postern.login("bob", scope="openid").claims
        assert postern.list_hooks()[0].used == 1
    assert hook.active.patch == {"role": "admin", "sid": None}
    assert claims is not None
    assert claims["role"] == "admin"
    assert "sid" not in claims
    assert postern.list_hooks() == []


def test_a_block_ends_although_a_reset_has_removed_its_gate(postern: Postern) -> None:
    with postern.gate("token", "hold"):
        postern.reset()
    assert postern.list_gates() == []


def test_postern_looks_like_a_provider_in_a_block(postern: Postern) -> None:
    with postern.look_like("github") as look:
        assert look.active.name == "github"
        assert [each.name for each in postern.list_look_alikes()] == ["github"]
    assert postern.list_look_alikes() == []


async def test_the_same_with_asyncio(postern: Postern) -> None:
    server = postern.aio
    async with AsyncOAuth2Client(
        client_id="shop",
        redirect_uri=CALLBACK,
        scope="openid",
        code_challenge_method="S256",
        token_endpoint_auth_method="none",
    ) as client:
        verifier = generate_token(48)
        url, _ = client.create_authorization_url(f"{server.issuer}/oauth2/authorize", code_verifier=verifier)
        callback = await server.authorize(url, username="bob")
        tokens = await client.fetch_token(
            f"{server.issuer}/oauth2/token", authorization_response=callback.url, code_verifier=verifier
        )
    assert tokens["scope"] == "openid"
    before = await server.clock.now()
    assert (await server.clock.advance(days=1) - before).days == 1
    async with server.misbehave("id_token.aud_wrong") as wrong:
        await server.login("bob", scope="openid")
        wrong.refused()
    assert wrong.verdict.outcome == "noticed"
    with pytest.raises(MisbehaviourError, match="fooled|not_reached|unknown"):
        async with server.misbehave("id_token.aud_wrong"):
            await server.login("bob", scope="openid")
    async with server.gate("jwks", "fail", status=503, count=1), httpx.AsyncClient() as browser:
        assert (await browser.get(f"{server.issuer}/oauth2/jwks")).status_code == 503
    with pytest.raises(RefusedError, match="no person"):
        await server.login("carol")
    assert (await server.requests("token"))[0].grant_type == "authorization_code"
    assert "/oauth2/token" in await server.timeline()


def test_the_clock_takes_times_with_a_time_zone_and_durations_of_python(postern: Postern) -> None:
    then = datetime(2040, 1, 1, tzinfo=timezone.utc)
    assert postern.clock.freeze(then) == then
    assert postern.clock.advance(timedelta(days=2, hours=1)) == datetime(2040, 1, 3, 1, tzinfo=timezone.utc)
    assert postern.clock.set("2041-01-01T00:00:00Z").year == 2041
    with pytest.raises(ValueError, match="has no time zone"):
        postern.clock.set(datetime(2042, 1, 1))
    with pytest.raises(WrongCallError, match="give one duration"):
        postern.clock.advance()
    with pytest.raises(WrongCallError, match="give one duration"):
        postern.clock.advance("2h", hours=2)
    with pytest.raises(TypeError, match="unexpected keyword argument 'hour'"):
        postern.clock.advance(hour=2)  # type: ignore[call-arg]
    for number in (math.nan, math.inf):
        with pytest.raises(WrongCallError, match="JSON cannot have what is given"):
            postern.clock.advance(number)
    postern.clock.freeze(then)
    postern.clock.skew(timedelta(seconds=-90))
    assert postern.show_clock().server_now == then.timestamp() - 90
    postern.clock.skew(0)
    assert postern.show_clock().server_now == then.timestamp()


def test_a_single_token_and_a_flag_in_a_query_are_sent_as_postern_reads_them(postern: Postern) -> None:
    token = postern.login("bob").access_token
    postern.revoke({"token": token})
    assert postern.requests("revoke")[0].status == 200
    assert postern.requests("token")[0].raw is None
    raw = postern.requests("token", raw=True)[0].raw
    assert raw is not None
    assert raw.response.status == 200


NAMES = ["a%2fb", "https://shop.example/app?x=1#y", "my client", "a/../b", "50%", "\r\nHost: evil", "..."]


@pytest.mark.parametrize("name", [*NAMES, "zoë"])
async def test_a_person_of_any_name_is_removed_and_no_other(postern: Postern, name: str) -> None:
    others = [each.username for each in postern.list_people()]
    for username in (name, "a/b", "people"):
        postern.add_person(username, sub=f"of {len(postern.list_people())}")
    postern.change_person(name, disabled=True)
    postern.remove_person(name)
    assert [each.username for each in postern.list_people()] == [*others, "a/b", "people"]
    await postern.aio.add_person(name, sub="again")
    await postern.aio.remove_person(name)
    assert [each.username for each in postern.list_people()] == [*others, "a/b", "people"]


@pytest.mark.parametrize("name", ["..", ".", ""])
async def test_a_name_that_no_path_can_have_is_refused(postern: Postern, name: str) -> None:
    with pytest.raises(WrongCallError, match="is no name"):
        postern.remove_person(name)
    with pytest.raises(WrongCallError, match="is no name"):
        await postern.aio.remove_client(name)
    with pytest.raises(RefusedError, match=r"\.\.|empty"):
        postern.add_person(name)
    with pytest.raises(RefusedError, match="There is no call at this path, which ends with /"):
        postern.send("DELETE", "/people/..")
    assert postern.login("bob").access_token


def test_an_error_of_the_kit_can_be_copied_and_sent_to_another_process(postern: Postern) -> None:
    with pytest.raises(RefusedError) as refused:
        postern.login("bob", params={"code_challenge_method": "plain"})
    for copied in (copy.copy(refused.value), pickle.loads(pickle.dumps(refused.value))):
        assert str(copied) == str(refused.value)
        assert (copied.reason, copied.status) == ("challenge_method_unsupported", 422)
    with pytest.raises(MisbehaviourError) as fooled, postern.misbehave("id_token.aud_wrong"):
        pass
    copied = pickle.loads(pickle.dumps(fooled.value))
    assert (str(copied), copied.verdict) == (str(fooled.value), fooled.value.verdict)


def test_a_message_says_a_thing_once_and_in_the_spelling_of_python(postern: Postern) -> None:
    with pytest.raises(RefusedError) as refused:
        postern.add_person("")
    assert str(refused.value).count("must not be empty") == 1
    assert refused.value.expected == "must not be empty"
    with pytest.raises(RefusedError, match='^retry_after is for the kind "fail"') as refused:
        postern.create_gate("token", "hold", retry_after=3)
    assert refused.value.place == "retry_after"
    with pytest.raises(RefusedError, match=r"^wait must|\bwait\b") as refused:
        postern.requests(wait=-1)
    assert refused.value.place == "wait"


def test_a_block_without_with_says_so(postern: Postern) -> None:
    with pytest.warns(RuntimeWarning, match="/gates was never on: its block needs `with`"):
        postern.gate("token", "drop")
    assert postern.list_gates() == []
    gate = postern.gate("token", "drop")
    with pytest.raises(WrongCallError, match="enter the block first"):
        gate.release()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with gate:
            assert gate.id == postern.list_gates()[0].id
        del gate


async def test_a_closed_server_refuses_calls_and_stays_closed(postern_server: Server) -> None:
    with postern_server.tenant("closed") as postern:
        shown = postern.issuer
        assert repr(postern) == f"<Postern {shown}>"
        aio = postern.aio
        postern.close()
        with pytest.raises(WrongCallError, match=f"^{shown} is closed$"):
            postern.login("bob")
        with pytest.raises(WrongCallError, match="is closed"):
            await aio.login("bob")
        assert "is closed" in postern.report()
    assert postern.name not in postern_server.list_tenants()
    assert postern_server.connection.key is not None
    assert postern_server.connection.key not in repr(postern_server.connection)


async def test_calls_that_wait_keep_no_other_call_of_asyncio(postern: Postern) -> None:
    async with postern.aio.gate("jwks", "hold") as gate:
        waiting = [asyncio.create_task(gate.wait(1, seconds=30)) for _ in range(40)]
        await asyncio.sleep(0)
        await postern.aio.login("bob")
        async with httpx.AsyncClient() as browser:
            asking = asyncio.create_task(browser.get(f"{postern.issuer}/oauth2/jwks"))
            assert {(await each).arrived for each in waiting} == {True}
            await gate.release()
            assert (await asking).status_code == 200
