/** Software statements of configured issuers (RFC 7591 §2.3, §3.2.2). */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { test } from "../../runner.ts";
import type { World } from "../../world.ts";
import {
  assertRefused,
  createRegistrationWorld,
  type Json,
  manage,
  nativeUri,
  register,
  registered,
  testInRegistration as it,
} from "./registration.ts";

const vendor = "https://vendor.test";
const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
const { privateKey: otherKey } = await generateKeyPair("ES256", { extractable: true });
const keys = [{ ...await exportJWK(publicKey), kid: "1" }];

function createStatementWorld(): World {
  return createRegistrationWorld({ registration: { softwareStatements: { [vendor]: { keys } } } } as never);
}

async function sign(claims: Json, { key = privateKey, kid = "1" } = {}): Promise<string> {
  return await new SignJWT({ iss: vendor, ...claims }).setProtectedHeader({ alg: "ES256", kid }).sign(key);
}

test("software statement: its claims win, and the response repeats it unchanged (RFC 7591 §2.3)", async () => {
  const world = createStatementWorld();
  const software_statement = await sign({
    client_name: "Signed name",
    software_id: "notes",
    redirect_uris: ["http://127.0.0.1/signed"],
    trusted: true,
  });
  const client = await registered(world, {
    client_name: "Own name",
    software_version: "1",
    software_statement,
  });
  assertEquals(
    [client["client_name"], client["software_id"], client["software_version"], client["redirect_uris"]],
    ["Signed name", "notes", "1", ["http://127.0.0.1/signed"]],
  );
  assertEquals(client["software_statement"], software_statement);
  const shown = await manage(world, "GET", client);
  assertEquals(shown.body["software_statement"], software_statement);
});

test("software statement: its scope is a limit (RFC 7591 §2.3)", async () => {
  const world = createStatementWorld();
  const software_statement = await sign({ scope: "read" });
  const { client_id, scope } = await registered(world, { scope: "write", software_statement });
  assertEquals(scope, "read");
  const request = { client_id, redirect_uri: nativeUri };
  await world.code({ ...request, scope: "read" });
  await world.authorize({ ...request, scope: "write" });
  assertEquals(world.lastRefusal()?.reason, "scope_not_for_client");
});

test("software statement: it gives no more rights than an initial access token does", async () => {
  const world = createStatementWorld();
  const software_statement = await sign({ redirect_uris: ["https://app.dev/cb"] });
  assertRefused(
    world,
    await register(world, { software_statement }),
    "400 invalid_redirect_uri redirect_uri_needs_initial_access_token",
  );
});

test("software statement: with all redirect URIs, it is the operator's approval, and only signed decisions count", async () => {
  const world = createStatementWorld();
  const signed = { redirect_uris: [nativeUri], remember_consent: true };
  const unsigned = { oauth_version: "2.1" };
  const client = await registered(world, { ...unsigned, software_statement: await sign(signed) });
  assertEquals([client["remember_consent"], client["oauth_version"]], [true, undefined]);
  const errorOf = async ({ client_id }: Json) => {
    const request = { client_id: `${client_id}`, redirect_uri: nativeUri, response_type: "token" };
    const { headers } = await world.authorize(request);
    return new URL(headers.get("location") ?? world.issuer).searchParams.get("error");
  };
  assertEquals(await errorOf(client), "unsupported_response_type");
  // Without signed redirect URIs, the client is like one without a statement.
  const { redirect_uris: _, ...others } = signed;
  const other = await registered(world, { software_statement: await sign(others) });
  assertEquals([other["remember_consent"], await errorOf(other)], [undefined, null]);
  // It lives an hour, and seven days if a person approves it.
  world.clock.advance(3599);
  await world.code({ client_id: client.client_id, redirect_uri: nativeUri });
  world.clock.advance(7 * 24 * 3600 - 3600);
  await world.code({ client_id: client.client_id, redirect_uri: nativeUri });
  await world.authorize({ client_id: other.client_id, redirect_uri: nativeUri });
  assertEquals(world.lastRefusal()?.reason, "client_unknown");
});

const now = 1_800_000_000;

const malformed = "400 invalid_software_statement software_statement_malformed";
const signature = "400 invalid_software_statement software_statement_signature";
const expired = "400 invalid_software_statement software_statement_expired";
const audience = "400 invalid_software_statement software_statement_audience";
const unapproved = "400 unapproved_software_statement software_statement_issuer_unknown";

const refused: readonly (readonly [name: string, statement: () => unknown, expected: string])[] = [
  ["text", () => "statement", malformed],
  ["an object", () => ({}), malformed],
  [
    "alg none",
    () => `${btoa('{"alg":"none"}')}.${btoa(`{"iss":"${vendor}"}`)}.x`.replaceAll("=", ""),
    signature,
  ],
  ["of another key", () => sign({}, { key: otherKey }), signature],
  ["of an unknown kid", () => sign({}, { kid: "2" }), signature],
  ["with an exp after 9999", () => sign({ exp: 1e300 }), expired],
  ["expired", () => sign({ exp: now - 61 }), expired],
  ["of the future", () => sign({ nbf: now + 61 }), expired],
  ["for another server", () => sign({ aud: "https://as.other" }), audience],
  ["of another issuer", () => sign({ iss: "https://other.test" }), unapproved],
  ["without an issuer", () => sign({ iss: undefined }), unapproved],
  ["of an issuer with the name of a prototype's member", () => sign({ iss: "__proto__" }), unapproved],
];

for (const [name, statement, expected] of refused) {
  test(`software statement: ${name} is refused (RFC 7591 §2.3)`, async () => {
    const world = createStatementWorld();
    const software_statement = await statement();
    assertRefused(world, await register(world, { redirect_uris: [nativeUri], software_statement }), expected);
  });
}

test("software statement: the clock of its issuer may differ by a minute (RFC 7519 §4.1.4)", async () => {
  const world = createStatementWorld();
  for (const claims of [{ exp: now - 59 }, { nbf: now + 60 }]) {
    await registered(world, { software_statement: await sign(claims) });
  }
});

it("software statement: without configured issuers, every statement is unapproved (RFC 7591 §2.3)", async (world) => {
  const answer = await register(world, { redirect_uris: [nativeUri], software_statement: await sign({}) });
  assertRefused(world, answer, "400 unapproved_software_statement software_statement_issuer_unknown");
  assertStringIncludes(world.lastRefusal()?.expected ?? "", "registration.softwareStatements");
});

test("software statement: wrong metadata in a statement is refused like the client's own", async () => {
  const world = createStatementWorld();
  const answer = await register(world, {
    redirect_uris: [nativeUri],
    software_statement: await sign({ client_name: 1 }),
  });
  assertRefused(world, answer, "400 invalid_client_metadata metadata_invalid");
});

test("options: wrong keys and wrong initial access tokens are refused at start", () => {
  const start = (registration: unknown) => () => createRegistrationWorld({ registration } as never);
  const secretKey = { kty: "oct", k: "AAAA" };
  assertThrows(
    start({ softwareStatements: { [vendor]: { keys: [secretKey] } } }),
    TypeError,
    `registration.softwareStatements["${vendor}"].keys[0] must be a public RSA key`,
  );
  assertThrows(start({ softwareStatements: { [vendor]: { keys: [] } } }), TypeError, "must have 1 item");
  assertThrows(
    start({ initialAccessTokens: ["a secret"] }),
    TypeError,
    "registration.initialAccessTokens[0] must have only letters",
  );
  assertThrows(start({ initialAccessToken: "x" }), TypeError, "initialAccessTokens");
  assertThrows(start("yes"), TypeError, "registration must be");
});
