/** Functions for seams that change one value: options that make a server wrong use them, and misbehaviours. */

import type { Pair } from "../http/form.ts";
import type { Members } from "./members.ts";
import type { SeamValues } from "./seams.ts";

/** A function at a seam. `At` is what it needs to know about the request. */
type Change<N extends keyof SeamValues, At> = {
  readonly [Name in N]: (value: SeamValues[Name], at: At) => SeamValues[Name];
};

/**
 * Returns the value as it was if the change has changed nothing, for example if it removes a member that is not there.
 * Then the server is not wrong.
 */
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

/** Changes the metadata of the server. */
export function changeMetadata(change: (metadata: Members) => Members): Change<"metadata", unknown> {
  return { metadata: (metadata) => unlessEqual(metadata, change(metadata)) };
}

/** Changes the parameters of the authorization response. */
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

/** Returns the members without some of them. */
export function without(members: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}
