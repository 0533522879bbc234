/** `openid-client` 6 reads authorization responses that are signed and encrypted JWTs (JARM). */

import { assertEquals } from "@std/assert";
import { importJWK } from "jose";
import * as client from "openid-client";
import { test } from "../../../runner.ts";
import { encryptionJwks, encryptionKeys } from "../../../server/tokens/encryption.ts";
import { discoverConfiguration } from "./discovery.ts";
import { prepareLogin } from "./openid_client_login.ts";
import { type ClientMetadata, publicClient, requireCarol, signInFor, withWorld } from "./postern.ts";
import type { Visitor } from "./visitor.ts";

const algorithms = ["RSA-OAEP-256", "ECDH-ES"] as const;

/** A client whose authorization responses and ID tokens are encrypted. */
function encrypted(alg: typeof algorithms[number], enc: "A128GCM" | "A256GCM"): ClientMetadata {
  return {
    ...publicClient,
    jwks: encryptionJwks,
    authorization_encrypted_response_alg: alg,
    authorization_encrypted_response_enc: enc,
    id_token_encrypted_response_alg: alg,
    id_token_encrypted_response_enc: enc,
  };
}

async function logIn(config: client.Configuration, visitor: Visitor): Promise<void> {
  const { params, checks } = await prepareLogin();
  const url = client.buildAuthorizationUrl(config, params);
  assertEquals(url.searchParams.get("response_mode"), "jwt");
  const callback = await signInFor(visitor, url);
  assertEquals([...callback.searchParams.keys()], ["response"]);
  const tokens = await client.authorizationCodeGrant(config, callback, checks);
  requireCarol(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub));
}

test("clients: openid-client 6 reads a signed response (JARM §2.4)", () =>
  withWorld(publicClient, async (world, visitor) => {
    const config = await discoverConfiguration(world, client.None());
    client.useJwtResponseMode(config);
    await logIn(config, visitor);
  }));

for (const [alg, enc] of [["RSA-OAEP-256", "A256GCM"], ["ECDH-ES", "A128GCM"]] as const) {
  test(`clients: openid-client 6 decrypts the response and the ID token with ${alg} and ${enc} (JARM §2.4; OpenID Connect Core §10.2)`, () =>
    withWorld(encrypted(alg, enc), async (world, visitor) => {
      const config = await discoverConfiguration(world, client.None());
      client.useJwtResponseMode(config);
      const key = await importJWK(encryptionKeys[alg], alg) as never;
      client.enableDecryptingResponses(config, [enc], { key, alg, kid: encryptionKeys[alg].kid! });
      await logIn(config, visitor);
    }));
}
