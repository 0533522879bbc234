/** Whole flows of a foreign client with its default settings. */

import { assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import { test } from "../runner.ts";
import { inWorld, type World } from "../world.ts";
import { discover, fetchFrom, type Flow, runFlow } from "./foreign_client.ts";

const secret = "basic secret: a+b%c";
const basicClient = { clientId: "basic", authenticate: oauth.ClientSecretBasic(secret) };
const postClient = { clientId: "post", authenticate: oauth.ClientSecretPost("post-secret") };
const byPicker = [{ person: "bob" }, { decision: "approve" }];

const flows: readonly (readonly [name: string, flow: Flow])[] = [
  ["a public client", {}],
  ["a confidential client with Basic", basicClient],
  ["a confidential client with its secret in the body", postClient],
  ["response_mode=query", { more: { response_mode: "query" } }],
  ["response_mode=fragment", { more: { response_mode: "fragment" } }],
  ["response_mode=form_post", { more: { response_mode: "form_post" } }],
  ["the request in a form", { post: true }],
  ["the request and the answer in forms", { post: true, more: { response_mode: "form_post" } }],
  ["the scope openid", { scope: "openid profile read" }],
  ["several scopes", { scope: "read write admin:everything" }],
];

for (const [name, flow] of flows) {
  for (const login of ["auto", "picker"]) {
    test(`flow: ${name}, sign-in by ${login}`, () =>
      inWorld({ login }, async (world) => {
        const answers = login === "picker" ? { answers: byPicker } : {};
        const { tokens, callback } = await runFlow(world, { ...flow, ...answers });
        assertEquals([tokens.token_type, tokens.expires_in], ["bearer", 3600]);
        assertEquals(tokens.scope, flow.scope ?? "read");
        assertEquals(decodeJwt(tokens.access_token).sub, login === "picker" ? "bob" : "alice");
        assertEquals([...callback.keys()], ["code", "state", "iss"]);
      }));
  }
}

for (
  const issuer of [
    "https://as.test/",
    "https://as.test/tenant",
    "https://as.test/tenant/",
    "http://localhost:9000",
  ]
) {
  test(`flow: the issuer ${issuer} (RFC 8414 §3, §2)`, () =>
    inWorld({ issuer, login: "picker" }, async (world) => {
      const { tokens, server } = await runFlow(world, { ...basicClient, answers: byPicker });
      assertEquals([server.issuer, decodeJwt(tokens.access_token).iss], [issuer, issuer]);
    }));
}

test("flow: sign-in with a password", () =>
  inWorld({ login: "picker", people: [{ username: "carol", password: "pa ss+%" }] }, async (world) => {
    const answers = [{ username: "carol", password: "pa ss+%" }, { decision: "approve" }];
    assertEquals(decodeJwt((await runFlow(world, { answers })).tokens.access_token).sub, "carol");
  }));

test("flow: sign-in with a wrong password first", () =>
  inWorld({ login: "picker", people: [{ username: "carol", password: "right" }] }, async (world) => {
    const carol = (password: string) => ({ username: "carol", password });
    const answers = [carol("wrong"), carol("right"), { decision: "approve" }];
    assertEquals(decodeJwt((await runFlow(world, { answers })).tokens.access_token).sub, "carol");
  }));

for (const [stage, answers] of [["sign-in", []], ["consent", [{ person: "alice" }]]] as const) {
  for (const response_mode of ["query", "fragment", "form_post"]) {
    test(`flow: a denial at ${stage} reaches the client by ${response_mode} (OAuth 2.1 §4.1.2.1)`, () =>
      inWorld({ login: "picker" }, async (world) => {
        const flow = { answers: [...answers, { decision: "deny" }], more: { response_mode } };
        const error = await assertRejects(() => runFlow(world, flow), oauth.AuthorizationResponseError);
        assertInstanceOf(error, oauth.AuthorizationResponseError);
        assertEquals([error.error, error.error_description], ["access_denied", "The person said no"]);
      }));
  }
}

test("flow: a refused request reaches the client (OAuth 2.1 §4.1.1, §4.1.2.1)", () =>
  inWorld({}, async (world) => {
    const flow = { more: { response_type: "token" } };
    const error = await assertRejects(() => runFlow(world, flow), oauth.AuthorizationResponseError);
    assertEquals((error as oauth.AuthorizationResponseError).error, "unsupported_response_type");
  }));

test("flow: a refused redemption reaches the client, by challenge or by body (OAuth 2.1 §3.2.4, §4.1.3)", () =>
  inWorld({}, async (world) => {
    const { redeemAgain } = await runFlow(world);
    const replay = await assertRejects(redeemAgain, oauth.ResponseBodyError) as oauth.ResponseBodyError;
    assertEquals([replay.error, replay.status], ["invalid_grant", 400]);
    const wrong = { clientId: "basic", authenticate: oauth.ClientSecretBasic("wrong") };
    const failed = await assertRejects(() => runFlow(world, wrong), oauth.WWWAuthenticateChallengeError);
    const { cause, status } = failed as oauth.WWWAuthenticateChallengeError;
    assertEquals([status, cause[0]?.scheme, cause[0]?.parameters["realm"]], [401, "basic", "postern"]);
  }));

test("flow: the client refuses an answer with another issuer, so it checks iss (OAuth 2.1 §4.1.2)", () =>
  inWorld({
    seams: {
      authorization_response({ params, ...rest }) {
        return {
          ...rest,
          params: params.map(([name, value]) => [name, name === "iss" ? `${value}/` : value]),
        };
      },
    },
  }, async (world) => {
    await assertRejects(() => runFlow(world), oauth.OperationProcessingError, "iss");
  }));

/** An API that checks tokens with the library. */
function callApi(world: World, server: oauth.AuthorizationServer, token: string, audience: string) {
  const request = new Request("https://api.example/", { headers: { authorization: `Bearer ${token}` } });
  return oauth.validateJwtAccessToken(server, request, audience, { [oauth.customFetch]: fetchFrom(world) });
}

for (const alg of ["ES256", "RS256", "EdDSA"] as const) {
  test(`flow: an API accepts a token signed with ${alg} for that API, and refuses it for another (RFC 8707 §2)`, async () => {
    const defaults = {
      issuer: "https://as.test",
      login: "auto",
      clients: [{ client_id: "public", redirect_uris: ["https://app.example/cb"] }],
    };
    await inWorld({ alg, now: () => Date.now() / 1000 }, async (world) => {
      const resource = "https://api.example/";
      const { tokens, server } = await runFlow(world, { more: { resource } });
      const claims = await callApi(world, server, tokens.access_token, resource);
      assertEquals([claims.aud, claims.client_id, claims.sub, claims.scope], [
        resource,
        "public",
        "alice",
        "read",
      ]);
      await assertRejects(() => callApi(world, server, tokens.access_token, "https://other.example/"));
    }, defaults);
  });
}

test("flow: with several resources, the token is valid for each of them (RFC 8707 §2)", () =>
  inWorld({ now: () => Date.now() / 1000 }, async (world) => {
    const resource = ["https://one.example/", "https://two.example/"];
    const { tokens, server } = await runFlow(world, { more: { resource } });
    for (const each of resource) await callApi(world, server, tokens.access_token, each);
  }));

test("flow: opaque tokens", () =>
  inWorld({ accessTokens: "opaque" }, async (world) => {
    const { tokens } = await runFlow(world, postClient);
    assertMatch(tokens.access_token, /^[\w-]{22}\.[\w-]{43}$/);
  }));

test("flow: a request with nonce and without state gets a code", () =>
  inWorld({}, async (world) => {
    const server = await discover(world);
    const url = world.authorizeUrl({ state: undefined, nonce: oauth.generateRandomNonce() });
    const callback = new URL((await world.get(url)).headers.get("location")!);
    const params = oauth.validateAuthResponse(server, { client_id: "public" }, callback, oauth.expectNoState);
    assertEquals([...params.keys()], ["code", "iss"]);
  }));

test("flow: twenty simultaneous flows do not affect each other", () =>
  inWorld({}, async (world) => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) => runFlow(world, { scope: `scope:${at}` })),
    );
    assertEquals(results.map(({ tokens }) => tokens.scope), results.map((_, at) => `scope:${at}`));
    assertEquals(new Set(results.map(({ tokens }) => tokens.access_token)).size, 20);
  }));
