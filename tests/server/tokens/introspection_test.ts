/** Introspection: entitled clients get the facts of a token, and all others get "inactive". */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Seam } from "../../../src/server/oauth/contracts/seams.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { basic, createBrowser, createWorld, inWorld, type Params } from "../../world.ts";
import {
  api,
  asApi,
  asBasic,
  asStranger,
  bearerClients,
  introspect,
  isActive,
  readTokens,
  refusalOf,
  signInAndApprove,
  tokensOf,
} from "./bearer.ts";

const options = { clients: bearerClients };

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`introspection: describes an access token as granted until it expires, ${accessTokens} (RFC 7662 §2.2)`, () =>
    inWorld({ ...options, accessTokens }, async (world) => {
      const issuedAt = world.clock.now;
      const asked = { scope: "openid read", resource: api, client_id: "basic" };
      const { access_token } = await tokensOf(world, asked, asBasic);
      world.clock.advance(10);
      for (const headers of [asBasic, asApi]) {
        const response = await introspect(world, access_token, headers);
        assertEquals(response.status, 200);
        assertEquals(response.headers.get("content-type"), "application/json");
        assertEquals(response.headers.get("cache-control"), "no-store");
        const { jti, auth_time, ...members } = await response.json();
        assertEquals(members, {
          active: true,
          scope: "openid read",
          client_id: "basic",
          username: "alice",
          token_type: "Bearer",
          exp: issuedAt + 3600,
          iat: issuedAt,
          sub: "alice",
          aud: api,
          iss: world.issuer,
        });
        assertEquals([typeof jti, auth_time], ["string", issuedAt]);
      }
      world.clock.advance(3589);
      assert(await isActive(world, access_token));
      world.clock.advance(1);
      assertEquals(await isActive(world, access_token), false);
    }));

  test(`introspection: a token is inactive before its nbf, ${accessTokens} (RFC 7519 §4.1.5)`, async () => {
    let nbf: unknown;
    const claims: Seam<"claims"> = (value) =>
      value.token === "access_token" ? { ...value, claims: { ...value.claims, nbf } } : value;
    await using world = createWorld({ ...options, accessTokens, seams: { claims } });
    nbf = world.clock.now + 60;
    const { access_token } = await tokensOf(world, { client_id: "basic", scope: "openid" }, asBasic);
    const askUserinfo = async () =>
      (await world.get("/userinfo", { authorization: `Bearer ${access_token}` })).status;
    world.clock.advance(59);
    assertEquals([await isActive(world, access_token), await askUserinfo()], [false, 401]);
    world.clock.advance(1);
    assertEquals([await isActive(world, access_token), await askUserinfo()], [true, 200]);
    nbf = "soon";
    const { access_token: vague } = await tokensOf(world, { client_id: "basic" }, asBasic);
    assertEquals(await isActive(world, vague), false);
  });

  test(`introspection: with its iat ahead, a token may be early by as much, up to 60 seconds, ${accessTokens}`, async () => {
    let ahead: readonly number[] = [];
    const claims: Seam<"claims"> = (value) => {
      const [iat, nbf] = ahead.map((each) => Math.floor(world.clock.now) + each);
      return value.token === "access_token" ? { ...value, claims: { ...value.claims, iat, nbf } } : value;
    };
    await using world = createWorld({ ...options, accessTokens, seams: { claims } });
    const [fit, early] = ["0 0; 20 20; 60 60; 90 60", "0 1; -9 1; 20 21; 61 61"];
    for (const text of `${fit}; ${early}`.split("; ")) {
      ahead = text.split(" ").map(Number);
      const { access_token } = await tokensOf(world, { client_id: "basic" }, asBasic);
      assertEquals(await isActive(world, access_token), fit!.includes(text), text);
    }
    // No server issues a token in the future.
    assertMatch(`${world.journal.at(-1)!.facts.advice?.received}`, /; its iat is 1 min 1 s in the future, /);
  });

  test(`introspection: tokens of other clients are inactive, ${accessTokens} (RFC 7662 §2.2, §4)`, () =>
    inWorld({ ...options, accessTokens }, async (world) => {
      const forApi = await tokensOf(world, { resource: api });
      assert(await isActive(world, forApi.access_token, asApi));
      for (const headers of [asBasic, asStranger]) {
        assertEquals(await isActive(world, forApi.access_token, headers), false);
      }
      // An API may introspect access tokens for itself, but no refresh tokens.
      assertEquals(await isActive(world, forApi.refresh_token, asApi), false);
      const forIssuer = await tokensOf(world);
      assertEquals(await isActive(world, forIssuer.access_token, asApi), false);
      const several = await tokensOf(world, { resource: ["https://more.example/", api] });
      assert(await isActive(world, several.access_token, asApi));
      assertEquals(await isActive(world, several.access_token, asStranger), false);
    }));
}

const it = testInWorld(options);

test("introspection: an access token is active for a client in its aud (RFC 7662 §2.2)", async () => {
  const tokenClaims = [{ when: { client_id: "basic" }, claims: { aud: ["stranger", "https://api.test/"] } }];
  await using world = createWorld({ ...options, tokenClaims });
  const { access_token, refresh_token } = await tokensOf(world, { client_id: "basic" }, asBasic);
  assertEquals(await isActive(world, access_token, asStranger), true);
  assertEquals(await isActive(world, refresh_token, asStranger), false);
  assertEquals(await isActive(world, access_token, asApi), false);
});

test("introspection: a refresh token is active for its own client only (RFC 7662 §2.2)", async () => {
  const own = { client_id: "own", client_secret: "own-secret", introspects: ["https://as.test"] };
  await using world = createWorld({ clients: [...bearerClients, own] });
  const asked = { scope: "openid read", client_id: "basic" };
  const { refresh_token, access_token } = await tokensOf(world, asked, asBasic);
  const body = await (await introspect(world, refresh_token)).json();
  assertEquals([body.active, body.client_id, body.scope, body.iss], [
    true,
    "basic",
    "openid read",
    world.issuer,
  ]);
  assertEquals(body.exp, world.clock.now + 30 * 86_400);
  assertEquals("token_type" in body, false);
  assertEquals(await isActive(world, refresh_token, asStranger), false);
  // Its audience is the issuer, as that of the access token.
  const asOwn = basic("own", "own-secret");
  assertEquals([await isActive(world, access_token, asOwn), await isActive(world, refresh_token, asOwn)], [
    true,
    false,
  ]);
});

test("introspection: a refresh token is active until its exp, or its session's end (RFC 7662 §2.2)", async () => {
  for (const [scope, seconds] of [["openid", 8 * 3600], ["openid offline_access", 30 * 86_400]] as const) {
    await using world = createWorld({ ...options, login: "picker", lifetimes: { session: "8h" } });
    const { tokens: { refresh_token } } = await signInAndApprove(
      world,
      { scope, client_id: "basic" },
      createBrowser(world),
      asBasic,
    );
    const asked = () => introspect(world, refresh_token, asBasic);
    const { exp } = await (await asked()).json();
    assertEquals(exp, world.clock.now + seconds);
    world.clock.advance(seconds - 1);
    assertEquals((await (await asked()).json()).exp, exp);
    world.clock.advance(1);
    assertEquals(await (await asked()).json(), { active: false });
  }
});

it("introspection: requires client authentication (RFC 7662 §2.1, §4)", async (world) => {
  const { access_token: token } = await tokensOf(world);
  const wrong = await introspect(world, token, basic("basic", "wrong"));
  assertEquals([wrong.status, wrong.headers.has("www-authenticate")], [401, true]);
  const ask = (form: Params) => refusalOf(world, world.post("/oauth2/introspect", { token, ...form }));
  assertEquals(await ask({}), [401, "invalid_client", "introspects_unnamed"]);
  assertEquals(await ask({ client_id: "public" }), [401, "invalid_client", "public_client_introspects"]);
  const { expected, received } = world.lastRefusal()!;
  assertEquals(expected, "a client with a secret or a key");
  assertEquals(received, "the client public (clients[0] of the configuration, none)");
});

it("introspection: requires a form with exactly one token (RFC 7662 §2.1)", async (world) => {
  for (const form of ["", "token=", "token=a&token=b"]) {
    const answer = await refusalOf(world, world.post("/oauth2/introspect", form, asBasic));
    const reason = form.includes("&") ? "repeated_parameter" : "missing_parameter";
    assertEquals(answer, [400, "invalid_request", reason], form);
  }
  assertEquals((await world.get("/oauth2/introspect?token=a", asBasic)).status, 405);
});

it("introspection: a wrong hint does not change the answer (RFC 7662 §2.1)", async (world) => {
  const tokens = await tokensOf(world, { client_id: "basic" }, asBasic);
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    for (const hint of ["access_token", "refresh_token", "x"]) {
      const response = await introspect(world, token, asBasic, { token_type_hint: hint });
      assertEquals((await response.json()).active, true);
    }
  }
});

it("introspection: recognises every token that the server issues, of any length (RFC 7662 §2.2)", async (world) => {
  for (const count of [800, 1500]) {
    const names = Array.from({ length: count }, (_, index) => `scope-${String(index).padStart(4, "0")}`);
    const changed = { client_id: "basic", scope: names.join(" ") };
    const query = new URL(world.authorizeUrl(changed)).search.slice(1);
    const response = await world.post("/oauth2/authorize", query);
    await response.body?.cancel();
    const location = response.headers.get("location");
    const code = location === null ? null : new URL(location).searchParams.get("code");
    // The server may also refuse such a long request.
    if (code === null) continue;
    const { access_token } = await readTokens(await world.redeem(code, { client_id: undefined }, asBasic));
    assert(await isActive(world, access_token), `${count} scopes, ${access_token.length} characters`);
  }
});
