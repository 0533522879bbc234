/** Functions for entries of the catalogue: each changes one thing that the server says. */

import { type Jwk, type PublicJwk, publicJwk, thumbprint } from "../../ground/crypto/jwk.ts";
import { joinJwt, splitJwt } from "../../ground/crypto/jwt_parts.ts";
import { fromBase64url, toBase64url } from "../../ground/crypto/bytes.ts";
import { hmacSha256 } from "../../ground/crypto/platform.ts";
import { namesThisMachine } from "../../ground/http/address.ts";
import type { Pair } from "../../ground/http/form.ts";
import type { Answer } from "../../ground/http/message.ts";
import { textOf } from "../../ground/http/body.ts";
import type { Claims, Members } from "../../ground/values/members.ts";
import { latin1Of, utf8Of } from "../../ground/values/octets.ts";
import { readForm } from "../../server/oauth/contracts/params.ts";
import {
  changeMember,
  type SeamName,
  type SeamValues,
  type SignedToken,
  type Signer,
  signingAnew,
  unlessEqual,
  without,
} from "../../server/oauth/contracts/seams.ts";
import { parseJsonObject } from "../../ground/schema/json_object.ts";
import type { ActContext, CreateActs, Tools } from "./misbehaviour.ts";
import type { UnsignedAlg } from "./names.ts";
import { remember } from "../../ground/values/remember.ts";
import { nameForeignUrl, nameRedirectTarget } from "./neighbours.ts";
import { writePublicKey } from "./public_key_forms.ts";

type Changed<T> = T | Promise<T>;

/** Returns the value that the server uses instead. The same value means that the server is not wrong. */
export type Change<Value, Result = Value> = (value: Value, tools: Tools, at: ActContext) => Result;

export function changeAt<N extends SeamName>(
  seam: N,
  change: Change<SeamValues[N], Changed<SeamValues[N]>>,
): CreateActs {
  return (tools) => ({ [seam]: (value: SeamValues[N], at: ActContext) => change(value, tools, at) });
}

/** Joins changes at different seams. */
export function together(...all: readonly CreateActs[]): CreateActs {
  return (tools) => Object.assign({}, ...all.map((create) => create(tools)));
}

/** Sets members, which may depend on the server. */
export function setting(find: (tools: Tools) => Members): (before: Members, tools: Tools) => Members;
export function setting(members: Members): (before: Members) => Members;
export function setting(given: Members | ((tools: Tools) => Members)) {
  return (before: Members, tools: Tools) => ({
    ...before,
    ...(typeof given === "function" ? given(tools) : given),
  });
}

export function removing(...names: readonly string[]): (members: Members) => Members {
  return (members) => without(members, ...names);
}

/** Changes a member that is text. */
export function changeText(members: Members, name: string, change: (text: string) => string): Members {
  const text = members[name];
  return typeof text === "string" ? { ...members, [name]: change(text) } : members;
}

export function changeMetadata(change: Change<Members>): CreateActs {
  return changeAt("metadata", (metadata, ...more) => unlessEqual(metadata, change(metadata, ...more)));
}

/** Names an http URL of the other server. On loopback, http is allowed. */
export function nameHttpEndpoint(name: string, path: string = name): CreateActs {
  return changeMetadata((metadata, { otherServer }) =>
    namesThisMachine(new URL(otherServer).hostname)
      ? metadata
      : { ...metadata, [name]: `${otherServer.replace("https:", "http:")}/${path}` }
  );
}

export function changeParams(change: Change<readonly Pair[]>): CreateActs {
  return changeAt(
    "authorization_response",
    (value, ...more) => changeMember(value, "params", (params) => change(params, ...more)),
  );
}

export function changeKeys(change: Change<readonly Members[]>): CreateActs {
  return changeAt(
    "key_set",
    (value, ...more) => changeMember(value, "keys", (keys) => change(keys, ...more)),
  );
}

/** A key set has the same key in each answer. */
export function publish(key: Jwk, alg: string): PublicJwk {
  const known = remember(published, key, () => new Map());
  return remember(known, alg, () => publicJwk(key, thumbprint(key), alg));
}

const published = new WeakMap<Jwk, Map<string, PublicJwk>>();

/** A published key that is for encryption, which a program may leave out as unknown, or for other signatures. */
export function forOtherAlg(key: Members, variant?: string): Members {
  const isRsa = key["kty"] === "RSA";
  if (variant !== "for_signatures") return { ...key, alg: isRsa ? "RSA-OAEP" : "ECDH-ES" };
  return { ...key, alg: isRsa ? "RS512" : key["alg"] === "ES256" ? "ES384" : "ES256" };
}

/** Returns the public half of a key that the server does not publish otherwise. */
export function publishForeign(alg: string, { foreignKeyFor }: Tools): PublicJwk {
  return publish(foreignKeyFor(alg), alg);
}

type ClaimsToken = SeamValues["claims"]["token"];

export function changeClaims(
  tokens: ClaimsToken | readonly ClaimsToken[],
  change: Change<Claims>,
): CreateActs {
  const changed = [tokens].flat();
  return changeAt(
    "claims",
    (value, ...more) =>
      changed.includes(value.token)
        ? changeMember(value, "claims", (claims) => change(claims, ...more))
        : value,
  );
}

/** Changes the header of one kind of JWT before it is signed. */
export function changeHeader(token: SignedToken, change: Change<Members>): CreateActs {
  return changeAt(
    "jwt",
    (value, ...more) =>
      value.token === token ? changeMember(value, "header", (header) => change(header, ...more)) : value,
  );
}

/** A JWT before it is signed. */
export interface UnsignedParts {
  readonly header: Members;
  readonly claims: Claims;
  readonly signer: Signer;
}

export interface SignedParts extends UnsignedParts {
  readonly text: string;
  readonly signature: string;
}

/** Replaces the text of one kind of JWT after it is signed. */
export function changeSigned(token: SignedToken, change: Change<SignedParts, Changed<string>>): CreateActs {
  return changeAt("signed", async (value, ...more) => {
    if (value.token !== token) return value;
    const { text, signer } = value;
    const changed = await change({ text, signer, ...splitJwt(text) }, ...more);
    return changed === text ? value : { ...value, text: changed };
  });
}

/** Like `changeSigned`, for a change that reads no signature: the server signs the token only if it is not changed. */
export function signAnew(token: SignedToken, change: Change<UnsignedParts, Changed<string>>): CreateActs {
  const create = changeSigned(token, change);
  return (tools) => {
    const { signed } = create(tools);
    return { signed: signingAnew(signed!, (each) => each === token) };
  };
}

/** Signs one kind of JWT with other claims. */
export function signAgain(token: SignedToken, change: Change<Claims, Claims | string>): CreateActs {
  return signAnew(
    token,
    ({ header, claims, signer }, ...more) => signer.sign(header, change(claims, ...more)),
  );
}

interface TokenChanges {
  claims(change: Change<Claims>): CreateActs;
  header(change: Change<Members>): CreateActs;
  signed(change: Change<SignedParts, Changed<string>>): CreateActs;
  /** Needs no signature. */
  anew(change: Change<UnsignedParts, Changed<string>>): CreateActs;
}

/** Returns the changes of one kind of token, for an area that is about this token. */
export function changesOf(token: ClaimsToken): TokenChanges {
  return {
    claims: (change) => changeClaims(token, change),
    header: (change) => changeHeader(token, change),
    signed: (change) => changeSigned(token, change),
    anew: (change) => signAnew(token, change),
  };
}

/**
 * Writes a JWT with the alg none (RFC 7518 §3.6), or with the one that the variant names, and no signature. An ID token
 * has no at_hash then, because no hash belongs to such an alg: a client could refuse it for that reason alone.
 */
export function writeUnsigned(
  { header, claims }: Pick<UnsignedParts, "header" | "claims">,
  { variant = "none" }: Pick<Tools, "variant"> = {},
): string {
  const written = { ...header, alg: spellings[variant as UnsignedAlg] };
  return joinJwt({ header: written, claims: without(claims, "at_hash"), signature: "" });
}

/** The values of alg are case-sensitive, and have no spaces (RFC 7515 §4.1.1). */
const spellings: Readonly<Record<UnsignedAlg, string>> = {
  none: "none",
  capitalized: "None",
  mixed_case: "NoNe",
  white_space: " none",
  unknown: "foo",
  empty: "",
};

/** Signs a JWT with HS256 (RFC 7518 §3.2). */
export function signHs256(header: Members, claims: Claims, secret: string | Uint8Array): string {
  const input = joinJwt({ header: { ...header, alg: "HS256" }, claims, signature: "" });
  return input + hmacSha256(secret, input.slice(0, -1));
}

/** Signs a JWT with HS256, HS384 or HS512. The secret is the public key of the server, in the form that the variant names. */
export async function signWithPublicKey(parts: UnsignedParts, { variant }: Tools): Promise<string> {
  return await signWithFormOf(parts.signer.publicJwk, parts, variant);
}

/** The secret is this key in the form that the variant names. With `_hs384` or `_hs512` at its end, the hash is another one. */
export async function signWithFormOf(
  publicJwk: PublicJwk,
  { header, claims }: Pick<UnsignedParts, "header" | "claims">,
  variant: string | undefined,
): Promise<string> {
  const [form, bits] = `${variant}`.split("_hs");
  const secret = writePublicKey(form, publicJwk);
  if (bits === undefined) return signHs256(header, claims, secret);
  const octets = typeof secret === "string" ? utf8Of(secret) : secret;
  const algorithm = { name: "HMAC", hash: `SHA-${bits}` };
  const key = await crypto.subtle.importKey("raw", new Uint8Array(octets), algorithm, false, ["sign"]);
  return await signWithKey({ ...header, alg: `HS${bits}` }, claims, key);
}

/** Signs a JWT with an RSA key and RS384 or RS512 (RFC 7518 §3.3), which the server does not have. */
export async function signWithOtherHash(
  { header, claims }: Pick<UnsignedParts, "header" | "claims">,
  bits: string,
  privateJwk: Jwk,
): Promise<string> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: `SHA-${bits}` };
  const key = await crypto.subtle.importKey("jwk", { ...privateJwk }, algorithm, false, ["sign"]);
  return await signWithKey({ ...header, alg: `RS${bits}` }, claims, key);
}

/** Without at_hash, whose hash would be another one, too (OpenID Connect Core §3.1.3.6). */
async function signWithKey(header: Members, claims: Claims, key: CryptoKey): Promise<string> {
  const input = joinJwt({ header, claims: without(claims, "at_hash"), signature: "" });
  const signature = await crypto.subtle.sign(key.algorithm.name, key, latin1Of(input.slice(0, -1)));
  return input + toBase64url(new Uint8Array(signature));
}

export function breakSignature(jwt: SignedParts): string {
  const octets = fromBase64url(jwt.signature);
  octets[octets.length - 2]! ^= 1;
  return joinJwt({ ...jwt, signature: toBase64url(octets) });
}

export function emptySignature(jwt: SignedParts): string {
  return joinJwt({ ...jwt, signature: "" });
}

/** In base64url, the letter A is six bits of zero. */
export function zeroSignature(jwt: SignedParts): string {
  return joinJwt({ ...jwt, signature: jwt.signature.replace(/./g, "A") });
}

/** Names an extension in the header that a verifier must understand, and that no verifier knows (RFC 7515 §4.1.11). */
export function requireExtension(header: Members): Members {
  const extension = "https://as.test/unknown-extension";
  return { ...header, crit: [extension], [extension]: true };
}

/** The kid still names a key of the server. */
export function signWithForeignKey(
  { header, claims, signer }: UnsignedParts,
  { foreignKeyFor }: Tools,
): Promise<string> {
  return signer.sign(header, claims, foreignKeyFor(signer.publicJwk.alg));
}

/** The kid names the foreign key. */
export function signWithUnknownKey(
  { header, claims, signer }: UnsignedParts,
  { foreignKeyFor }: Tools,
): Promise<string> {
  const key = foreignKeyFor(signer.publicJwk.alg);
  return signer.sign({ ...header, kid: thumbprint(key) }, claims, key);
}

/** The header contains the foreign key, or a URL of it. The kid is that of the server's key, that of the foreign key, or none. */
export function signWithEmbeddedKey(
  { header, claims, signer }: UnsignedParts,
  tools: Tools,
): Promise<string> {
  const { alg, kid } = signer.publicJwk;
  const key = tools.foreignKeyFor(alg);
  const jwk = publish(key, alg);
  const named = {
    kid_of_server: { ...header, jwk: { ...jwk, kid } },
    kid_own: { ...header, kid: jwk.kid, jwk },
    jku: { ...header, kid: jwk.kid, jku: nameForeignUrl("jwks", tools) },
  }[`${tools.variant}`] ?? { ...without(header, "kid"), jwk };
  return signer.sign(named, claims, key);
}

export function changeTokens(change: Change<Members>): CreateActs {
  return changeAt(
    "token_response",
    (value, ...more) => changeMember(value, "members", (members) => change(members, ...more)),
  );
}

export function changeResponse(endpoint: string, change: Change<Answer, Changed<Answer>>): CreateActs {
  return changeAt(
    "response",
    (answer, tools, at) => at.endpoint === endpoint ? change(answer, tools, at) : answer,
  );
}

/** Returns the members of a successful JSON response. Other responses have none. */
export function membersOf({ status, body }: Answer): Members {
  return status < 300 ? parseJsonObject(textOf(body)) ?? {} : {};
}

/** Changes the JSON object in the successful responses of one endpoint. */
export function changeJson(endpoint: string, change: Change<Members>): CreateActs {
  return changeResponse(endpoint, (answer, ...more) => {
    const members = answer.status < 300 ? parseJsonObject(textOf(answer.body)) : undefined;
    if (members === undefined) return answer;
    const changed = unlessEqual(members, change(members, ...more));
    return changed === members ? answer : { ...answer, body: JSON.stringify(changed) };
  });
}

export function neverAnswer(endpoint: string): CreateActs {
  return answerInstead(endpoint, async (_tools, at) => {
    await at.withhold();
    return undefined;
  });
}

/** An answer, or a function that creates one. `undefined` leaves a request to the server. */
type OwnAnswer = Answer | ((tools: Tools, at: ActContext) => Changed<Answer | undefined>);

/** Answers requests to one endpoint before the server sees them. */
export function answerInstead(endpoint: string, own: OwnAnswer): CreateActs {
  return changeAt("arrival", async (value, tools, at) => {
    const answer = at.endpoint === endpoint ? await give(own, tools, at) : undefined;
    return answer === undefined ? value : { ...value, answer };
  });
}

export function answerGrant(grantType: string, own: OwnAnswer): CreateActs {
  return answerInstead(
    "token",
    async (tools, at) => await readGrantType(at) === grantType ? give(own, tools, at) : undefined,
  );
}

function give(own: OwnAnswer, tools: Tools, at: ActContext): Changed<Answer | undefined> {
  return typeof own === "function" ? own(tools, at) : own;
}

export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

export async function readGrantType({ endpoint, exchange }: ActContext): Promise<string | undefined> {
  if (endpoint !== "token") return undefined;
  // A form that cannot be read is left to the server.
  const form = await readForm(exchange).catch(() => undefined);
  return form?.get("grant_type");
}

export function jsonAnswer(status: number, body: Members, headers: Answer["headers"] = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

export function errorAnswer(status: number, error: string, headers: Answer["headers"] = {}): Answer {
  return jsonAnswer(status, { error }, headers);
}

/** Returns a refusal of a request, with the words for the developer (RFC 6749 §5.2). */
export function refusalAnswer(error: string, error_description: string): Answer {
  return jsonAnswer(400, { error, error_description });
}

export function busyAnswer(status: 429 | 503, retryAfter: string): Answer {
  return errorAnswer(status, "temporarily_unavailable", { "retry-after": retryAfter });
}

export function redirectAnswer(location: string, status = 302): Answer {
  return { status, headers: { location }, body: "" };
}

/** Redirects a request to another origin. */
export function redirectElsewhere(path: string, status = 307): (tools: Tools, at: ActContext) => Answer {
  return (tools, { exchange: { request: { address } } }) => {
    const right = new URL(address.origin + address.path);
    return redirectAnswer(nameRedirectTarget(path, right, tools), status);
  };
}

export const notFound: Answer = errorAnswer(404, "not_found");

/** The answer of an API to a token that it does not accept (RFC 6750 §3.1). */
export const invalidToken: Answer = errorAnswer(401, "invalid_token", {
  "www-authenticate": 'Bearer error="invalid_token"',
});

/** The page with which a single-page application answers every path. */
export const htmlPage: Answer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: '<!doctype html><title>Shop</title><div id="root"></div>',
};
