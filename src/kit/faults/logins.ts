/** The logins of a client that redeemed a code, with the values that have to be new in each (RFC 9700 §2.1, §2.1.1). */

import { isEncryptedJwt, parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { parseJsonObject } from "../../ground/schema/json_object.ts";
import { redeemsCode, startsLogin } from "./finds.ts";
import { asksFor, type Seen, sentIn } from "./seen.ts";

/** A value that a client creates for each login. */
export type LoginValue = "verifier" | "nonce" | "state";

export const loginParameters: Readonly<Record<LoginValue, string>> = {
  verifier: "code_verifier",
  nonce: "nonce",
  state: "state",
};

/** A login with its code. Requests with the same code belong to one login. */
export interface Login extends Readonly<Partial<Record<LoginValue, string>>> {
  readonly code: string;
  /** The authorization requests, and the token request. */
  readonly requests: readonly Seen[];
}

/** Returns the logins of one run whose code was redeemed. */
export function listLogins(run: readonly Seen[]): readonly Login[] {
  const redeemed = redeemsCode(run, []).filter(({ entry }) => entry.response.status === 200);
  return [...new Map(redeemed.map((seen) => [seen.params.get("code"), readLogin(seen, run)])).values()];
}

export function readLogin(redeeming: Seen, run: readonly Seen[]): Login {
  const { params, entry: { facts: { flow } } } = redeeming;
  const begins = startsLogin(run, []).filter(({ entry }) => flow !== undefined && entry.facts.flow === flow);
  const [sent] = begins.flatMap((each) => sentIn(each) ?? []);
  const values = {
    verifier: params.get("code_verifier"),
    // without an ID token, no nonce comes back, so none protects the login
    nonce: sent === undefined
      ? findAnsweredNonce(redeeming)
      : asksFor("openid", sent)
      ? sent("nonce")
      : undefined,
    state: sent?.("state"),
  };
  const known = Object.entries(values).filter(([, value]) => (value ?? "") !== "");
  return { code: params.get("code") ?? "", ...Object.fromEntries(known), requests: [...begins, redeeming] };
}

/** The nonce of the request comes back in the ID token. That of an encrypted one is not known, and counts as a new one. */
function findAnsweredNonce({ entry: { response } }: Seen): string | undefined {
  const { id_token: idToken } = parseJsonObject(response.body ?? "") ?? {};
  if (typeof idToken !== "string") return undefined;
  const nonce = isEncryptedJwt(idToken) ? idToken : parseJwt(idToken)?.claims["nonce"];
  return typeof nonce === "string" ? nonce : undefined;
}

/** The values that protect a login besides its state (RFC 9700 §2.1). */
const guards: readonly LoginValue[] = ["verifier", "nonce"];

/** Returns the guards of a login that another login has, too, so that they protect neither. */
export function listRepeatedGuards(login: Login, others: readonly Login[]): readonly LoginValue[] {
  return guards.filter((name) => isRepeated(name, login, others));
}

export function isProtected(login: Login, others: readonly Login[]): boolean {
  return guards.some((name) => login[name] !== undefined && !isRepeated(name, login, others));
}

export function isRepeated(name: LoginValue, login: Login, others: readonly Login[]): boolean {
  const value = login[name];
  return value !== undefined && others.some((other) => other !== login && other[name] === value);
}
