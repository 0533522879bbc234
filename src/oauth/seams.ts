/** Seams: the named places where an answer may be changed on its way out. A hook and a misbehaviour use the same ones. */

import type { Jwk, PublicJwk } from "../crypto/jwk.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";
import type { Exchange } from "./exchange.ts";
import type { Claims, Members } from "./members.ts";
import type { Pair } from "./params.ts";
import type { Grant } from "./tokens/grant.ts";

/** What is a JWT, where the settings do not make it something else. */
export type SignedToken = "access_token" | "id_token" | "userinfo" | "logout_token";

/** Signs a token again, so that a seam can change one that is whole. */
export interface Signer {
  /** The public half of the key that signed the token. */
  readonly publicJwk: PublicJwk;
  /** Signs with that key, or with a private JWK of the caller's. The header is written as it is given. */
  sign(header: Members, claims: Claims, key?: Jwk): Promise<string>;
}

/** What passes through each seam. A seam changes what is said, never what is checked. */
export interface SeamValues {
  /** Before anything else: to hold or to delay; what is returned changes nothing. */
  arrival: IncomingRequest;
  metadata: Members;
  key_set: { readonly keys: readonly Members[] };
  claims: {
    readonly token: SignedToken | "introspection";
    readonly claims: Claims;
  };
  /** What is about to be signed. */
  jwt: { readonly token: SignedToken; readonly header: Members; readonly claims: Claims };
  /** A token once it is signed. */
  signed: { readonly token: SignedToken; readonly text: string; readonly signer: Signer };
  authorization_response: {
    readonly redirectUri: string;
    readonly mode: string;
    /** In their order; a name may come twice. */
    readonly params: readonly Pair[];
  };
  token_response: { readonly status: number; readonly members: Members };
  /** Every answer, last. */
  response: Answer;
}

/** The names of the seams. */
export type SeamName = keyof SeamValues;

const everySeam: Readonly<Record<SeamName, true>> = {
  arrival: true,
  metadata: true,
  key_set: true,
  claims: true,
  jwt: true,
  signed: true,
  authorization_response: true,
  token_response: true,
  response: true,
};

export const seamNames: readonly SeamName[] = Object.keys(everySeam) as SeamName[];

/** What passes through is changed, or returned as it is. */
export type Seam<N extends SeamName> = (
  value: SeamValues[N],
  at: { readonly exchange: Exchange; readonly grant?: Grant },
) => SeamValues[N] | Promise<SeamValues[N]>;

/** At most one function for each seam. */
export type Seams = { readonly [N in SeamName]?: Seam<N> };

/** The value as the seam leaves it, noted where it was changed; without a seam, the value itself at no cost. */
export function passSeam<N extends SeamName>(
  seams: Seams,
  name: N,
  value: SeamValues[N],
  exchange: Exchange,
  grant?: Grant,
): SeamValues[N] | Promise<SeamValues[N]> {
  const seam: Seam<N> | undefined = seams[name];
  if (seam === undefined) return value;
  const left = (after: SeamValues[N]): SeamValues[N] => {
    if (name === "arrival") return value;
    if (after !== value) exchange.note({ altered: [...exchange.facts.altered ?? [], name] });
    return after;
  };
  const after = seam(value, { exchange, ...(grant === undefined ? {} : { grant }) });
  return isThenable(after) ? Promise.resolve(after).then(left) : left(after);
}

/** A promise of another realm or another library is one, too. */
function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
