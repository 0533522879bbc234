/** Seams: named points where hooks and misbehaviours change what the server says, and the usual changes of one value. */

import type { Jwk, PublicJwk } from "../../../ground/crypto/jwk.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { present } from "../../../ground/values/present.ts";
import type { Exchange } from "./exchange.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import type { Grant } from "./grant.ts";

/** The kinds of JWT that the server signs. Opaque access tokens and unsigned userinfo do not pass the signing seams. */
export type SignedToken =
  | "access_token"
  | "id_token"
  | "userinfo"
  | "logout_token"
  | "introspection"
  | "id_jag"
  | "authorization_response";

/** Signs a changed token, so that a seam can replace the text of the original one. */
export interface Signer {
  /** The public half of the key that signed the original token. */
  readonly publicJwk: PublicJwk;
  /** Signs with the key of the original token, or with the private JWK `key`. The header may name any key or algorithm. */
  sign(header: Members, claims: Claims | string | Uint8Array, key?: Jwk): Promise<string>;
  /** Encrypts a text as the server does with the token, and compresses it before. Absent: the token is not encrypted. */
  encryptCompressed?(text: string): Promise<string>;
}

/** The type of the value at each seam. A seam changes what the server says, never what the server checks. */
export interface SeamValues {
  /** A request before its endpoint does anything. A function may wait here, or return an answer of its own. */
  arrival: { readonly request: IncomingRequest; readonly answer?: Answer };
  metadata: Members;
  key_set: { readonly keys: readonly Members[] };
  /** Before a signed authorization response, the seam with its own name changes its parameters instead. */
  claims: {
    readonly token: Exclude<SignedToken, "authorization_response">;
    readonly claims: Claims;
  };
  jwt: { readonly token: SignedToken; readonly header: Members; readonly claims: Claims };
  signed: { readonly token: SignedToken; readonly text: string; readonly signer: Signer };
  authorization_response: {
    readonly redirectUri: string;
    readonly mode: string;
    /** The parameters in their order. A name may occur twice. */
    readonly params: readonly Pair[];
  };
  token_response: { readonly status: number; readonly members: Members };
  /** Every answer, after all other seams have run. */
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

/** The second argument of a function at a seam. */
export interface SeamContext {
  readonly exchange: Exchange;
  readonly grant?: Grant;
  /** Tells the journal the name of the hook or misbehaviour that changed the value. */
  acted(by: string): void;
}

/** Returns the value that the server uses from here on. Returning the same object means no change. */
export type Seam<N extends SeamName> = (
  value: SeamValues[N],
  at: SeamContext,
) => SeamValues[N] | Promise<SeamValues[N]>;

const anew = Symbol("signs anew");

/** Marks a function at the seam `signed` that needs no signature of these tokens, because it signs them itself. */
export function signingAnew<Signing extends object>(
  seam: Signing,
  signs: (token: SignedToken) => boolean,
): Signing {
  return Object.assign(seam, { [anew]: signs });
}

/** Whether the function at the seam `signed` gets the token with an empty signature. The server signs what it leaves so. */
export function signsAnew(seam: object | undefined, token: SignedToken): boolean {
  return (seam as { readonly [anew]?: (token: SignedToken) => boolean } | undefined)?.[anew]?.(token) ??
    false;
}

/** At most one function for each seam. */
export type Seams = { readonly [N in SeamName]?: Seam<N> };

/** Returns the value as the function at the seam leaves it, and notes who changed it. Costs nothing without a function. */
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
  const { altered: noted } = exchange.facts;
  const finish = (after: SeamValues[N]): SeamValues[N] => {
    const isNamed = actors.length > 0 || exchange.facts.altered !== noted;
    if (!isNamed && isChanged(name, value, after)) acted(`seams.${name}`);
    noteActors(name, actors, exchange);
    return after;
  };
  const after = seam(value, { exchange, ...present({ grant }), acted });
  return isThenable(after) ? Promise.resolve(after).then(finish) : finish(after);
}

/** Returns seams at which the change of `by` comes first, and then the function of `seams`, which may come later. */
export function changeFirst<N extends SeamName>(
  by: string,
  name: N,
  change: (value: SeamValues[N], at: SeamContext) => SeamValues[N],
  seams: Seams,
): Seams {
  const value: Seam<N> = (before, at) => {
    const changed = change(before, at);
    if (changed !== before) noteActors(name, [by], at.exchange);
    return passSeam(seams, name, changed, at.exchange, at.grant);
  };
  // The new object inherits the other seams. A copy would miss those that are added later.
  return Object.create(seams, { [name]: { value } });
}

type FindSeam = (name: SeamName) => unknown;

const finder = Symbol("finds the function at a seam");

/** The getters of all seams. Servers share them, because their own ones would take 2 KB of each server. */
const seamGetters = Object.defineProperties(
  {},
  Object.fromEntries(seamNames.map((name) => [name, {
    get(this: { readonly [finder]: FindSeam }) {
      return this[finder](name);
    },
  }])),
);

/** Returns seams whose functions `find` finds at each use, because the server reads a seam at each use. */
export function findSeams(find: FindSeam): Seams {
  return Object.create(seamGetters, { [finder]: { value: find } });
}

/** At `arrival` only an answer has an effect, so there a new object without an answer is not a change. */
function isChanged<N extends SeamName>(name: N, before: SeamValues[N], after: SeamValues[N]): boolean {
  return name === "arrival" ? (after as SeamValues["arrival"]).answer !== undefined : after !== before;
}

function noteActors(seam: SeamName, actors: readonly string[], exchange: Exchange): void {
  if (actors.length === 0) return;
  const { altered = [] } = exchange.facts;
  exchange.note({ altered: [...altered, ...actors.map((by) => ({ seam, by }))] });
}

/** Looks for `then` instead of the class, because other realms and libraries have promise classes of their own. */
function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** A function at a seam that changes one value. `At` is what it needs to know about the request. */
type Change<N extends keyof SeamValues, At> = {
  readonly [Name in N]: (value: SeamValues[Name], at: At) => SeamValues[Name];
};

/** Returns `before` if both are equal, for example because a member to remove is not there. Then the server is not wrong. */
export function unlessEqual<T>(before: T, after: T): T {
  return JSON.stringify(after) === JSON.stringify(before) ? before : after;
}

/** Changes one member of a value. Returns the value as it was if that changes nothing. */
export function changeMember<Value extends object, Name extends keyof Value>(
  value: Value,
  name: Name,
  change: (member: Value[Name]) => Value[Name],
): Value {
  const member = unlessEqual(value[name], change(value[name]));
  return member === value[name] ? value : { ...value, [name]: member };
}

export function changeMetadata(change: (metadata: Members) => Members): Change<"metadata", unknown> {
  return { metadata: (metadata) => unlessEqual(metadata, change(metadata)) };
}

export function changeParams<At>(
  change: (params: readonly Pair[], at: At) => readonly Pair[],
): Change<"authorization_response", At> {
  return {
    authorization_response: (value, at) => changeMember(value, "params", (params) => change(params, at)),
  };
}

/** Returns the parameters with one that has another value. `undefined` removes it. */
export function setParam(params: readonly Pair[], name: string, value: string | undefined): readonly Pair[] {
  const others = params.filter(([each]) => each !== name);
  return value === undefined ? others : [...others, [name, value]];
}

export function without(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}
