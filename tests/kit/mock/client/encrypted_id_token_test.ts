/** The test kit plays a client whose ID tokens are encrypted (OpenID Connect Core §10.2). */

import { assertEquals, assertRejects } from "@std/assert";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { decrypt, encryptingClient, encryptionKeys } from "../../../server/tokens/encryption.ts";

const decryptionKey = encryptionKeys["ECDH-ES"] as JsonWebKey;

const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

function createServer(alg: "RSA-OAEP-256" | "ECDH-ES" = "ECDH-ES"): Promise<Mock> {
  const members = {
    id_token_encrypted_response_alg: alg,
    id_token_encrypted_response_enc: "A256GCM",
    post_logout_redirect_uris: ["https://app.test/bye"],
    grant_types: ["authorization_code", "refresh_token", deviceGrantType],
  } as const;
  return createMock({ alg: "ES256", clients: [encryptingClient(members)] });
}

for (const alg of ["RSA-OAEP-256", "ECDH-ES"] as const) {
  test(`login: the claims of an ID token that is encrypted with ${alg} are read with the key of the client`, async () => {
    const decryptionKey = encryptionKeys[alg] as JsonWebKey;
    await using as = await createServer(alg);
    assertEquals((await as.login("bob")).claims, undefined);
    const tokens = await as.login("bob", { decryptionKey });
    assertEquals(tokens.id_token!.split(".").length, 5);
    assertEquals(tokens.claims?.sub, "bob");
    assertEquals((await as.refresh(tokens)).claims?.sub, "bob");
    const onDevice = await as.login("bob", { device: true, client: "public", decryptionKey });
    assertEquals(onDevice.claims?.sub, "bob");
    assertEquals((await as.refresh(onDevice)).claims?.sub, "bob");
  });
}

test("expire: an ID token that is encrypted is encrypted again", async () => {
  await using as = await createServer();
  const tokens = await as.login("bob", { decryptionKey });
  const expired = await as.expire(tokens);
  assertEquals(expired.claims!.exp < as.clock.now, true);
  assertEquals(expired.claims!.at_hash === tokens.claims!.at_hash, false);
  const { protectedHeader: { epk: _now, ...now } } = await decrypt(expired.id_token!);
  const { protectedHeader: { epk: _before, ...before } } = await decrypt(tokens.id_token!);
  assertEquals(now, before);
  assertEquals((await decrypt(await as.expire(tokens.id_token!))).protectedHeader.enc, "A256GCM");
});

test("expire: an ID token that the server has not encrypted stays so, although the client has a key", async () => {
  await using as = await createMock({ alg: "ES256" });
  const tokens = await as.login("bob", { decryptionKey });
  assertEquals((await as.expire(tokens.id_token!)).split(".").length, 3);
  assertEquals((await as.expire(tokens)).id_token!.split(".").length, 3);
});

test("endSession: the hint of a client whose ID tokens are encrypted is the signed ID token", async () => {
  await using as = await createServer();
  const browser = as.browser();
  const tokens = await as.login("bob", { browser, scope: "openid", decryptionKey });
  await as.endSession(tokens);
  await assertRejects(() => as.login(undefined, { browser, prompt: "none" }), Error, "login_required");
  await assertRejects(() => as.refresh(tokens), Error, "invalid_grant");
});

test("expire: without the key of the client, nothing expires", async () => {
  await using as = await createServer();
  const tokens = await as.login("bob");
  const expected = "Cannot expire: the ID token is encrypted: log in with decryptionKey";
  await assertRejects(() => as.expire(tokens), TypeError, expected);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assertEquals((await as.fetch(`${as.issuer}/userinfo`, { headers })).status, 200);
});

test("id_token.alg_none: a client whose ID tokens are encrypted gets a JWE that contains an unsigned JWT (CVE-2026-29000)", async () => {
  await using as = await createServer();
  using _wrong = as.misbehave("id_token.alg_none");
  const { id_token: idToken } = await as.login("bob");
  const { text, protectedHeader } = await decrypt(idToken!);
  const [header, , signature] = text.split(".");
  const { alg } = JSON.parse(atob(header!));
  assertEquals([protectedHeader.cty, alg, signature], ["JWT", "none", ""]);
});
