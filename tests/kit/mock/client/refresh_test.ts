/** What a client does with its tokens: refresh, revoke and endSession. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import type { TokenEndpointResponse } from "openid-client";
import {
  createTokenRecipients,
  type TokenRecipient,
} from "../../../../src/kit/mock/client/token_recipients.ts";
import { createMock, type MockOptions, Refused, type Tokens } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const quick: MockOptions = { alg: "ES256" };

const it = testUsing(() => createMock(quick));

it("refresh: finds the client of a copy of the tokens or of one token, and uses its current secret", async (as) => {
  const tokens = await as.login("alice", { client: "app-confidential" });
  as.clients.change("app-confidential", { client_secret: "another-secret" });
  const { refresh_token: second } = await as.refresh({ ...tokens });
  const third = await as.refresh({ refresh_token: second! });
  const fourth = await as.refresh(third.refresh_token!);
  assertEquals(decodeJwt(fourth.access_token)["client_id"], "app-confidential");
  const unknown = { refresh_token: "unknown" };
  await assertRejects(() => as.refresh(unknown), TypeError, "does not know the token");
});

it("refresh: the client that the test names sends the token, although another client has it", async (as) => {
  const tokens = await as.login("alice", { client: "app" });
  await assertRejects(() => as.refresh(tokens, { client: "app-confidential" }), Refused, "invalid_grant");
  assertEquals(as.requests.last!.clientId, "app-confidential");
});

it("refresh and revoke: a value without a token is refused, and the error never shows its text", async (as) => {
  const pending = as.login("alice") as unknown as Tokens;
  const wrong = [[undefined, "undefined"], [null, "null"], [7, "a number"], [
    pending,
    "a promise: await it first",
  ]];
  for (const [tokens, came] of wrong) {
    const expected = "or a token response with one, but got";
    const refreshing = () => as.refresh(tokens as Tokens);
    await assertRejects(
      refreshing,
      TypeError,
      `Cannot refresh: expected a refresh token, ${expected} ${came}`,
    );
    const revoking = () => as.revoke(tokens as Tokens);
    await assertRejects(revoking, TypeError, `Cannot revoke: expected a token, ${expected} ${came}`);
  }
  await pending;
  const neither = "but the response has neither refresh_token nor access_token";
  await assertRejects(() => as.revoke({}), TypeError, neither);
  const { message } = await assertRejects(() => as.revoke("canary"), TypeError);
  assertEquals([message.includes("does not know the token"), message.includes("canary")], [true, false]);
});

it("revoke: the tokens are invalid afterwards", async (as) => {
  const tokens = await as.login("alice");
  const other = await as.login("alice");
  await as.revoke(tokens);
  await assertRejects(() => as.refresh(tokens), Refused);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assertEquals((await as.fetch("https://as.test/userinfo", { headers })).status, 401);
  await as.revoke(other.access_token);
  assert((await as.refresh(other)).access_token);
});

it("revoke: of a token that another program got, its client authenticates with the configured secret", async (as) => {
  const headers = { authorization: `Basic ${btoa("app-confidential:app-secret")}` };
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  const got = await (await as.fetch("https://as.test/oauth2/token", { method: "POST", headers, body }))
    .json();
  await as.revoke(got.access_token);
  const { status, clientId, endpoint } = as.requests.last!;
  assertEquals([endpoint, status, clientId], ["revoke", 200, "app-confidential"]);
});

it("revoke and endSession: an answer that is no success is an error", async (as) => {
  const tokens = await as.login("alice");
  as.fail("revoke");
  await assertRejects(() => as.revoke(tokens), Refused);
  as.fail("logout");
  await assertRejects(() => as.endSession(tokens), Refused);
});

for (const scope of ["openid", "orders"]) {
  it(`endSession: signs the person out, and the tokens of the session with ${scope} end`, async (as) => {
    const browser = as.browser();
    const tokens = await as.login("alice", { browser, scope });
    await as.endSession(tokens);
    await assertRejects(() => as.refresh(tokens), Refused);
    await assertRejects(() => as.login("alice", { browser, prompt: "none" }), Refused, "login_required");
  });
}

it("endSession: finds the browser of a copy of the tokens, of one token, and of refreshed tokens", async (as) => {
  for (const name of ["copy", "access_token", "refresh_token", "id_token", "refreshed", "named"] as const) {
    const browser = as.browser();
    const tokens = await as.login("alice", { browser });
    const given = name === "copy"
      ? { ...tokens }
      : name === "refreshed" || name === "named"
      ? { ...await as.refresh(tokens, name === "named" ? { client: "app" } : {}) }
      : { [name]: tokens[name] };
    await as.endSession(given as Tokens);
    const silently = () => as.login("alice", { browser, prompt: "none" });
    assertEquals([name, (await assertRejects(silently, Refused) as Refused).error], [name, "login_required"]);
  }
});

it("endSession: tokens without a known browser are refused, unless the test names the browser", async (as) => {
  const browser = as.browser();
  await as.login("alice", { browser });
  const foreign: TokenEndpointResponse = { access_token: "foreign", token_type: "bearer" };
  const notKnown = "These tokens did not come from login(), so their browser is not known: give { browser }";
  await assertRejects(() => as.endSession(foreign), TypeError, notKnown);
  const text = "text" as unknown as object;
  await assertRejects(() => as.endSession(text, {}), TypeError, "but got a string");
  assert((await as.login("alice", { browser, prompt: "none" })).access_token);
  await as.endSession(foreign, { browser });
  await assertRejects(() => as.login("alice", { browser, prompt: "none" }), Refused, "login_required");
});

it("endSession: the browser that the test names comes before that of the tokens", async (as) => {
  const [own, other] = [as.browser(), as.browser()];
  const tokens = await as.login("alice", { browser: own });
  await as.login("alice", { browser: other });
  await as.endSession(tokens, { browser: other });
  await assertRejects(() => as.login("alice", { browser: other, prompt: "none" }), Refused, "login_required");
  assert((await as.login("alice", { browser: own, prompt: "none" })).access_token);
});

it("endSession: a refusal of the confirmation is an error, too", async (as) => {
  const tokens = await as.login("alice");
  as.on(
    "response",
    (answer, { request }) => request.method === "POST" ? { ...answer, status: 500 } : answer,
    { endpoint: "logout" },
  );
  await assertRejects(() => as.endSession({ ...tokens, id_token: undefined }), Error, "status 500");
});

test("recipients: the last ten thousand token texts are remembered, and token responses as long as they exist", () => {
  const recipients = createTokenRecipients();
  const recipientNamed = (id: string): TokenRecipient => ({ client: { client_id: id } });
  const first = { access_token: "first" };
  recipients.set(first, recipientNamed("first"));
  recipients.set({ access_token: "again" }, recipientNamed("again"));
  for (let n = 0; n < 9_998; n++) recipients.set({ access_token: `${n}` }, recipientNamed("other"));
  const known = (tokens: Parameters<typeof recipients.get>[0]) => recipients.get(tokens)?.client.client_id;
  assertEquals([known("first"), known("again")], ["first", "again"]);
  recipients.set({ refresh_token: "again" }, recipientNamed("anew"));
  for (const id_token of ["later", "last"]) recipients.set({ id_token }, recipientNamed("last"));
  assertEquals([known("first"), known({ ...first }), known(first)], [undefined, undefined, "first"]);
  assertEquals([known("again"), known("0"), known("1")], ["anew", undefined, "other"]);
  assertEquals(known({ id_token: "last" }), "last");
  // A hook may give all clients the same access token.
  const tokensOf = (refresh_token: string) => ({ refresh_token, access_token: "same" });
  for (const id of ["one", "other"]) recipients.set(tokensOf(id), recipientNamed(id));
  assertEquals(known(tokensOf("one")), "one");
});
