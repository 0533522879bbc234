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
  /** Before anything is done: to hold or delay a request, or to answer it in the server's place. */
  arrival: { readonly request: IncomingRequest; readonly answer?: Answer };
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

/** What a seam function is told beside the value. */
export interface SeamContext {
  readonly exchange: Exchange;
  readonly grant?: Grant;
  /** Names a hook or a misbehaviour that changed the value, for the journal. */
  acted(by: string): void;
}

/** Returns another value, or the same one where nothing changes. */
export type Seam<N extends SeamName> = (
  value: SeamValues[N],
  at: SeamContext,
) => SeamValues[N] | Promise<SeamValues[N]>;

/** At most one function for each seam. */
export type Seams = { readonly [N in SeamName]?: Seam<N> };

/** Lets the seam change the value, and notes who changed it. Without a seam this costs nothing. */
export function passSeam<N extends SeamName>(
  seams: Seams,
  name: N,
  value: SeamValues[N],
  exchange: Exchange,
  grant?: Grant,
): SeamValues[N] | Promise<SeamValues[N]> {
  const seam: Seam<N> | undefined = seams[name];
  if (seam === undefined) return value;
  const actors: string[] = [];
  const acted = (by: string) => void actors.push(by);
  const finish = (after: SeamValues[N]): SeamValues[N] => {
    if (actors.length === 0 && isChanged(name, value, after)) acted(`seams.${name}`);
    noteActors(name, actors, exchange);
    return after;
  };
  const after = seam(value, { exchange, ...(grant === undefined ? {} : { grant }), acted });
  return isThenable(after) ? Promise.resolve(after).then(finish) : finish(after);
}

/** At `arrival` only an answer has an effect. */
function isChanged<N extends SeamName>(name: N, before: SeamValues[N], after: SeamValues[N]): boolean {
  return name === "arrival" ? (after as SeamValues["arrival"]).answer !== undefined : after !== before;
}

function noteActors(seam: SeamName, actors: readonly string[], exchange: Exchange): void {
  if (actors.length === 0) return;
  const { altered = [] } = exchange.facts;
  exchange.note({ altered: [...altered, ...actors.map((by) => ({ seam, by }))] });
}

/** Also a promise of another realm or of another library. */
function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
