/** The option `claimsIn`: claims about people in access tokens, ID tokens and userinfo, for any scope. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import {
  asApi,
  bearerClients,
  claimsOf,
  introspect,
  readTokens,
  refresh,
  tokensOf,
  userinfo,
} from "../tokens/bearer.ts";
import { basic, createWorld, inWorld, type World } from "../../world.ts";

const people = [
  {
    username: "alice",
    claims: { roles: ["admin"], realm_access: { roles: ["seller"] }, email: "a@as.test", active: false },
  },
  { username: "bob", claims: { email: "b@as.test" } },
];
const options = { clients: bearerClients, people };
const api = "https://api.example/";

const pick = (claims: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ["roles", "realm_access", "email"].filter((name) => name in claims).map((name) => [name, claims[name]]),
  );

async function userinfoOf(world: World, token: string): Promise<Readonly<Record<string, unknown>>> {
  return await (await userinfo(world, token)).json();
}

test("claimsIn: each place has its own claims, also after a refresh (RFC 9068 §2.2.3)", async () => {
  const claimsIn = { accessToken: ["roles", "realm_access"], idToken: ["email"], userinfo: ["roles"] };
  await using world = createWorld({ ...options, claimsIn });
  const first = await tokensOf(world, { scope: "openid offline_access" });
  for (const tokens of [first, await readTokens(await refresh(world, first.refresh_token))]) {
    const { access_token, id_token } = tokens;
    assertEquals(pick(claimsOf(access_token)), { roles: ["admin"], realm_access: { roles: ["seller"] } });
    assertEquals(pick(claimsOf(id_token)), { email: "a@as.test" });
    assertEquals(pick(await userinfoOf(world, access_token)), { roles: ["admin"] });
  }
});

test("claimsIn: a person without the claim gets none, and neither does a client for itself", () =>
  inWorld({ ...options, claimsIn: { accessToken: ["roles"] } }, async (world) => {
    assertEquals(pick(claimsOf((await tokensOf(world, { login_hint: "bob" })).access_token)), {});
    const form = { grant_type: "client_credentials" };
    const response = await world.post("/oauth2/token", form, basic("basic", "basic-secret"));
    assertEquals(pick(claimsOf((await readTokens(response)).access_token)), {});
  }));

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`claimsIn: introspection shows the claims, but never as its own members, ${accessTokens} (RFC 7662 §2.2)`, async () => {
    await using world = createWorld({
      ...options,
      accessTokens,
      claimsIn: { accessToken: ["roles", "active"] },
    });
    const { access_token } = await tokensOf(world, { resource: api });
    const { active, roles } = await (await introspect(world, access_token, asApi)).json();
    assertEquals({ active, roles }, { active: true, roles: ["admin"] });
  });
}

test("claimsIn: the metadata announces claims that a client can receive (OpenID Connect Discovery §3)", async () => {
  await using world = createWorld({
    ...options,
    claimsIn: { accessToken: ["a"], idToken: ["b"], userinfo: ["c", "email"] },
  });
  const { claims_supported } = await (await world.get("/.well-known/openid-configuration")).json();
  assertEquals(["a", "b", "c"].filter((name) => claims_supported.includes(name)), ["b", "c"]);
  assertEquals(new Set(claims_supported).size, claims_supported.length);
});

/** What a token says about itself, its issuer and its sign-in (RFC 7519 §4.1, RFC 9068 §2.2, OpenID Connect Core §2, §3.1.3.6). */
const aboutTokens = [
  ...["iss", "sub", "aud", "exp", "iat", "nbf", "jti", "azp", "nonce", "auth_time", "acr", "amr", "sid"],
  ...["at_hash", "c_hash", "client_id", "scope", "cnf", "events"],
];

test("claims: the record of a person sets no claim about a token, whatever a client asks for (OpenID Connect Core §5.5)", () => {
  const all = Object.fromEntries(aboutTokens.map((name) => [name, "CANARY"]));
  return inWorld(
    { clients: bearerClients, people: [{ username: "alice", claims: { ...all, email: "CANARY-2" } }] },
    async (world) => {
      const asked = Object.fromEntries([...aboutTokens, "email"].map((name) => [name, null]));
      const claims = JSON.stringify({ id_token: asked, userinfo: asked });
      const { id_token, access_token } = await tokensOf(world, { scope: "openid", claims });
      const found = [claimsOf(id_token), await userinfoOf(world, access_token), claimsOf(access_token)];
      const set = found.map((each) =>
        Object.keys(each).filter((name) => `${each[name]}`.startsWith("CANARY"))
      );
      assertEquals(set, [["email"], ["email"], []]);
    },
  );
});
