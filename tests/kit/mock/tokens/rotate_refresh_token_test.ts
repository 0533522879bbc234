/** The replacement of a refresh token that stays the same when it is used, on purpose (FAPI 2.0 §5.3.2.1-9). */

import { assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { createMock, type Mock, Refused } from "../../../../src/kit/mod.ts";
import { createStartedMock } from "../../../../src/kit/mock/started_mock.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import type { Store } from "../../../../src/server/store/store.ts";
import { test } from "../../../runner.ts";
import { bearerClients } from "../../../server/tokens/bearer.ts";

const redirect_uris = ["https://app.example/cb"];
const withoutRotation = { clients: bearerClients.slice(2), rotateRefreshTokens: false };

test("rotateRefreshToken: the old token can be sent again until the new one is used (FAPI 2.0 §5.3.2.1-9)", async () => {
  await using as = await createMock(withoutRotation);
  const first = await as.login("alice", { client: "basic" });
  await as.rotateRefreshToken(first);
  const second = await as.refresh(first);
  assertNotEquals(second.refresh_token, first.refresh_token);
  // The client may have lost the response.
  assertEquals((await as.refresh(first)).refresh_token, second.refresh_token);
  // A new token waits for the client already, so there is nothing to replace.
  await as.rotateRefreshToken(first);
  assertEquals((await as.refresh(first)).refresh_token, second.refresh_token);
  const third = await as.refresh(second);
  assertEquals(third.refresh_token, second.refresh_token);
  const late = await as.refresh(first).then(() => undefined, (error: Error) => error);
  assertMatch(`${late}`, /refresh_replaced/);
  // An old token is no sign of theft here, so the grant goes on.
  assertEquals((await as.refresh(third)).refresh_token, second.refresh_token);
});

test("rotateRefreshToken: after a second replacement, only the token before the new one can be sent again (FAPI 2.0 §5.3.2.1-9)", async () => {
  await using as = await createMock({
    clients: [{ client_id: "app", client_secret: "secret", redirect_uris, rotate_refresh_tokens: false }],
  });
  const replace = async (tokens: { readonly refresh_token?: string }) => {
    await as.rotateRefreshToken(tokens);
    return await as.refresh(tokens);
  };
  const first = await as.login("alice");
  const second = await replace(first);
  const third = await replace(second);
  assertEquals(new Set([first, second, third].map((each) => each.refresh_token)).size, 3);
  await assertRejects(() => as.refresh(first), Error, "invalid_grant");
  const { reason, received } = as.requests.at(-1)!.refusal!;
  assertEquals([reason, received], ["refresh_replaced", "number 1, before 3"]);
  assertEquals((await as.refresh(second)).refresh_token, third.refresh_token);
});

test("rotateRefreshToken: the old token can be sent again although the unused new one is to be replaced, too (FAPI 2.0 §5.3.2.1-9)", async () => {
  await using as = await createMock(withoutRotation);
  const first = await as.login("alice", { client: "basic" });
  await as.rotateRefreshToken(first);
  const second = await as.refresh(first);
  await as.rotateRefreshToken(second);
  assertEquals((await as.refresh(first)).refresh_token, second.refresh_token);
  assertEquals((await as.refresh(first)).refresh_token, second.refresh_token);
  const third = await as.refresh(second);
  assertNotEquals(third.refresh_token, second.refresh_token);
  await assertReplaced(as, first);
  assertEquals((await as.refresh(second)).refresh_token, third.refresh_token);
  assertEquals((await as.refresh(third)).refresh_token, third.refresh_token);
  await assertReplaced(as, second);
});

/** The server refuses the token, and the test kit does not take it for the current one. */
async function assertReplaced(as: Mock, tokens: { readonly refresh_token?: string }): Promise<void> {
  assertEquals((await assertRejects(() => as.refresh(tokens), Refused)).reason, "refresh_replaced");
  await assertRejects(() => as.rotateRefreshToken(tokens), TypeError, "a newer one has replaced it");
}

test("rotateRefreshToken: sending the old token again is a use, from which the idle lifetime counts (OAuth 2.1 §4.3.3)", async () => {
  await using as = await createMock({ ...withoutRotation, lifetimes: { refreshIdle: 100 } });
  const first = await as.login("alice", { client: "basic" });
  await as.rotateRefreshToken(first);
  // The client loses this response.
  await as.refresh(first);
  as.clock.advance(90);
  const second = await as.refresh(first);
  as.clock.advance(90);
  assertEquals((await as.refresh(second)).refresh_token, second.refresh_token);
  await assertReplaced(as, first);
});

test("rotateRefreshToken: a write that another request has overtaken is repeated (FAPI 2.0 §5.3.2.1-9)", async () => {
  const memory = memoryStore();
  let isOvertaken = false;
  const put: Store["put"] = (kind, id, value, terms) => {
    const isLost = isOvertaken;
    isOvertaken = false;
    return isLost ? Promise.resolve(undefined) : memory.put(kind, id, value, terms);
  };
  await using as = (await createStartedMock(withoutRotation, { store: { ...memory, put } })).mock;
  const first = await as.login("alice", { client: "basic" });
  isOvertaken = true;
  await as.rotateRefreshToken(first);
  assertEquals(isOvertaken, false);
  assertNotEquals((await as.refresh(first)).refresh_token, first.refresh_token);
});

test("rotateRefreshToken: names what is not a valid refresh token", async () => {
  await using as = await createMock(withoutRotation);
  const tokens = await as.login("alice", { client: "basic" });
  const wrong = await as.rotateRefreshToken(tokens.access_token).then(
    () => undefined,
    (error: Error) => error,
  );
  assertMatch(`${wrong}`, /Cannot rotate the refresh token: expected a refresh token of this server/);
});
