/** Forged and misused JWTs: only access tokens that this server signed are accepted. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { CompactSign, importJWK, type JWK } from "jose";
import { measureEffort } from "../../effort.ts";
import { testIn } from "../../test_in.ts";
import { createWorld, redirectUri, sampleKey, type World } from "../../world.ts";
import { asBasic, bearerClients, claimsOf, encodePart, headerOf, introspect, tokensOf } from "./bearer.ts";

const clients = [
  ...bearerClients,
  { client_id: "signing", redirect_uris: [redirectUri], userinfo_signed_response_alg: "ES256" as const },
];

/** Signs with the server's own key, so that only the header or the claims are wrong. */
async function sign(header: object, claims: unknown): Promise<string> {
  const key = await importJWK(sampleKey as JWK, "ES256");
  const octets = new TextEncoder().encode(typeof claims === "string" ? claims : JSON.stringify(claims));
  const whole = { alg: "ES256", ...header };
  const crit = Object.fromEntries(((whole as { crit?: string[] }).crit ?? []).map((name) => [name, false]));
  return await new CompactSign(octets).setProtectedHeader(whole).sign(key, { crit });
}

async function requireWorthless(world: World, token: string, name: string): Promise<void> {
  const shown = await world.get("/userinfo", { authorization: `Bearer ${token}` });
  assertEquals([shown.status, (await shown.json()).error], [401, "invalid_token"], `userinfo: ${name}`);
  const asked = await introspect(world, token);
  assertEquals(await asked.json(), { active: false }, `introspection: ${name}`);
}

/** Gets a valid token and its parts, and checks that it still works after the forgeries. */
async function withToken(
  work: (at: {
    readonly world: World;
    readonly token: string;
    readonly header: Readonly<Record<string, unknown>>;
    readonly claims: Readonly<Record<string, unknown>>;
  }) => Promise<void>,
): Promise<void> {
  await using world = createWorld({ clients });
  const asked = { scope: "openid email", client_id: "basic" };
  const { access_token: token } = await tokensOf(world, asked, asBasic);
  const [header, claims] = [headerOf(token), claimsOf(token)];
  // A token that the test signs with the same parts is accepted, so `sign` works.
  const again = await sign(header, claims);
  assertEquals((await world.get("/userinfo", { authorization: `Bearer ${again}` })).status, 200);
  await work({ world, token, header, claims });
  assertEquals((await world.get("/userinfo", { authorization: `Bearer ${token}` })).status, 200);
}

const it = testIn(withToken);

it("forged tokens: another algorithm is refused (RFC 8725 §3.1)", async ({ world, token, header, claims }) => {
  const payload = encodePart(claims);
  const [, , signature] = token.split(".");
  // The server also publishes a key for RS256.
  for (const alg of ["RS256", "ES384", "HS256"]) {
    await requireWorthless(world, await signAnyway({ ...header, alg }, payload), `${alg}, signed with ES256`);
  }
  for (const alg of ["none", "nOnE", "", null, ["ES256"], "ES384", "HS256"]) {
    const start = `${encodePart({ ...header, alg })}.${payload}`;
    for (const end of ["", signature]) {
      await requireWorthless(world, `${start}.${end}`, `${alg} ${end}`);
    }
  }
  const { keys } = await (await world.get("/oauth2/jwks")).json();
  const { kty, crv, x, y } = keys[0];
  const secrets = [
    JSON.stringify(keys[0]),
    JSON.stringify({ kty, crv, x, y }),
    JSON.stringify({ crv, kty, x, y }),
    x,
    "",
    header["kid"] as string,
  ];
  for (const secret of secrets) {
    const start = `${encodePart({ ...header, alg: "HS256" })}.${payload}`;
    const end = createHmac("sha256", secret).update(start).digest("base64url");
    await requireWorthless(world, `${start}.${end}`, `keyed with ${secret}`);
  }
});

it("forged tokens: a changed payload, a missing or another signature is refused", async ({ world, token, claims }) => {
  const [start, payload, signature] = token.split(".") as [string, string, string];
  const other = await tokensOf(world, { scope: "openid", client_id: "basic" }, asBasic);
  const forged = [
    [start, encodePart({ ...claims, sub: "bob" }), signature],
    [start, encodePart({ ...claims, exp: Number(claims["exp"]) + 1 }), signature],
    [start, payload, other.access_token.split(".")[2]],
    [start, payload, encodePart("\0".repeat(64))],
    [start, payload, ""],
    [start, payload],
    [start, payload, signature, ""],
    [start, payload, signature.slice(0, -4)],
    ["", payload, signature],
    [start, "", signature],
  ];
  for (const parts of forged) await requireWorthless(world, parts.join("."), parts.join("."));
});

it("forged tokens: a key in the token's header, or at its URL, is neither used nor fetched (OpenID Connect Core §2)", async ({ world, header, claims }) => {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const { kid, ...rest } = header;
  const headers = [
    { ...rest, jwk: { kty, crv, x, y } },
    { ...rest, kid, jwk: { kty, crv, x, y } },
    { ...rest, kid, jku: "https://evil.example/jwks" },
    { ...rest, kid, x5u: "https://evil.example/cert" },
    { ...rest, kid: "__proto__" },
    { ...rest, kid: [kid] },
    { ...rest, kid: null },
  ];
  for (const each of headers) {
    const forged = `${encodePart(each)}.${encodePart(claims)}`;
    const signature = await crypto.subtle.sign(
      { name: "ECDSA", hash: "SHA-256" },
      pair.privateKey,
      new TextEncoder().encode(forged),
    );
    const text = `${forged}.${Buffer.from(signature).toString("base64url")}`;
    await requireWorthless(world, text, JSON.stringify(each));
  }
});

it("forged tokens: an unknown or missing kid is refused, even with the server's own signature (RFC 8725 §3.1)", async ({ world, header, claims }) => {
  const { kid: _kid, ...rest } = header;
  for (const each of [rest, { ...rest, kid: "" }, { ...rest, kid: "another" }]) {
    await requireWorthless(world, await sign(each, claims), JSON.stringify(each));
  }
});

it("forged tokens: another kind of JWT that the server signed is refused (RFC 8725 §3.11)", async ({ world, header, claims }) => {
  const types = ["JWT", "jwt", "logout+jwt", "client-authentication+jwt", "dpop+jwt", "", null, undefined];
  for (const typ of types) {
    await requireWorthless(world, await sign({ ...header, typ }, claims), `typ ${typ}`);
  }
  const asked = { scope: "openid", client_id: "signing" };
  const { id_token, access_token } = await tokensOf(world, asked);
  await requireWorthless(world, id_token, "an ID token");
  const signed = await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
  await requireWorthless(world, await signed.text(), "signed userinfo");
});

it("forged tokens: the server's signature for another issuer, time or grant is refused (RFC 9068 §4)", async ({ world, header, claims }) => {
  const { jti, exp, ...rest } = claims as { readonly jti: string; readonly exp: number };
  const changed: readonly object[] = [
    { iss: "https://elsewhere.example" },
    { iss: `${world.issuer}/` },
    { iss: [world.issuer] },
    { iss: undefined },
    { exp: undefined },
    { exp: world.clock.now },
    { exp: String(exp) },
    { jti: undefined },
    { jti: `${"A".repeat(22)}.x` },
    { jti: `.${jti}` },
    { client_id: undefined },
    { client_id: ["basic"] },
  ];
  for (const each of changed) {
    const text = await sign(header, { ...rest, jti, exp, ...each });
    await requireWorthless(world, text, JSON.stringify(each));
  }
  for (const payload of ["", "null", "5", '"x"', "[]", "{", '{"exp":1e999}', "\ufeff{}"]) {
    await requireWorthless(world, await sign(header, payload), `payload ${payload}`);
  }
  const audiences = [undefined, "https://elsewhere.example", [5], [[world.issuer]], {}, `${world.issuer}/`];
  for (const aud of audiences) {
    const text = await sign(header, { ...claims, aud });
    const shown = await world.get("/userinfo", { authorization: `Bearer ${text}` });
    assertEquals([shown.status, (await shown.json()).error], [401, "invalid_token"], JSON.stringify(aud));
  }
});

it("forged tokens: unknown critical extensions and unencoded payloads are refused (RFC 8725 §3.1)", async ({ world, header, claims }) => {
  const extended = [
    { ...header, crit: ["unknown"], unknown: 1 },
    { ...header, crit: ["exp"], exp: 1 },
  ];
  for (const each of extended) {
    await requireWorthless(world, await sign(each, claims), JSON.stringify(each));
  }
  // RFC 7797 §7: a JWT must not have an unencoded payload, even if its bytes are the same.
  await requireWorthless(
    world,
    await signAnyway({ ...header, b64: false, crit: ["b64"] }, encodePart(claims)),
    "b64 false",
  );
  for (const crit of [[], "alg", [5], ["alg"]]) {
    const text = await sign(header, claims);
    const [, middle, end] = text.split(".");
    await requireWorthless(
      world,
      `${encodePart({ ...header, crit })}.${middle}.${end}`,
      JSON.stringify(crit),
    );
  }
});

/** Signs with the key of the server, whatever the header says. */
async function signAnyway(header: object, payload: string): Promise<string> {
  const start = encodePart(header);
  const key = await crypto.subtle.importKey("jwk", sampleKey, { name: "ECDSA", namedCurve: "P-256" }, false, [
    "sign",
  ]);
  const input = new TextEncoder().encode(`${start}.${payload}`);
  const octets = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, input);
  return `${start}.${payload}.${Buffer.from(octets).toString("base64url")}`;
}

it("forged tokens: other serializations and encrypted tokens are refused with little effort", async ({ world, token, header }) => {
  const [start, payload, signature] = token.split(".") as [string, string, string];
  const pbes = encodePart({ alg: "PBES2-HS256+A128KW", enc: "A128GCM", p2c: 2_000_000_000, p2s: "AAAA" });
  const zipped = encodePart({ alg: "dir", enc: "A256GCM", zip: "DEF" });
  const odd = [
    `${pbes}.AAAA.AAAA.AAAA.AAAA`,
    `${zipped}..AAAA.AAAA.AAAA`,
    `${start}.${payload}.${signature}.${signature}.${signature}`,
    JSON.stringify({ protected: start, payload, signature }),
    `${start}=.${payload}.${signature}`,
    `${start}.${payload}.${signature}==`,
    `${start}. ${payload}.${signature}`,
    `${encodePart({ ...header, pad: "x".repeat(20_000) })}.${payload}.${signature}`,
  ];
  for (const text of odd) {
    const body = await (await introspect(world, text)).json();
    assertEquals(body, { active: false }, text.slice(0, 60));
  }
  const effort = await measureEffort(async () => {
    for (const place of [0, 1, 2]) {
      const parts = [start, payload, signature];
      parts[place] = "A".repeat(1_000_000);
      const shown = await world.get("/userinfo", { authorization: `Bearer ${parts.join(".")}` });
      assertEquals(shown.status, 401);
      await shown.body?.cancel();
      const asked = await introspect(world, parts.join("."));
      assert([200, 400, 413].includes(asked.status), `${asked.status}`);
      if (asked.status === 200) assertEquals(await asked.json(), { active: false });
      else await asked.body?.cancel();
    }
  });
  assert(effort < 75, `an effort of ${effort}`);
});
