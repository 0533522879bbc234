/** An encrypted ID token that is compressed: a client without a limit inflates it (RFC 7516 §4.1.3; CVE-2024-33664). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  compactDecrypt,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
} from "jose";
import { present } from "../../../src/ground/values/present.ts";
import { createMock, examine } from "../../../src/kit/mod.ts";
import type { ClientMetadata } from "../../../src/mod.ts";
import { encryptingClient, encryptionKeys } from "../../server/tokens/encryption.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { redirectUri } from "../../world.ts";
import { createClient } from "./clients/client.ts";
import { type Habits, quick, quickAlg } from "./clients/habits.ts";

const name = "id_token.encrypted_compressed";

type KeyAlg = keyof typeof encryptionKeys;

async function decryptWith(idToken: string, maxDecompressedLength: number): Promise<string> {
  const alg = decodeProtectedHeader(idToken).alg as KeyAlg;
  const key = await importJWK(encryptionKeys[alg], alg);
  const { plaintext } = await compactDecrypt(idToken, key, { maxDecompressedLength });
  return new TextDecoder().decode(plaintext);
}

/** Examines a client that decrypts its ID tokens so, and then does each check. */
async function examineWith(decrypts: Habits["decrypts"], members: Partial<ClientMetadata>) {
  const { rows: [row] } = await examine({
    client: createClient({ ...quick, ...present({ decrypts }) }),
    only: [name],
    options: { alg: quickAlg, clients: [encryptingClient(members)] },
    within: 60,
  });
  return row!;
}

const encrypted = (alg: KeyAlg) => ({ id_token_encrypted_response_alg: alg });

test(`${name}: a client without a limit goes on with what it inflated`, async () => {
  const { outcome, because } = await examineWith(
    (idToken) => decryptWith(idToken, Infinity),
    encrypted("ECDH-ES"),
  );
  assertEquals(outcome, "fooled", because);
});

async function decryptUncompressed(idToken: string): Promise<string> {
  if ("zip" in decodeProtectedHeader(idToken)) throw new Error("zip is not supported");
  return await decryptWith(idToken, 0);
}

test(`${name}: a client that limits what it inflates notices it, as one that inflates nothing`, async () => {
  const careful: readonly Habits["decrypts"][] = [
    (idToken) => decryptWith(idToken, 250_000),
    (idToken) => decryptWith(idToken, 10_000_000),
    decryptUncompressed,
  ];
  for (const decrypts of careful) {
    assertEquals((await examineWith(decrypts, encrypted("ECDH-ES"))).outcome, "noticed");
  }
});

test(`${name}: a client that refuses each unknown claim shows no limit`, async () => {
  const refuseUnknown: Habits["decrypts"] = async (idToken) => {
    const jwt = await decryptWith(idToken, Infinity);
    if (Object.keys(decodeJwt(jwt)).some((claim) => claim.startsWith("https:"))) throw new Error("unknown");
    return jwt;
  };
  const { outcome, because } = await examineWith(refuseUnknown, encrypted("ECDH-ES"));
  assertEquals(outcome, "unknown");
  assertStringIncludes(because, "The client did not go on with id_token.unknown_claims either");
});

test(`${name}: a client whose ID tokens are only signed does not get it`, async () => {
  const { outcome, because } = await examineWith(undefined, {});
  assertEquals([outcome, because], ["not_applicable", "The client gets no encrypted ID token."]);
});

for (const alg of ["RSA-OAEP-256", "ECDH-ES"] as const) {
  test(`${name}: with ${alg}, the token is small, and inflates to a signed one with the right claims`, async () => {
    await using as = await createMock({
      alg: quickAlg,
      clients: [encryptingClient(encrypted(alg))],
    });
    const own = { client_id: "public", redirect_uri: redirectUri };
    const logIn = async (): Promise<string> => {
      const url = authorizeUrl(as.issuer, { ...own, scope: "openid" });
      const code = `${(await as.authorize(url)).searchParams.get("code")}`;
      return (await (await requestToken(as, { ...own, code })).json()).id_token;
    };
    const { epk: _epk, ...usual } = decodeProtectedHeader(await logIn());
    using wrong = as.misbehave(name);
    const idToken = await logIn();
    const { epk: _ownEpk, ...header } = decodeProtectedHeader(idToken);
    assertEquals([header, wrong.count], [{ ...usual, zip: "DEF" }, 1]);
    assertEquals(idToken.length < 110_000, true);
    const jwt = await decryptWith(idToken, Infinity);
    assertEquals(jwt.length > 16_000_000, true);
    const jwks = await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
    const { iss, aud, ...others } = (await jwtVerify(jwt, createLocalJWKSet(jwks))).payload;
    assertEquals([iss, aud, others["https://as.test/padding"] !== undefined], [as.issuer, "public", true]);
  });
}

test(`${name}: an ID token that is only signed stays as it is`, async () => {
  await using as = await createMock({ alg: quickAlg });
  using wrong = as.misbehave(name);
  const url = authorizeUrl(as.issuer, { scope: "openid" });
  const code = `${(await as.authorize(url)).searchParams.get("code")}`;
  const { id_token: idToken } = await (await requestToken(as, { code })).json();
  assertEquals([idToken.split(".").length, wrong.count], [3, 0]);
});
