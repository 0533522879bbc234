/** Whole flows of a foreign client with its default settings. */

import { assertEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import * as oauth from "oauth4webapi";
import { test } from "../runner.ts";
import { inWorld, type World } from "../world.ts";
import { fetchFrom, type Flow, runFlow } from "./foreign_client.ts";

const basicClient = { clientId: "basic", authenticate: oauth.ClientSecretBasic("basic secret: a+b%c") };
const postClient = { clientId: "post", authenticate: oauth.ClientSecretPost("post-secret") };
const byPicker = [{ person: "bob" }, { decision: "approve" }];

const flows: Readonly<Record<string, Flow>> = {
  "a public client": {},
  "a confidential client with Basic": basicClient,
  "a confidential client with its secret in the body": postClient,
  "response_mode=query": { more: { response_mode: "query" } },
  "response_mode=fragment": { more: { response_mode: "fragment" } },
  "response_mode=form_post": { more: { response_mode: "form_post" } },
  "the request in a form": { post: true },
  "the request and the answer in forms": { post: true, more: { response_mode: "form_post" } },
  "the scope openid": { scope: "openid profile read" },
  "several scopes": { scope: "read write admin:everything" },
};

for (const login of ["auto", "picker"]) {
  for (const [name, flow] of Object.entries(flows)) {
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

const withPaths = ["https://as.test/", "https://as.test/tenant", "https://as.test/tenant/"];

for (const issuer of [...withPaths, "http://localhost:9000"]) {
  test(`flow: the issuer ${issuer} (RFC 8414 §3, §2)`, () =>
    inWorld({ issuer, login: "picker" }, async (world) => {
      const { tokens, server } = await runFlow(world, { ...basicClient, answers: byPicker });
      assertEquals([server.issuer, decodeJwt(tokens.access_token).iss], [issuer, issuer]);
    }));
}

test("flow: sign-in with a wrong password first", () =>
  inWorld({ login: "picker", people: [{ username: "carol", password: "pa ss+%" }] }, async (world) => {
    const carol = (password: string) => ({ username: "carol", password });
    const answers = [carol("wrong"), carol("pa ss+%"), { decision: "approve" }];
    assertEquals(decodeJwt((await runFlow(world, { answers })).tokens.access_token).sub, "carol");
  }));

/** An API that checks tokens with the library. */
function callApi(world: World, server: oauth.AuthorizationServer, token: string, audience: string) {
  const request = new Request("https://api.example/", { headers: { authorization: `Bearer ${token}` } });
  return oauth.validateJwtAccessToken(server, request, audience, { [oauth.customFetch]: fetchFrom(world) });
}

test("flow: an API accepts a token for it, also one for several APIs, and no other token (RFC 8707 §2)", () =>
  inWorld({ now: () => Date.now() / 1000 }, async (world) => {
    const resource = ["https://one.example/", "https://two.example/"];
    const { tokens, server } = await runFlow(world, { more: { resource } });
    for (const each of resource) {
      const { client_id, sub, scope } = await callApi(world, server, tokens.access_token, each);
      assertEquals({ client_id, sub, scope }, { client_id: "public", sub: "alice", scope: "read" });
    }
    await assertRejects(() => callApi(world, server, tokens.access_token, "https://other.example/"));
  }));

test("flow: twenty simultaneous flows do not affect each other", () =>
  inWorld({}, async (world) => {
    const scopes = Array.from({ length: 20 }, (_none, at) => `scope:${at}`);
    const results = await Promise.all(scopes.map((scope) => runFlow(world, { scope })));
    assertEquals(results.map(({ tokens }) => tokens.scope), scopes);
    assertEquals(new Set(results.map(({ tokens }) => tokens.access_token)).size, 20);
  }));
