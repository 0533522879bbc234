/** The option `tokenClaims`: claims for the tokens of some requests, in access tokens, ID tokens and userinfo. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { createServer, type ServerOptions } from "../../../src/mod.ts";
import { assertCannotCreate, assertTokens } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { basic, inWorld, type Params, type World } from "../../world.ts";
import { refresh } from "./bearer.ts";

const secret = basic("basic", "basic secret: a+b%c");

type Entry = NonNullable<ServerOptions["tokenClaims"]>[number];

const inThisWorld = (
  tokenClaims: readonly Entry[],
  work: (world: World) => Promise<void>,
  more: ServerOptions = {},
) => inWorld({ tokenClaims, ...more }, work);

async function ofClient(world: World, more: Params = {}): Promise<Readonly<Record<string, unknown>>> {
  const form = { grant_type: "client_credentials", scope: "orders", ...more };
  const tokens = await assertTokens(await world.post("/oauth2/token", form, secret));
  return decodeJwt(tokens["access_token"] as string);
}

const names = (claims: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(["sub", "aud", "roles", "team"].map((name) => [name, claims[name]]));

test("tokenClaims: the first entry whose conditions a request meets gives its claims", () =>
  inThisWorld([
    { when: { client_id: "public" }, claims: { roles: ["wrong"] } },
    { when: { scope: "orders", team: "blue|green" }, claims: { roles: ["painter"], team: "paint" } },
    { when: { scope: "orders.*", grant_type: "client_credentials" }, claims: { roles: ["reader"] } },
    { claims: { roles: ["other"] } },
  ], async (world) => {
    const rolesOf = async (more: Params) => (await ofClient(world, more))["roles"];
    assertEquals(await rolesOf({}), ["reader"]);
    assertEquals(await rolesOf({ scope: "orders write" }), ["reader"]);
    assertEquals(await rolesOf({ team: "green" }), ["painter"]);
    for (const team of ["greenish", "evergreen", "blues"]) assertEquals(await rolesOf({ team }), ["reader"]);
    assertEquals(await rolesOf({ scope: "my-orders" }), ["other"]);
  }));

test("tokenClaims: a client's own token may have another subject and audience, except for a requested resource", () =>
  inThisWorld([{ claims: { sub: "service", aud: ["a", "b"] } }], async (world) => {
    const claims = await ofClient(world);
    assertEquals([claims["sub"], claims["aud"], claims["client_id"]], ["service", ["a", "b"], "basic"]);
    const resource = "https://api.example";
    assertEquals((await ofClient(world, { resource }))["aud"], resource);
  }));

test("tokenClaims: a person's tokens and userinfo have the claims, also after a refresh, and the person's sub", () =>
  inThisWorld(
    [{
      when: { scope: ".*openid.*" },
      claims: { sub: "ignored", aud: "orders-api", roles: ["admin"], team: "blue" },
    }],
    async (world) => {
      const { issuer } = world;
      const first = await assertTokens(await world.redeem(await world.code({ scope: "openid orders" })));
      const refreshed = await assertTokens(
        await refresh(world, first["refresh_token"] as string, { client_id: "public" }),
      );
      for (const tokens of [first, refreshed]) {
        const accessToken = tokens["access_token"] as string;
        assertEquals(names(decodeJwt(accessToken)), {
          sub: "alice",
          // The issuer is in the list, so that the userinfo endpoint accepts the token.
          aud: ["orders-api", issuer],
          roles: ["admin"],
          team: "blue",
        });
        assertEquals(names(decodeJwt(tokens["id_token"] as string)), {
          sub: "alice",
          aud: "public",
          roles: ["admin"],
          team: "blue",
        });
        const userinfo = await world.get("/userinfo", { authorization: `Bearer ${accessToken}` });
        assertEquals(await userinfo.json(), { sub: "alice", roles: ["admin"], team: "blue" });
      }
      const other = await assertTokens(await world.redeem(await world.code({ scope: "orders" })));
      assertEquals(names(decodeJwt(other["access_token"] as string)), {
        sub: "alice",
        aud: issuer,
        roles: undefined,
        team: undefined,
      });
    },
  ));

test("tokenClaims: userinfo has no claim that the access token has from the person, for claimsIn.accessToken", () => {
  const when = { grant_type: "client_credentials" };
  const people = [{ username: "alice", claims: { roles: ["admin"], team: "red" } }];
  const entries = [{ when, claims: { roles: ["admin"], team: "blue" } }, { claims: { level: 1 } }];
  return inThisWorld(entries, async (world) => {
    const tokens = await assertTokens(await world.redeem(await world.code({ scope: "openid" })));
    const accessToken = tokens["access_token"] as string;
    const { roles, team, level } = decodeJwt(accessToken);
    assertEquals([roles, team, level], [["admin"], "red", 1]);
    const userinfo = await world.get("/userinfo", { authorization: `Bearer ${accessToken}` });
    assertEquals(await userinfo.json(), { sub: "alice", level: 1 });
  }, { people, claimsIn: { accessToken: ["roles", "team"] } });
});

test("tokenClaims: opaque tokens and introspection have the claims, too", () =>
  inThisWorld([{ claims: { roles: ["reader"], sub: "service" } }], async (world) => {
    const form = { grant_type: "client_credentials", scope: "orders" };
    const tokens = await assertTokens(await world.post("/oauth2/token", form, secret));
    const answer = await world.post(
      "/oauth2/introspect",
      { token: tokens["access_token"] as string },
      secret,
    );
    const { active, roles, sub } = await answer.json();
    assertEquals({ active, roles, sub }, { active: true, roles: ["reader"], sub: "service" });
  }, { accessTokens: "opaque" }));

test("tokenClaims: an entry for another issuer has no effect", async () => {
  const entries: readonly Entry[] = [
    { issuer: "tokenx", claims: { roles: ["tokenx"] } },
    { issuer: "azuread", claims: { roles: ["azuread"] } },
  ];
  const requireRoles = (issuer: string, roles: unknown) =>
    inThisWorld(entries, async (world) => assertEquals((await ofClient(world))["roles"], roles), { issuer });
  await requireRoles("https://as.test/azuread", ["azuread"]);
  await requireRoles("https://as.test", undefined);
});

const wrong: readonly (readonly [entry: unknown, sentence: string])[] = [
  [{}, "tokenClaims[0].claims is required"],
  [{ claims: { exp: 5 } }, "tokenClaims[0].claims.exp must be left out: the server sets this claim"],
  [{ claims: { aud: 5 } }, "tokenClaims[0].claims.aud must"],
  [{ claims: { aud: [] } }, "tokenClaims[0].claims.aud must"],
  [{ claims: { sub: "alice" } }, "tokenClaims[0].claims.sub must not be the sub of a person"],
  [{ claims: { sub: "" } }, "tokenClaims[0].claims.sub must not be empty"],
  [{ claims: {}, when: { scope: "(" } }, 'tokenClaims[0].when.scope must be a regular expression, not "("'],
  [{ claims: {}, when: { scope: "a)|(b" } }, "tokenClaims[0].when.scope must be a regular expression"],
  [{ claims: {}, when: { scope: 5 } }, "tokenClaims[0].when.scope must be a string"],
  [{ claims: {}, match: {} }, "tokenClaims[0].match is not known"],
];

for (const [entry, sentence] of wrong) {
  test(`tokenClaims: ${JSON.stringify(entry)} is refused at start`, () =>
    assertCannotCreate(() => createServer({ tokenClaims: [entry as Entry] }), sentence));
}
