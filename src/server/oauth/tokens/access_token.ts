/** Creates and reads access tokens: signed JWTs (RFC 9068) or opaque tokens. A token ends with its grant. */

import { randomText } from "../../../ground/crypto/bytes.ts";
import type { VerifiedJwt } from "../../../ground/crypto/jwt.ts";
import type { Kind } from "../../store/store.ts";
import type { Client } from "../contracts/client.ts";
import { markMargin } from "../options/clock_skew.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Services, TokenReader } from "../contracts/feature.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { acrOf, selectClaims, subjectFor } from "../people/claims.ts";
import { passSeam } from "../contracts/seams.ts";
import type { Settings } from "../contracts/settings.ts";
import {
  createId,
  createSecret,
  findByCredential,
  formatCredential,
  hashSecret,
  parseCredential,
} from "../secrets/credential.ts";
import { verifyIssuedJwt } from "../../../ground/crypto/issued_jwt.ts";
import { findGrant, findOtherIssuer } from "./check_grant.ts";
import type { OfIssuer } from "../contracts/grant.ts";
import type { ReadToken } from "../contracts/read_token.ts";
import type { IssuedToken, Redemption } from "../contracts/redemption.ts";
import type { Confirmation } from "../contracts/sender.ts";
import { hasAccessTokenClaims } from "./access_token_claims.ts";
import { signToken } from "./sign_token.ts";
import { present } from "../../../ground/values/present.ts";

export interface OpaqueToken extends OfIssuer {
  readonly secretHash: string;
  readonly claims: Claims;
}

export const opaqueTokens: Kind<OpaqueToken> = { name: "access_token" };

export interface AccessTokenOptions extends
  Pick<
    Redemption,
    "grantId" | "grant" | "scope" | "resource" | "subject" | "expiresBy" | "claims" | "tokenClaims"
  > {
  readonly confirmation?: Confirmation;
}

/** The header `typ` of access tokens (RFC 9068 §2.1). */
export const accessTokenTyp = "at+jwt";

export async function createAccessToken(
  options: AccessTokenOptions,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<IssuedToken> {
  const { grantId, grant, expiresBy = Infinity, tokenClaims } = options;
  const { settings, now, seams } = services;
  const issuedAt = Math.floor(now());
  const lifetime = Math.min(settings.lifetimes.accessToken, expiresBy - issuedAt);
  const expiresAt = issuedAt + lifetime;
  const subject = grantId === undefined
    // A client that acts for itself is its own subject (RFC 9068 §2.2).
    ? options.subject ?? tokenClaims?.subject ?? client.id
    : await subjectFor(client, grant.subject, services);
  const described = describeToken(options, { client, subject, issuedAt, expiresAt }, services);
  const value = { token: "access_token", claims: described } as const;
  const { claims } = await passSeam(seams, "claims", value, exchange, grant);
  const { accessTokens, accessTokenType: typ, alg } = settings;
  const text = accessTokens === "jwt"
    ? await signToken({ token: "access_token", typ, alg, claims }, exchange, services, grant)
    : await storeOpaqueToken(claims, expiresAt, services);
  return { text, lifetime, expiresAt };
}

/** Returns the claims of an access token (RFC 9068 §2.2). */
function describeToken(
  options: AccessTokenOptions,
  { client, subject, issuedAt, expiresAt }: {
    readonly client: Client;
    readonly subject: string;
    readonly issuedAt: number;
    readonly expiresAt: number;
  },
  services: Services,
): Claims {
  const { settings, random } = services;
  const { grantId, grant: { authTime, amr }, scope, confirmation } = options;
  const audience = chooseAudience(options, settings);
  const id = randomText(random, 12);
  return {
    ...addedClaims(options, settings),
    iss: settings.issuer,
    sub: subject,
    aud: audience.length === 1 ? audience[0] : audience,
    client_id: client.id,
    ...present({
      scope: scope.length === 0 ? undefined : scope.join(" "),
      auth_time: authTime,
      amr: amr.length === 0 ? undefined : amr,
      acr: acrOf(options.grant, services),
      // RFC 7800 §3.1.
      cnf: confirmation && { [confirmation.method]: confirmation.thumbprint },
    }),
    iat: issuedAt,
    exp: expiresAt,
    // Begins with the id of the grant, so that a reader of the token finds the grant.
    jti: grantId === undefined ? id : `${grantId}.${id}`,
  };
}

/** RFC 9068 §3: without a requested resource, the audience is the default one and never the client. */
function chooseAudience(
  { grantId, scope, resource, tokenClaims }: AccessTokenOptions,
  { issuer }: Settings,
): readonly string[] {
  if (resource.length > 0) return resource;
  const audience = tokenClaims?.audience;
  if (audience === undefined) return [issuer];
  // The userinfo endpoint accepts tokens for the issuer only.
  const isForUserinfo = grantId !== undefined && scope.includes("openid");
  return [...new Set([...audience, ...(isForUserinfo ? [issuer] : [])])];
}

/** Returns the claims about the grant's person (RFC 9068 §2.2.3), those of the request, and those of the caller. */
function addedClaims(
  { grantId, grant, claims, tokenClaims }: AccessTokenOptions,
  { claimsIn, people }: Settings,
): Claims | undefined {
  const names = grantId === undefined ? [] : claimsIn.accessToken;
  if (names.length === 0 && tokenClaims === undefined) return claims;
  const person = names.length === 0 ? undefined : people.findBySubject(grant.subject);
  return { ...(person && selectClaims(person, names)), ...tokenClaims?.claims, ...claims };
}

/** Stores an opaque token before its grant becomes active, so that an active grant never lacks its token. */
async function storeOpaqueToken(
  claims: Claims,
  expiresAt: number,
  { settings, store, now, random }: Services,
): Promise<string> {
  const id = createId(random);
  const secret = createSecret(random);
  // A server whose clock is ahead must still be able to revoke the token.
  const terms = { expiresAt: expiresAt + markMargin, now: now(), if: null };
  const ofIssuer = present({ issuer: settings.issuerInRecords });
  await store.put(opaqueTokens, id, { claims, secretHash: hashSecret(secret), ...ofIssuer }, terms);
  return formatCredential({ id, secret });
}

export const accessTokenReader: TokenReader = {
  kind: "access_token",
  async read(text, services) {
    // A credential has one dot, and a JWT has two.
    return parseCredential(text) === undefined
      ? await readJwt(text, services)
      : await readOpaqueToken(text, services);
  },
};

async function readOpaqueToken(text: string, services: Services): Promise<ReadToken | undefined> {
  const found = await findByCredential(text, opaqueTokens, services);
  const token = found && describeAccessToken(found.entry.value.claims);
  return token && { ...token, ...present({ otherIssuer: findOtherIssuer(found.entry.value, services) }) };
}

/** RFC 9068 §4: requires this server's signature, its issuer, and the type of an access token. */
async function readJwt(text: string, services: Services): Promise<ReadToken | undefined> {
  const { keys, settings } = services;
  const jwt = await verifyIssuedJwt(text, keys);
  const token = jwt && hasAccessTokenClaims(jwt.claims) ? describeAccessToken(jwt.claims) : undefined;
  if (jwt === undefined || token === undefined) return undefined;
  const { iss } = jwt.claims;
  const isOwn = iss === settings.issuer || settings.takesIssuer?.(iss);
  if (isOwn && isTypedAsAccessToken(jwt, settings)) return token;
  // Another issuer may type its tokens otherwise, and a hook may have changed the iss: the grant says who has made the token.
  const grant = token.grantId === undefined ? undefined : await findGrant(token.grantId, services);
  const otherIssuer = grant && findOtherIssuer(grant.value, services);
  return otherIssuer === undefined ? undefined : { ...token, otherIssuer };
}

/**
 * Whether the typ of a JWT, a media type (RFC 7515 §4.1.9), is that of an access token. With the setting `JWT`, the
 * server still accepts tokens that it issued as `at+jwt` before.
 */
export function isTypedAsAccessToken(
  { typ, claims }: Pick<VerifiedJwt, "typ" | "claims">,
  { accessTokenType }: Pick<Settings, "accessTokenType">,
): boolean {
  const type = typ?.toLowerCase().replace(/^application\//, "");
  if (type === accessTokenTyp) return true;
  return accessTokenType === "JWT" && type === "jwt" && hasAccessTokenClaims(claims);
}

export function describeAccessToken(claims: Claims): ReadToken | undefined {
  const { client_id: clientId, jti, scope, aud, nbf, exp, cnf } = claims;
  // A hook may have changed the claims. A token without these claims counts as unknown.
  if (typeof clientId !== "string" || typeof jti !== "string" || typeof exp !== "number") return undefined;
  const confirmation = readConfirmation(cnf);
  if (cnf !== undefined && confirmation === undefined) return undefined;
  const dot = jti.indexOf(".");
  return {
    kind: "access_token",
    clientId,
    jti,
    scope: typeof scope === "string" ? scope.split(" ").filter((name) => name !== "") : [],
    audience: [aud].flat().filter((each) => typeof each === "string"),
    ...present({
      grantId: dot === -1 ? undefined : jti.slice(0, dot),
      confirmation,
      // An nbf that is not a number cannot be compared, so the token never becomes valid.
      startsAt: nbf === undefined ? undefined : typeof nbf === "number" ? nbf : Infinity,
    }),
    expiresAt: exp,
    claims,
  };
}

/** Reads the claim `cnf` (RFC 7800 §3.1). A token of this server is bound to at most one key. */
function readConfirmation(cnf: unknown): Confirmation | undefined {
  const [member, second] = Object.entries(Object(cnf));
  if (member === undefined || second !== undefined || typeof member[1] !== "string") return undefined;
  return { method: member[0], thumbprint: member[1] };
}
