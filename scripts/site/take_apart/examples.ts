/** Examples for the page that takes texts apart. A published key signs them, and they end in the year 2096. */
import { testKeysFor } from "../../../src/kit/mock/server/test_keys.ts";
import { importSigningKey, signWithHeader } from "../../../src/ground/crypto/jwt.ts";
import { joinJwt, parseJwt } from "../../../src/ground/crypto/jwt_parts.ts";

export interface Example {
  readonly name: string;
  /** The values of the form. */
  readonly fields: Readonly<Record<string, string>>;
}

const issuer = "https://login.example";
const state = "mV3KpX0q";

export async function writeExamples(): Promise<readonly Example[]> {
  const key = await importSigningKey(testKeysFor(["RS256"])[0]!, "RS256");
  const keys = JSON.stringify({ keys: [key.publicJwk] });
  const header = { alg: "RS256", typ: "JWT", kid: key.kid };
  const claims = {
    iss: issuer,
    sub: "alice",
    aud: "shop",
    exp: 3_976_214_300,
    iat: 1_767_225_900,
    auth_time: 1_767_225_890,
    nonce: "n-0S6WzA2Mj",
    email: "alice@example.com",
  };
  const known = { issuer, audience: "shop", nonce: claims.nonce, state, keys };
  const token = await signWithHeader(key, header, claims);
  const unsigned = joinJwt({
    header: { alg: "none", typ: "JWT" },
    claims: { ...claims, sub: "mallory" },
    signature: "",
  });
  return [
    { name: "an ID token", fields: { ...known, pasted: token } },
    { name: "a forged ID token", fields: { ...known, pasted: unsigned } },
    { name: "an altered ID token", fields: { ...known, pasted: alter(token) } },
    {
      name: "a callback",
      fields: {
        ...known,
        pasted: `https://shop.example/callback?${callback({ code: "SplxlOBeZQQYbYS6WxSbIA" })}`,
      },
    },
    {
      name: "a callback with an error",
      fields: { ...known, pasted: `https://shop.example/callback?${callback({ error: "login_required" })}` },
    },
    { name: "a key set", fields: { pasted: keys } },
    { name: "metadata", fields: { issuer, pasted: JSON.stringify(metadata, null, 2) } },
  ];
}

function callback(outcome: Readonly<Record<string, string>>): string {
  return `${new URLSearchParams({ ...outcome, state, iss: issuer })}`;
}

/** The signature stays, and the claims say another person. */
function alter(token: string): string {
  const { header, claims, signature } = parseJwt(token)!;
  return joinJwt({ header, claims: { ...claims, sub: "mallory" }, signature });
}

/** It lacks what a client needs to see that the server supports PKCE. */
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/oauth2/authorize`,
  token_endpoint: `${issuer}/oauth2/token`,
  jwks_uri: "http://login.example/oauth2/jwks",
  response_types_supported: ["code", "token"],
  grant_types_supported: ["authorization_code", "refresh_token", "password"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
};
