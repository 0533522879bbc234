/** The registered scope: a limit with an initial access token or a software statement, and none without (RFC 7591 §2). */

import { assertEquals } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import type { World } from "../../world.ts";
import {
  assertRefused,
  createRegistrationWorld,
  initialToken,
  nativeUri,
  register,
  registered,
  type Registration,
  send,
  testInRegistration as it,
} from "./registration.ts";

const scopes = { orders: "See your orders", refunds: "Refund your orders" };
const everyScope = "offline_access openid profile email address phone orders refunds";
const half: ServerOptions = { registration: { initialAccessTokens: [initialToken], open: true } };

/** Requests the scope. Returns the reason of the refusal, or the granted scope. */
async function request(world: World, { client_id }: Registration, scope?: string): Promise<string> {
  await world.authorize({ client_id, redirect_uri: nativeUri, scope });
  const { refusal, scope: granted } = world.journal.at(-1)!.facts;
  return refusal?.reason ?? granted!.join(" ");
}

async function update(world: World, client: Registration, scope: string): Promise<Registration> {
  const { client_id, registration_client_uri: uri, registration_access_token: token } = client;
  const body = { client_id, redirect_uris: [nativeUri], scope };
  const answer = await send(world, "PUT", uri, { token, body });
  assertEquals(answer.status, 200);
  return answer.body as Registration;
}

it("registration: an open client requests more than it registered, and the response says so (RFC 7591 §3.2.1)", async (world) => {
  const client = await registered(world, { scope: "read" });
  assertEquals("scope" in client, false);
  assertEquals(await request(world, client, "read"), "read");
  assertEquals(await request(world, client, "read write"), "read write");
});

test("registration: with configured scopes, an open client is registered for all of them (RFC 7591 §3.2.1)", async () => {
  const world = createRegistrationWorld({ scopes });
  for (const metadata of [{ scope: "orders" }, {}]) {
    const client = await registered(world, metadata);
    assertEquals(client["scope"], everyScope);
    const { registration_client_uri: uri, registration_access_token: token } = client;
    assertEquals((await send(world, "GET", uri, { token })).body["scope"], everyScope);
    assertEquals(await request(world, client, "orders refunds"), "orders refunds");
    assertEquals(await request(world, client, "admin"), "scope_unknown");
  }
});

test("registration: an open client gets the default scope if it requests none, as at first use", async () => {
  const world = createRegistrationWorld({ scopes, defaultScope: "orders" });
  assertEquals(await request(world, await registered(world, { scope: "refunds" })), "orders");
});

test("registration: a scope that the server does not have is removed, or refused if no other is left", async () => {
  const world = createRegistrationWorld({ scopes, ...half });
  assertEquals((await registered(world, { scope: "orders admin" }, initialToken))["scope"], "orders");
  for (const terms of [{}, { token: initialToken }]) {
    const answer = await register(world, { redirect_uris: [nativeUri], scope: "admin" }, terms);
    assertRefused(world, answer, "400 invalid_client_metadata metadata_invalid");
    assertEquals(answer.body["error_description"], `scope must name a scope of this server: ${everyScope}`);
  }
});

const spacedScopes = [
  [" offline_access", "offline_access"],
  ["orders  refunds ", "orders refunds"],
  ["", undefined],
  ["  ", undefined],
] as const;

for (const [scope, trimmed] of spacedScopes) {
  test(`registration: the scope ${JSON.stringify(scope)} is trimmed, with an advice (RFC 6749 appendix A.4)`, async () => {
    const world = createRegistrationWorld(half);
    const client = await registered(world, { scope }, initialToken);
    const adviceOf = () => world.journal.at(-1)?.facts.advice;
    assertEquals([client["scope"], adviceOf()?.reason], [trimmed, "scope_trimmed"]);
    assertEquals((await update(world, client, scope))["scope"], trimmed);
    assertEquals(adviceOf()?.received, `scope ${JSON.stringify(scope)}`);
    await registered(world, { scope: "orders refunds" }, initialToken);
    assertEquals(adviceOf(), undefined);
  });
}

test("registration: a scope with commas is registered as one scope, with an advice (OAuth 2.1 §1.4.1)", async () => {
  const world = createRegistrationWorld(half);
  const client = await registered(world, { scope: "orders,refunds" }, initialToken);
  assertEquals(client["scope"], "orders,refunds");
  const { advice } = world.journal.at(-1)!.facts;
  assertEquals([advice?.reason, advice?.expected], ["scope_with_commas", "orders refunds"]);
});

for (const options of [half, { ...half, scopes }]) {
  const name = "scopes" in options ? "configured scopes" : "any scope";
  test(`registration: with an initial access token, the registered scope is a limit, with ${name} (RFC 7591 §2)`, async () => {
    const world = createRegistrationWorld(options);
    const client = await registered(world, { scope: "orders" }, initialToken);
    assertEquals(client["scope"], "orders");
    assertEquals(await request(world, client), "orders");
    assertEquals(await request(world, client, "orders refunds"), "scope_not_for_client");
    const { expected, spec } = world.lastRefusal()!;
    assertEquals([expected, spec], ["orders, for which the client registered", "RFC 7591 §2"]);
    const updated = await update(world, client, "refunds");
    assertEquals(updated["scope"], "refunds");
    assertEquals(await request(world, client, "orders"), "scope_not_for_client");
  });
}

test("registration: an update of an open client sets no limit either (RFC 7592 §2.2)", async () => {
  const world = createRegistrationWorld({ scopes });
  const client = await registered(world);
  const updated = await update(world, client, "orders");
  assertEquals(updated["scope"], everyScope);
  assertEquals(await request(world, client, "refunds"), "refunds");
});
