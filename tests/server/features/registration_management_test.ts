/** A registered client reads, updates and deletes its registration (RFC 7592). */

import { assert, assertEquals, assertFalse, assertNotEquals } from "@std/assert";
import { memoryStore } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { sampleKey } from "../../world.ts";
import {
  assertRefused,
  createRegistrationWorld,
  initialToken,
  type Json,
  logIn,
  manage,
  nativeUri,
  registered,
  type Registration,
  send,
  testInRegistration as it,
} from "./registration.ts";
import { refresh } from "../tokens/bearer.ts";

const { d: _, ...publicKey } = sampleKey;

/** The metadata of a registration as an update repeats it: without the values that only the server sets. */
function asUpdate(client: Registration, changes: Json = {}): Json {
  const {
    client_id_issued_at: _issuedAt,
    client_secret_expires_at: _expiresAt,
    registration_access_token: _token,
    registration_client_uri: _uri,
    ...metadata
  } = client;
  return { ...metadata, ...changes };
}

it("registration: GET shows the metadata in effect, and keeps the token (RFC 7592 §2.1)", async (world) => {
  const client = await registered(world, { client_name: "Notes" });
  const { client_secret: _secret, ...expected } = client;
  for (let count = 0; count < 2; count++) {
    const shown = await manage(world, "GET", client);
    assertEquals([shown.status, shown.headers.get("cache-control")], [200, "no-store"]);
    assertEquals(shown.body, expected);
  }
});

const foreign:
  readonly (readonly [name: string, token: (own: Registration, other: Registration) => string])[] = [
    ["the token of another client", (_, other) => other.registration_access_token],
    ["an initial access token", () => initialToken],
    [
      "a changed token",
      (own) => own.registration_access_token.replace(/.$/, (end) => end === "A" ? "B" : "A"),
    ],
  ];

for (const [name, tokenOf] of foreign) {
  test(`registration: ${name} manages no client (RFC 7592 §2)`, async () => {
    const world = createRegistrationWorld({
      registration: { initialAccessTokens: [initialToken], open: true },
    });
    const own = await registered(world);
    const other = await registered(world);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await send(world, method, own.registration_client_uri, {
        token: tokenOf(own, other),
        ...(method === "PUT" ? { body: asUpdate(own) } : {}),
      });
      assertRefused(world, answer, "401 invalid_token registration_token_wrong");
      assert(answer.headers.get("www-authenticate")?.startsWith("Bearer "));
    }
    const { status } = await manage(world, "GET", own);
    assertEquals(status, 200);
  });
}

it("registration: without a token there is a challenge and no error code (RFC 6750 §3.1)", async (world) => {
  const client = await registered(world);
  for (const method of ["GET", "DELETE"]) {
    const answer = await send(world, method, client.registration_client_uri);
    assertEquals([answer.status, answer.body], [401, {}]);
    assertEquals(world.lastRefusal()?.reason, "registration_token_missing");
    assertEquals(answer.headers.get("www-authenticate"), 'Bearer realm="postern"');
    const headers = { authorization: "Bearer a b" };
    const malformed = await send(world, method, client.registration_client_uri, { headers });
    assertEquals([malformed.status, malformed.body["error"]], [401, "invalid_token"]);
  }
});

it("registration: an unknown client is refused like a wrong token (RFC 7592 §2)", async (world) => {
  const { registration_access_token: token } = await registered(world);
  for (const id of [`reg-${"A".repeat(22)}`, "public", "reg-", "%00", "..%2f"]) {
    const answer = await send(world, "GET", `/connect/register/${id}`, { token });
    assertRefused(world, answer, "401 invalid_token registration_token_wrong");
  }
});

test("registration: PUT replaces all metadata, and what it leaves out is gone (RFC 7592 §2.2)", async () => {
  const world = createRegistrationWorld({ registration: { initialAccessTokens: [initialToken] } });
  const client = await registered(world, {
    client_name: "Notes",
    client_uri: "https://notes.test/",
    scope: "openid",
    grant_types: ["authorization_code", "refresh_token"],
  }, initialToken);
  const { client_name: _name, grant_types: _types, ...kept } = asUpdate(client, {
    client_uri: null,
    redirect_uris: ["http://localhost/other"],
  });
  const { status, body } = await manage(world, "PUT", client, kept);
  assertEquals(status, 200);
  assertEquals(
    [body["client_name"], body["client_uri"], body["grant_types"], body["scope"], body["redirect_uris"]],
    [undefined, undefined, ["authorization_code"], "openid", ["http://localhost/other"]],
  );
  assertEquals([body["client_id"], body["client_id_issued_at"]], [
    client.client_id,
    client["client_id_issued_at"],
  ]);
  // The secret stays, so the response does not have it.
  assertFalse("client_secret" in body);
  assertEquals((await logIn(world, client, "http://localhost:5000/other")).status, 200);
  await world.authorize({ client_id: client.client_id, redirect_uri: nativeUri });
  assertEquals(world.lastRefusal()?.reason, "redirect_uri_unregistered");
});

it("registration: PUT replaces the registration access token, and the old one is refused (RFC 7592 §2.1)", async (world) => {
  const client = await registered(world);
  const update = (token: string) =>
    send(world, "PUT", client.registration_client_uri, { token, body: asUpdate(client) });
  const { body } = await update(client.registration_access_token);
  assertNotEquals(body["registration_access_token"], client.registration_access_token);
  assertRefused(
    world,
    await update(client.registration_access_token),
    "401 invalid_token registration_token_wrong",
  );
  assertEquals((await update(`${body["registration_access_token"]}`)).status, 200);
});

const refusedUpdates: readonly (readonly [name: string, changes: Json, place: string])[] = [
  ["without client_id", { client_id: undefined }, "client_id"],
  ["with another client_id", { client_id: "public" }, "client_id"],
  ["with a chosen secret", { client_secret: "chosen" }, "client_secret"],
  ["with registration_access_token", { registration_access_token: "x" }, "registration_access_token"],
  ["with registration_client_uri", { registration_client_uri: "https://a.test" }, "registration_client_uri"],
  ["with client_secret_expires_at", { client_secret_expires_at: 0 }, "client_secret_expires_at"],
  ["with client_id_issued_at", { client_id_issued_at: 0 }, "client_id_issued_at"],
  ["with wrong metadata", { grant_types: ["password"] }, "grant_types[0]"],
  ["that needs an initial access token", { grant_types: ["client_credentials"] }, "grant_types[0]"],
];

it("registration: a wrong update is refused and changes nothing (RFC 7592 §2.2)", async (world) => {
  const client = await registered(world);
  const token = client.registration_access_token;
  for (const [name, changes, place] of refusedUpdates) {
    const answer = await send(world, "PUT", client.registration_client_uri, {
      token,
      body: asUpdate(client, { response_types: undefined, ...changes }),
    });
    assertEquals([answer.status, answer.body["error"]], [400, "invalid_client_metadata"], name);
    assert(`${answer.body["error_description"]}`.startsWith(place), `${answer.body["error_description"]}`);
  }
  assertEquals((await send(world, "GET", client.registration_client_uri, { token })).status, 200);
  assertEquals((await logIn(world, client)).status, 200);
});

it("registration: a new authentication method has its own secret or none (RFC 7592 §2.1)", async (world) => {
  const client = await registered(world);
  const update = async (token: unknown, changes: Json) => {
    const body = { ...asUpdate(client), client_secret: undefined, ...changes };
    return (await send(world, "PUT", client.registration_client_uri, { token: `${token}`, body })).body;
  };
  const open = await update(client.registration_access_token, { token_endpoint_auth_method: "none" });
  assertFalse("client_secret" in open || "client_secret_expires_at" in open);
  assertEquals((await logIn(world, { client_id: client.client_id })).status, 200);
  const keyed = await update(open["registration_access_token"], {
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [publicKey] },
  });
  assertFalse("client_secret" in keyed);
  const basic = await update(keyed["registration_access_token"], {});
  assertNotEquals(basic["client_secret"], client.client_secret);
  assertEquals((await logIn(world, client)).status, 401);
  const renewed = { client_id: client.client_id, client_secret: `${basic["client_secret"]}` };
  assertEquals((await logIn(world, renewed)).status, 200);
});

it("registration: a client without a secret sends none in an update (RFC 7592 §2.2)", async (world) => {
  const client = await registered(world, { token_endpoint_auth_method: "none" });
  for (const client_secret of ["", "chosen"]) {
    const answer = await manage(world, "PUT", client, asUpdate(client, { client_secret }));
    assertEquals([answer.status, answer.body["error"]], [400, "invalid_client_metadata"]);
  }
});

it("registration: an update keeps the secret of client_secret_jwt", async (world) => {
  const client = await registered(world, { token_endpoint_auth_method: "client_secret_jwt" });
  const { status, body } = await manage(world, "PUT", client, asUpdate(client));
  assertEquals([status, "client_secret" in body], [200, false]);
});

test("registration: a secret expires, and an update renews it (RFC 7591 §3.2.1)", async () => {
  const world = createRegistrationWorld({ lifetimes: { clientSecret: "1h" } });
  const client = await registered(world);
  assertEquals(client["client_secret_expires_at"], world.clock.now + 3600);
  world.clock.advance(3599);
  assertEquals((await logIn(world, client)).status, 200);
  world.clock.advance(1);
  const refused = await logIn(world, client);
  assertEquals([refused.status, world.lastRefusal()?.reason], [401, "secret_expired"]);
  const { body } = await manage(world, "PUT", client, asUpdate(client));
  assertEquals(body["client_secret_expires_at"], world.clock.now + 3600);
  assertEquals((await logIn(world, client)).status, 401);
  const renewed = { client_id: client.client_id, client_secret: `${body["client_secret"]}` };
  assertEquals((await logIn(world, renewed)).status, 200);
});

test("registration: a secret expires with the first of its end and that of an open registration (RFC 7591 §3.2.1)", async () => {
  const week = 7 * 24 * 3600;
  for (const [clientSecret, open, approved] of [["1h", 3600, 3600], ["30d", week, 30 * 24 * 3600]] as const) {
    const world = createRegistrationWorld({
      lifetimes: { clientSecret },
      registration: { open: true, initialAccessTokens: [initialToken] },
    });
    for (const [token, lifetime] of [[undefined, open], [initialToken, approved]] as const) {
      const client = await registered(world, {}, token);
      assertEquals(client["client_secret_expires_at"], world.clock.now + lifetime);
    }
  }
});

test("registration: an update replaces a secret without an end where secrets expire now, and one with an end where they do not (RFC 7591 §3.2.1)", async () => {
  const lifetimes = { clientSecret: "1h" } as const;
  for (
    const [before, after, end] of [[{}, { lifetimes }, 3600], [{ lifetimes }, {}, 7 * 24 * 3600]] as const
  ) {
    const store = memoryStore();
    const world = createRegistrationWorld({ store, ...before });
    const client = await registered(world);
    const { body } = await manage(
      createRegistrationWorld({ store, ...after }),
      "PUT",
      client,
      asUpdate(client),
    );
    assertNotEquals(body["client_secret"] ?? client.client_secret, client.client_secret);
    assertEquals(body["client_secret_expires_at"], world.clock.now + end);
  }
});

test("registration: a wrong secret of an expired client does not tell that the secret has expired", async () => {
  const world = createRegistrationWorld({ lifetimes: { clientSecret: "30m" } });
  const client = await registered(world);
  world.clock.advance(1800);
  await logIn(world, { ...client, client_secret: "wrong" });
  assertEquals(world.lastRefusal()?.reason, "secret_wrong");
});

test("registration: DELETE ends the client, its token and its grants (RFC 7592 §2.3)", async () => {
  const store = memoryStore();
  const world = createRegistrationWorld({ store, defaultScope: "openid" });
  const client = await registered(world, {
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  });
  const { client_id } = client;
  const tokens = await (await logIn(world, { client_id })).json();
  const userinfo = () => world.get("/userinfo", { authorization: `Bearer ${tokens.access_token}` });
  assertEquals((await userinfo()).status, 200);
  const token = client.registration_access_token;
  const deleted = await send(world, "DELETE", client.registration_client_uri, { token });
  assertEquals([deleted.status, deleted.body], [204, {}]);
  assertEquals((await userinfo()).status, 401);
  const refreshed = await refresh(world, tokens.refresh_token, { client_id });
  assertEquals((await refreshed.json()).error, "invalid_client");
  for (const method of ["GET", "DELETE", "PUT"]) {
    const body = method === "PUT" ? { body: asUpdate(client) } : {};
    assertEquals((await send(world, method, client.registration_client_uri, { token, ...body })).status, 401);
  }
  await world.authorize({ client_id, redirect_uri: nativeUri });
  assertEquals(world.lastRefusal()?.reason, "client_unknown");
});

test("registration: the store has no secret and no registration access token", async () => {
  const store = memoryStore();
  const world = createRegistrationWorld({ store });
  const client = await registered(world);
  await logIn(world, client);
  const records: string[] = [];
  for (const name of ["client", "client_places", "grant"]) {
    for await (const record of store.list!({ name })) records.push(JSON.stringify(record));
  }
  assert(records.length >= 3);
  for (const secret of [client.client_secret, client.registration_access_token]) {
    assertFalse(records.join().includes(secret));
  }
});

it("registration: a change of the metadata ends the approval of the client (CIMD §8.4)", async (world) => {
  const client = await registered(world, { token_endpoint_auth_method: "none" });
  const wrong = { client_id: client.client_id, redirect_uri: nativeUri, response_type: "token" };
  const statuses = [(await world.authorize(wrong)).status];
  await world.code({ client_id: client.client_id, redirect_uri: nativeUri });
  statuses.push((await world.authorize(wrong)).status);
  await manage(world, "PUT", client, asUpdate(client));
  statuses.push((await world.authorize(wrong)).status);
  await world.code({ client_id: client.client_id, redirect_uri: nativeUri });
  statuses.push((await world.authorize(wrong)).status);
  // A page, a redirect to the approved client, a page again, and a redirect after another approval.
  assertEquals(statuses, [400, 303, 400, 303]);
});
