/** The test kit registers a client as the client itself would. */

import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

test("register: a registered client logs in, refreshes and ends with a reset", async () => {
  await using as = await createMock();
  for (const token_endpoint_auth_method of ["none", "client_secret_basic", "client_secret_post"]) {
    const { client_id } = await as.register({ client_name: "Notes", token_endpoint_auth_method });
    const tokens = await as.login("alice", { client: client_id });
    assertEquals((await as.refresh(tokens)).token_type, "Bearer");
    assertEquals(as.requests.token.last?.clientId, client_id);
  }
  const { client_id } = await as.register();
  await as.login("alice");
  assertEquals(as.requests.token.last?.clientId, "app");
  as.reset();
  await assertRejects(() => as.login("alice", { client: client_id }), TypeError);
});

test("register: as.requests shows the request, and hides its secrets", async () => {
  await using as = await createMock();
  const { client_id, client_secret, registration_access_token } = await as.register();
  const recorded = as.requests.register.last;
  assertEquals([recorded?.status, recorded?.clientId], [201, client_id]);
  for (const secret of [client_secret!, registration_access_token]) {
    for (const form of ["text", "jsonl", "har", "mermaid"] as const) {
      assertFalse(as.timeline(form).includes(secret), form);
    }
  }
});

test("register: a refusal has the server's reason", async () => {
  await using as = await createMock();
  const error = await assertRejects(() => as.register({ redirect_uris: ["https://app.dev/cb"] }), Error);
  assertEquals(Reflect.get(error, "reason"), "redirect_uri_needs_initial_access_token");
  assert(error.message.startsWith("Cannot register: "), error.message);
  await assertRejects(() => as.register({}, { token: "x" } as never), TypeError, "initialAccessToken");
});

test("register: with an initial access token, the client may do more", async () => {
  await using as = await createMock({ registration: { initialAccessTokens: ["initial-token"] } });
  await assertRejects(() => as.register(), Error, "Cannot register");
  const { client_secret_expires_at, grant_types } = await as.register(
    { grant_types: ["client_credentials"], redirect_uris: [] },
    { initialAccessToken: "initial-token" },
  );
  assertEquals([client_secret_expires_at, grant_types], [0, ["client_credentials"]]);
});

test("register: where registration is off, the error says that the server has no such endpoint", async () => {
  await using as = await createMock({ registration: false });
  await assertRejects(() => as.register(), Error, "This server has no registration endpoint");
});
