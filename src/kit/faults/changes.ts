/** Functions for entries of the catalogue: each changes one thing that the server says. */

import { type Jwk, type PublicJwk, publicJwk, thumbprint } from "../../ground/crypto/jwk.ts";
import { joinJwt, splitJwt } from "../../ground/crypto/jwt_parts.ts";
import { fromBase64url, toBase64url } from "../../ground/crypto/bytes.ts";
import { hmacSha256 } from "../../ground/crypto/platform.ts";
import type { Answer } from "../../ground/http/message.ts";
import { textOf } from "../../ground/http/body.ts";
import type { Claims, Members } from "../../ground/values/members.ts";
import { readForm } from "../../server/oauth/contracts/params.ts";
import {
  changeMember,
  type SeamValues,
  type SignedToken,
  type Signer,
  unlessEqual,
  without,
} from "../../server/oauth/contracts/seams.ts";
import { parseJsonObject } from "../../ground/schema/json_object.ts";
import type { ActContext, Acts, Tools } from "./misbehaviour.ts";

type Changed<T> = T | Promise<T>;

export function changeKeys(change: (keys: readonly Members[]) => readonly Members[]): Acts {
  return { key_set: (value) => changeMember(value, "keys", change) };
}

export function publish(key: Jwk, alg: string): PublicJwk {
  return publicJwk(key, thumbprint(key), alg);
}

export function changeClaims(
  token: SeamValues["claims"]["token"],
  change: (claims: Claims, at: ActContext) => Claims,
): Acts {
  return {
    claims: (value, at) =>
      value.token === token ? changeMember(value, "claims", (claims) => change(claims, at)) : value,
  };
}

/** Changes the header of one kind of JWT before it is signed. */
export function changeHeader(token: SignedToken, change: (header: Members) => Members): Acts {
  return { jwt: (value) => value.token === token ? changeMember(value, "header", change) : value };
}

export interface SignedParts {
  readonly text: string;
  readonly header: Members;
  readonly claims: Claims;
  readonly signature: string;
  readonly signer: Signer;
}

/** Replaces the text of one kind of JWT after it is signed. */
export function changeSigned(
  token: SignedToken,
  change: (jwt: SignedParts, at: ActContext) => Changed<string>,
): Acts {
  return {
    async signed(value, at) {
      if (value.token !== token) return value;
      const { text, signer } = value;
      const changed = await change({ text, signer, ...splitJwt(text) }, at);
      return changed === text ? value : { ...value, text: changed };
    },
  };
}

/** Writes a JWT with the alg none and no signature (RFC 7518 §3.6). */
export function writeUnsigned({ header, claims }: Pick<SignedParts, "header" | "claims">): string {
  return joinJwt({ header: { ...header, alg: "none" }, claims, signature: "" });
}

/** Signs a JWT with HS256 (RFC 7518 §3.2). */
export function signHs256(header: Members, claims: Claims, secret: string | Uint8Array): string {
  const input = joinJwt({ header: { ...header, alg: "HS256" }, claims, signature: "" });
  return input + hmacSha256(secret, input.slice(0, -1));
}

export function breakSignature(jwt: SignedParts): string {
  const octets = fromBase64url(jwt.signature);
  octets[octets.length - 2]! ^= 1;
  return joinJwt({ ...jwt, signature: toBase64url(octets) });
}

/** The kid still names a key of the server. */
export function signWithForeignKey(
  { header, claims, signer }: SignedParts,
  { foreignKeyFor }: Tools,
): Promise<string> {
  return signer.sign(header, claims, foreignKeyFor(signer.publicJwk.alg));
}

/** The kid names the foreign key. */
export function signWithUnknownKey(
  { header, claims, signer }: SignedParts,
  { foreignKeyFor }: Tools,
): Promise<string> {
  const key = foreignKeyFor(signer.publicJwk.alg);
  return signer.sign({ ...header, kid: thumbprint(key) }, claims, key);
}

/** The header contains the foreign key. */
export function signWithEmbeddedKey(
  { header, claims, signer }: SignedParts,
  { foreignKeyFor }: Tools,
): Promise<string> {
  const { alg } = signer.publicJwk;
  const key = foreignKeyFor(alg);
  return signer.sign({ ...without(header, "kid"), jwk: publish(key, alg) }, claims, key);
}

/** Adds a slash at the end, or removes it. */
export function toggleSlash(issuer: string): string {
  return issuer.endsWith("/") ? issuer.slice(0, -1) : `${issuer}/`;
}

export function changeTokens(change: (members: Members, at: ActContext) => Members): Acts {
  return {
    token_response: (value, at) => changeMember(value, "members", (members) => change(members, at)),
  };
}

export function changeResponse(
  endpoint: string,
  change: (answer: Answer, at: ActContext) => Changed<Answer>,
): Acts {
  return { response: (answer, at) => at.endpoint === endpoint ? change(answer, at) : answer };
}

/** Returns the members of a successful JSON response. Other responses have none. */
export function membersOf({ status, body }: Answer): Members {
  return status < 300 ? parseJsonObject(textOf(body)) ?? {} : {};
}

/** Changes the JSON object in the successful responses of one endpoint. */
export function changeJson(
  endpoint: string,
  change: (members: Members, at: ActContext) => Members,
): Acts {
  return changeResponse(endpoint, (answer, at) => {
    const members = answer.status < 300 ? parseJsonObject(textOf(answer.body)) : undefined;
    if (members === undefined) return answer;
    const changed = unlessEqual(members, change(members, at));
    return changed === members ? answer : { ...answer, body: JSON.stringify(changed) };
  });
}

export function neverAnswer(endpoint: string): Acts {
  return answerInstead(endpoint, async (at) => {
    await at.withhold();
    return undefined;
  });
}

/** Answers requests to one endpoint before the server sees them. `undefined` leaves a request to the server. */
export function answerInstead(
  endpoint: string,
  answer: (at: ActContext) => Changed<Answer | undefined>,
): Acts {
  return {
    async arrival(value, at) {
      if (at.endpoint !== endpoint) return value;
      const own = await answer(at);
      return own === undefined ? value : { ...value, answer: own };
    },
  };
}

export function answerGrant(
  grantType: string,
  answer: (at: ActContext) => Changed<Answer | undefined>,
): Acts {
  return answerInstead("token", async (at) => await readGrantType(at) === grantType ? answer(at) : undefined);
}

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

export function redirectAnswer(location: string, status = 302): Answer {
  return { status, headers: { location }, body: "" };
}

/** The page with which a single-page application answers every path. */
export const htmlPage: Answer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: '<!doctype html><title>Shop</title><div id="root"></div>',
};
