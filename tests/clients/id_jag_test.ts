/** Both sides of ID-JAG, which have the configuration of the documentation and nothing else. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import * as openid from "openid-client";
import { createServer, type ServerOptions } from "../../src/mod.ts";
import { readPage } from "../documentation/blocks.ts";
import { test } from "../runner.ts";
import { createVisitor } from "../portable/server/clients/visitor.ts";

const page = "docs/agent_with_id_jag.md";
const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const servers: ReturnType<typeof createServer>[] = [];

/** Sends a request to the server of its URL. */
async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const server = servers.find(({ issuer }) => request.url.startsWith(`${issuer}/`))!;
  return await server.fetch(request);
}

const configurations: readonly ServerOptions[] = readPage(page)
  .filter(({ language }) => language === "json").map(({ text }) => JSON.parse(text));

/** The agent finds a server, at which it authenticates by a secret. */
function discover(issuer: string, id: string, secret: string): Promise<openid.Configuration> {
  const options = {
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: send as openid.CustomFetch,
  };
  return openid.discovery(new URL(issuer), id, undefined, openid.ClientSecretBasic(secret), options);
}

/** Signs bob in at the identity provider. */
async function signIn(idp: string, config: openid.Configuration): Promise<string> {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const code_challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
  const pkce = { code_challenge, code_challenge_method: "S256" };
  const terms = { redirect_uri: "http://127.0.0.1/callback", scope: "openid", ...pkce };
  const visitor = createVisitor({ send, serves: ({ origin }) => origin === idp });
  const { leftFor } = await visitor.open(openid.buildAuthorizationUrl(config, terms));
  const checks = { pkceCodeVerifier, idTokenExpected: true };
  return (await openid.authorizationCodeGrant(config, leftFor!, checks)).id_token!;
}

test(`clients: openid-client 6 gets a token for an ID-JAG of another server, as in ${page} (ID-JAG §4)`, async () => {
  for (const configuration of configurations) {
    servers.push(createServer({ ...configuration, login: "auto:bob", alg: "ES256", fetch: send }));
  }
  const [idp, chat] = servers.map(({ issuer }) => issuer) as [string, string];
  const resource = "https://mcp.example/mcp";
  const atIdp = await discover(idp, "agent", "secret-at-idp");
  const { access_token: assertion } = await openid.genericGrantRequest(atIdp, exchange, {
    requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
    audience: chat,
    resource,
    scope: "chat.read",
    subject_token: await signIn(idp, atIdp),
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
  });
  const atChat = await discover(chat, "agent-at-chat", "secret-at-chat");
  const { access_token } = await openid.genericGrantRequest(atChat, jwtBearer, { assertion });
  const { iss, sub, aud, client_id, scope } = decodeJwt(access_token);
  assertEquals([iss, sub, aud, client_id, scope], [chat, "bob", resource, "agent-at-chat", "chat.read"]);
  await Promise.all(servers.map((server) => server.close()));
});
