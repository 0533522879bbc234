/** The MCP SDK: its client finds the authorization server in the MCP server's metadata, and bob signs in. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { createMock } from "postern/mock";

const resource = "https://mcp.test/mcp";
const as = await createMock();
after(() => as.close());

const metadata = { resource, authorization_servers: [as.issuer] };
const fetchFn = (url, init) =>
  new URL(url).origin === as.issuer ? as.fetch(url, init) : Promise.resolve(Response.json(metadata));

const saved = {};
const provider = {
  redirectUrl: "https://app.test/callback",
  clientMetadata: { redirect_uris: ["https://app.test/callback"] },
  clientInformation: () => ({ client_id: "app" }),
  tokens: () => saved.tokens,
  saveTokens: (tokens) => void (saved.tokens = tokens),
  codeVerifier: () => saved.verifier,
  saveCodeVerifier: (verifier) => void (saved.verifier = verifier),
  redirectToAuthorization: (url) => void (saved.url = url),
};

test("an MCP client signs bob in, and gets a token for the MCP server", async () => {
  assert.equal(await auth(provider, { serverUrl: resource, fetchFn }), "REDIRECT");
  const callback = await as.authorize(saved.url, { as: "bob" });
  const authorizationCode = callback.searchParams.get("code");
  assert.equal(await auth(provider, { serverUrl: resource, authorizationCode, fetchFn }), "AUTHORIZED");

  const request = new Request(resource, {
    headers: { authorization: `Bearer ${saved.tokens.access_token}` },
  });
  assert.equal((await as.protect({ audience: resource })(request)).sub, "bob");
});
