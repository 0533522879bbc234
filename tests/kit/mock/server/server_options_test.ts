/** The options of a server in the test kit: the client that the kit plays follows them. */

import { assertEquals, assertRejects } from "@std/assert";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { redirectUri } from "../../../world.ts";
import { keys } from "../../../server/tokens/assertions.ts";

test("also: the test kit answers there, and begins issuers there", async () => {
  const also = "http://postern:9000";
  await using as = await createMock({ also: [also], allowPrivateHttp: true, paths: "navikt" });
  for (const name of ["default", "other"]) {
    const response = await as.fetch(`${also}/${name}/.well-known/openid-configuration`);
    const { issuer, token_endpoint } = await response.json();
    assertEquals([issuer, token_endpoint], [`https://as.test/${name}`, `${also}/${name}/token`]);
  }
  await assertRejects(
    () => as.fetch("http://third:9000/default/token"),
    TypeError,
    `This fetch answers for https://as.test and ${also} only`,
  );
  using _interception = as.intercept();
  assertEquals((await fetch(`${also}/default/jwks`)).status, 200);
});

test("demo resource: a DPoP proof names its own URL, also if the issuer has a path (RFC 9449 §4.3)", async () => {
  await using as = await createMock({ alg: "ES256", issuer: "https://as.test/tenant", demoResource: "/a" });
  const resource = "https://as.test/a";
  const tokens = await as.login("bob", { scope: "read", resource, dpop: true });
  const response = await as.fetch(resource, { headers: await as.dpopHeaders(tokens, resource) });
  assertEquals([response.status, (await response.json()).token_type], [200, "DPoP"]);
  assertEquals(as.requests.resource.last?.person, "bob");
});

test("clientAuthMethods: the clients of the test kit are only the accepted ones", async () => {
  await using as = await createMock({ clientAuthMethods: ["client_secret_basic"], seed: 1 });
  assertEquals(as.clients.all.map(({ client_id }) => client_id), ["app-confidential"]);
});

test("issSent: the test kit logs in with any of them, because it knows its server", async () => {
  await using as = await createMock({ issSent: "foreign", seed: 1 });
  assertEquals((await as.login("alice")).claims?.sub, "alice");
});

for (const profile of ["fapi2-security", "fapi2-message-signing"] as const) {
  test(`fapi: the client of the test kit follows ${profile} without a word in the test`, async () => {
    const device = "urn:ietf:params:oauth:grant-type:device_code";
    const grant_types = ["authorization_code", "refresh_token", device];
    const jwks = { keys: [{ ...keys.es256.jwk, kid: "es" } as JsonWebKey] };
    const bank = { client_id: "bank", jwks, redirect_uris: [redirectUri], grant_types };
    await using as = await createMock({ clients: [bank], profile });
    const clientKey = {
      ...await crypto.subtle.exportKey("jwk", keys.es256.privateKey),
      kid: "es",
      alg: "ES256",
    };
    const tokens = await as.login("alice", { client: "bank", clientKey } as never);
    assertEquals(tokens.token_type, "DPoP");
    const refreshed = await as.refresh(tokens, { clientKey } as never);
    assertEquals(refreshed.refresh_token, tokens.refresh_token);
    const onDevice = await as.login("alice", { device: true, client: "bank", clientKey } as never);
    assertEquals(onDevice.token_type, "DPoP");
  });
}
