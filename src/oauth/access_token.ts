/** Access tokens: signed (RFC 9068) or opaque; either names its grant, by which it lives. */

import { randomText } from "../crypto/bytes.ts";
import { signJwt } from "../crypto/jwt.ts";
import type { Kind } from "../store/store.ts";
import type { Exchange } from "./exchange.ts";
import { createId, createSecret, formatCredential, hashSecret } from "./credential.ts";
import type { Grant } from "./grant.ts";
import { type Claims, passSeam } from "./seams.ts";
import type { Services } from "./services.ts";

/** What is kept of an opaque token. */
export interface OpaqueToken {
  readonly secretHash: string;
  readonly grantId: string;
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  readonly claims: Claims;
}

export const opaqueTokens: Kind<OpaqueToken> = { name: "access_token" };

export interface AccessTokenTerms {
  readonly grantId: string;
  readonly grant: Grant;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
}

export interface AccessToken {
  readonly text: string;
  readonly expiresAt: number;
}

export async function createAccessToken(
  { grantId, grant, scope, resource }: AccessTokenTerms,
  exchange: Exchange,
  services: Services,
): Promise<AccessToken> {
  const { settings, now, random } = services;
  const issuedAt = Math.floor(now());
  const expiresAt = issuedAt + settings.lifetimes.accessToken;
  // RFC 9068 §3: without a requested resource the default audience, never the client.
  const audience = resource.length === 0 ? [settings.issuer] : resource;
  // RFC 9068 §2.2. The id begins with the grant's, so that a reader of the token finds what it lives by.
  const { claims } = await passSeam(
    services.seams,
    "claims",
    {
      token: "access_token",
      claims: {
        iss: settings.issuer,
        sub: grant.subject,
        aud: audience.length === 1 ? audience[0] : audience,
        client_id: grant.clientId,
        scope: scope.join(" "),
        auth_time: grant.authTime,
        ...(grant.amr.length === 0 ? {} : { amr: grant.amr }),
        iat: issuedAt,
        exp: expiresAt,
        jti: `${grantId}.${randomText(random, 12)}`,
      },
    },
    exchange,
    grant,
  );
  const text = settings.accessTokens === "jwt"
    ? await signJwt(await services.keys.signingKey(settings.alg), "at+jwt", claims)
    : await keepOpaqueToken({ grantId, scope, audience, claims }, expiresAt, services);
  return { text, expiresAt };
}

/** Kept before the grant becomes active: until then it is worth nothing, and afterwards it cannot be missing. */
async function keepOpaqueToken(
  token: Omit<OpaqueToken, "secretHash">,
  expiresAt: number,
  { store, now, random }: Services,
): Promise<string> {
  const id = createId(random);
  const secret = createSecret(random);
  await store.put(opaqueTokens, id, { ...token, secretHash: hashSecret(secret) }, {
    expiresAt,
    now: now(),
    if: null,
  });
  return formatCredential({ id, secret });
}
