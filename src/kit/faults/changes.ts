/** Functions for entries of the catalogue: each changes one thing that the server says. */

import type { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import { type Jwk, type PublicJwk, publicJwk, thumbprint } from "../../server/crypto/jwk.ts";
import type { SigningAlgorithm } from "../../server/crypto/platform.ts";
import { joinJwt, splitJwt } from "../../server/crypto/jwt_parts.ts";
import type { Answer } from "../../server/http/message.ts";
import { textOf } from "../../server/http/body.ts";
import type { Claims, Members } from "../../server/oauth/members.ts";
import {
  changeMember,
  type SeamValues,
  type SignedToken,
  type Signer,
  unlessEqual,
} from "../../server/oauth/seams.ts";
import { parseJsonObject } from "../../server/schema/json_object.ts";
import type { ActContext, Acts } from "./misbehaviour.ts";

type Changed<T> = T | Promise<T>;

/** Changes the published keys. */
export function changeKeys(change: (keys: readonly Members[]) => readonly Members[]): Acts {
  return { key_set: (value) => changeMember(value, "keys", change) };
}

/** Returns the public half of a key, as a JWKS contains it. */
export function publish(key: Jwk, alg: SigningAlgorithm): PublicJwk {
  return publicJwk(key, thumbprint(key), alg);
}

/** Changes the claims of one kind of token, of userinfo, or of the introspection response. */
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

/** A signed JWT in parts. */
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
export function signHs256(header: Members, claims: Claims, secret: string | Buffer): string {
  const input = joinJwt({ header: { ...header, alg: "HS256" }, claims, signature: "" });
  return input + createHmac("sha256", secret).update(input.slice(0, -1)).digest("base64url");
}

/** Changes the members of successful token responses. */
export function changeTokens(change: (members: Members, at: ActContext) => Members): Acts {
  return {
    token_response: (value, at) => changeMember(value, "members", (members) => change(members, at)),
  };
}

/** Changes the responses of one endpoint. */
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

/** Answers token requests with one grant type before the server sees them. */
export function answerGrant(
  grantType: string,
  answer: (at: ActContext) => Changed<Answer | undefined>,
): Acts {
  return answerInstead("token", async (at) => await readGrantType(at) === grantType ? answer(at) : undefined);
}

/** Reads the grant type of a token request. Other requests have none. */
export async function readGrantType({ endpoint, exchange }: ActContext): Promise<string | undefined> {
  if (endpoint !== "token") return undefined;
  // A body that cannot be read is left to the server.
  const body = await exchange.body().catch(() => "");
  return new URLSearchParams(body).get("grant_type") ?? undefined;
}

/** Returns an answer with a JSON body, as it is. */
export function jsonAnswer(status: number, body: unknown, headers: Answer["headers"] = {}): Answer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body: text,
  };
}

/** Returns a redirect to another URL. */
export function redirectAnswer(location: string): Answer {
  return { status: 302, headers: { location }, body: "" };
}

/** The page with which a single-page application answers every path. */
export const htmlPage: Answer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: '<!doctype html><title>Shop</title><div id="root"></div>',
};
