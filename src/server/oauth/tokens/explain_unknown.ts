/** Explains for the journal why the server does not recognise a token. */

import { readUnverified, readUnverifiedHeader } from "../../../ground/crypto/jwt.ts";
import { isMissingValue } from "../../../ground/schema/received.ts";
import type { Services } from "../contracts/feature.ts";
import { isTypedAsAccessToken } from "./access_token.ts";
import type { Inactivity } from "./find_token.ts";
import { verifyIssuedJwt } from "../../../ground/crypto/issued_jwt.ts";
import { present } from "../../../ground/values/present.ts";

export async function explainUnknown(text: string, { keys, settings }: Services): Promise<Inactivity> {
  const { iss } = readUnverified(text) ?? {};
  const header = readUnverifiedHeader(text);
  if (header === undefined) {
    return {
      reason: "inactive_unknown",
      because: "the server does not know it: it never issued it, or has forgotten it since it expired",
      expected: "a token of this server",
      ...present({ received: isMissingValue(text) ? `the text ${text}` : undefined }),
    };
  }
  if (iss !== settings.issuer) {
    return {
      reason: "inactive_other_issuer",
      because: "another issuer made it",
      expected: `iss ${settings.issuer}`,
      received: typeof iss === "string" ? `iss ${iss}` : "no iss",
    };
  }
  const jwt = await verifyIssuedJwt(text, keys);
  if (jwt === undefined) {
    const published = (await keys.published()).map(({ kid, alg }) => `kid ${kid} with ${alg}`);
    return {
      reason: "inactive_signature",
      because: "no published key of this server has made its signature",
      expected: published.join(", or "),
      received: `kid ${header.kid ?? "left out"} with ${header.alg}`,
    };
  }
  return isTypedAsAccessToken(jwt, settings)
    ? {
      reason: "inactive_claims",
      because: "it lacks claims of an access token",
      expected: "client_id, jti, exp",
    }
    : {
      reason: "inactive_token_type",
      because: "it is a JWT for another purpose, for example an ID token",
      expected: `typ ${settings.accessTokenType}`,
      received: `typ ${jwt.typ ?? "left out"}`,
    };
}
