/** Access tokens with `typ: JWT` are never confused with ID tokens (RFC 8725 §3.11, §3.12; RFC 9068 §5). */

import { assert, assertEquals } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { memoryStore, type ServerOptions } from "../../../src/mod.ts";
import {
  allAlive,
  ask,
  clientOf,
  inOpenId,
  introspect,
  livesOf,
  logOut,
  secretOf,
  signIn,
  userinfoOf,
} from "../openid/openid_world.ts";
import { test } from "../../runner.ts";
import { testWith } from "../openid/test_in_openid.ts";
import { createWorld } from "../../world.ts";
import { assertCannotCreate } from "./refusals.ts";

const asJwt = { accessTokenType: "JWT" } as const;

const it = testWith(asJwt);

const typOf = (token: string) => decodeProtectedHeader(token).typ;

test("access token: its typ is at+jwt, or JWT if configured (RFC 9068 §2.1)", async () => {
  const cases = [[{}, "at+jwt"], [{ accessTokenType: "at+jwt" }, "at+jwt"], [asJwt, "JWT"]] as const;
  for (const [options, typ] of cases) {
    await inOpenId(options, async (world, browser) => {
      const tokens = await signIn(world, browser, "alice");
      assertEquals([typOf(tokens.access_token), typOf(tokens.id_token)], [typ, "JWT"]);
    });
  }
});

it("access token: with typ JWT it works at userinfo, introspection and revocation", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  assertEquals(await livesOf(world, tokens), allAlive);
  await world.post("/oauth2/revoke", { token: tokens.access_token }, secretOf("app"));
  assertEquals(await livesOf(world, tokens), { userinfo: false, access: false, refresh: true });
});

/** Makes ID tokens with every claim of an access token, and with the audience that userinfo requires. */
const disguised: NonNullable<ServerOptions["seams"]> = {
  claims: (value) =>
    value.token !== "id_token" ? value : {
      ...value,
      claims: { ...value.claims, aud: "https://as.test", client_id: "app", jti: "x", scope: "openid" },
    },
};

const servers = [["without changes", {}], ["with the claims of an access token", disguised]] as const;
for (const [name, seams] of servers) {
  test(`access token: with typ JWT, an ID token ${name} does not count as one (RFC 9068 §5)`, () =>
    inOpenId({ ...asJwt, seams }, async (world, browser) => {
      const { id_token } = await signIn(world, browser, "alice");
      const response = await userinfoOf(world, id_token);
      assertEquals([response.status, world.lastRefusal()?.reason], [401, "token_unknown"]);
      assertEquals(await introspect(world, id_token), { active: false });
    }));
}

test("access token: with typ JWT, signed userinfo does not count as one", () => {
  const clients = [clientOf("app", { userinfo_signed_response_alg: "ES256" })];
  return inOpenId({ ...asJwt, clients }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    const signed = await (await userinfoOf(world, tokens.access_token)).text();
    assertEquals(typOf(signed), "JWT");
    assertEquals((await userinfoOf(world, signed)).status, 401);
    assertEquals(await introspect(world, signed), { active: false });
  });
});

it("access token: with typ JWT it does not count as id_token_hint and ends no session", async ({ world, browser }) => {
  const { access_token, id_token } = await signIn(world, browser, "alice");
  await ask(world, browser, { id_token_hint: access_token });
  assertEquals(world.lastRefusal()?.reason, "hint_not_ours");
  await logOut(browser, { id_token_hint: access_token });
  assertEquals(world.lastRefusal()?.reason, "hint_not_ours");
  await ask(world, browser, { id_token_hint: id_token });
  assertEquals(world.lastRefusal(), undefined);
});

test("access token: when the setting changes, at+jwt tokens stay valid, and JWT ones do not become ID tokens", async () => {
  const store = memoryStore();
  let before = "";
  let during = "";
  await inOpenId({ store }, async (world, browser) => {
    before = (await signIn(world, browser, "alice")).access_token;
  });
  await inOpenId({ ...asJwt, store }, async (world, browser) => {
    assertEquals((await userinfoOf(world, before)).status, 200);
    during = (await signIn(world, browser, "alice")).access_token;
  });
  await inOpenId({ store }, async (world, browser) => {
    assertEquals((await userinfoOf(world, before)).status, 200);
    assertEquals((await userinfoOf(world, during)).status, 401);
    await ask(world, browser, { id_token_hint: during });
    assertEquals(world.lastRefusal()?.reason, "hint_not_ours");
  });
});

it("access token: it and an ID token each have the claims that tell them apart (RFC 8725 §3.12)", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice");
  const [access, id] = [decodeJwt(tokens.access_token), decodeJwt(tokens.id_token)];
  assert("client_id" in access && !("at_hash" in access));
  assert("at_hash" in id && !("client_id" in id));
});

test("access token: a typ for opaque tokens is refused at start", () =>
  assertCannotCreate(
    () => createWorld({ ...asJwt, accessTokens: "opaque" }),
    'accessTokenType is for JWTs: leave it out, or set accessTokens to "jwt"',
  ));
