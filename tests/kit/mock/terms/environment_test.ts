/** The environment variables of an application. */

import { assertEquals, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type MockOptions } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

const quick: MockOptions = { alg: "ES256" };

test("env: gives the settings of an application", async () => {
  await using as = await createMock(quick);
  assertEquals(as.env(), {
    OAUTH_ISSUER: "https://as.test",
    OAUTH_CLIENT_ID: "app",
    OAUTH_REDIRECT_URI: "https://app.test/callback",
  });
  assertEquals(as.env("app-confidential")["OAUTH_CLIENT_SECRET"], "app-secret");
  assertThrows(() => as.env("shop"), TypeError, "There is no client shop");
});

test("env: is about the client that login and mint use, and leaves out a secret that the client does not send", async () => {
  const { publicKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]) as CryptoKeyPair;
  const jwks = { keys: [await crypto.subtle.exportKey("jwk", publicKey)] } as never;
  await using as = await createMock({
    ...quick,
    clients: [
      { client_id: "machine", client_secret: "m", grant_types: ["client_credentials"] },
      { client_id: "app", redirect_uris: ["https://app.test/callback"] },
      {
        ...{ client_id: "signer", client_secret: "unused", jwks, redirect_uris: ["https://app.test/signer"] },
        token_endpoint_auth_method: "private_key_jwt",
      },
    ],
  });
  assertEquals([as.env().OAUTH_CLIENT_ID, decodeJwt(await as.mint())["client_id"]], ["app", "app"]);
  assertEquals(as.env("machine")["OAUTH_CLIENT_SECRET"], "m");
  assertEquals(as.env("signer")["OAUTH_CLIENT_SECRET"], undefined);
});

test("env: with first use gives an example id if no client is configured, and without it needs a client", async () => {
  await using open = await createMock(quick);
  for (const { client_id: id } of open.clients.all) open.clients.remove(id);
  assertEquals(open.env(), { OAUTH_ISSUER: "https://as.test", OAUTH_CLIENT_ID: "my-app" });
  await using closed = await createMock({ ...quick, clients: [] });
  assertThrows(() => closed.env(), TypeError, "No clients are configured: add one with as.clients.add(");
  closed.clients.add({ client_id: "shop", redirect_uris: ["https://shop.test/cb"] });
  assertEquals(closed.env().OAUTH_CLIENT_ID, "shop");
});
