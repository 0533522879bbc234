/** Suggests the right name for a wrong name of a member or of a call, for errors. */

import { nearest } from "../../server/schema/nearest.ts";

/** Names that callers guess, with the right names. Only the first right name that is known is suggested. */
const guessedMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ["user", ["username"]],
  ["user_name", ["username"]],
  ["person", ["username"]],
  ["as", ["username"]],
  ["sub", ["username"]],
  ["subject", ["username"]],
  ["login_hint", ["username"]],
  ["name", ["username", "endpoint"]],
  ["client_id", ["client"]],
  ["audience", ["resource", "url"]],
  ["aud", ["resource", "url"]],
  ["path", ["url"]],
  ["lifetime", ["expiresIn"]],
  ["ttl", ["expiresIn"]],
  ["duration", ["by"]],
  ["delay", ["by"]],
  ["forward", ["advance"]],
  ["unfreeze", ["resume"]],
  ["secret", ["client_secret"]],
  ["forgery", ["name"]],
  ["hook", ["name"]],
  ["misbehaviour", ["name"]],
  ["outcome", ["result"]],
  ["token", ["id_token"]],
  ["format", ["form"]],
]);

/** Returns the known name that the caller probably means. */
export function suggestMember(name: string, known: readonly string[]): string | undefined {
  return suggest(name, guessedMembers, known);
}

/** The first segments of paths that callers guess, with the right ones. Most are names of the test kit. */
const guessedSegments: ReadonlyMap<string, readonly string[]> = new Map([
  ["hold", ["gates"]],
  ["delay", ["gates"]],
  ["fail", ["gates"]],
  ["drop", ["gates"]],
  ["on", ["hooks"]],
  ["advance", ["clock"]],
  ["freeze", ["clock"]],
  ["skew", ["clock"]],
  ["misbehave", ["misbehaviours"]],
  ["like", ["look_alikes"]],
  ["look_like", ["look_alikes"]],
  ["provider", ["look_alikes"]],
  ["verdict", ["misbehaviours"]],
  ["user", ["people"]],
  ["users", ["people"]],
  ["person", ["people"]],
  ["tenant", ["tenants"]],
  ["api", ["resources"]],
  ["apis", ["resources"]],
  ["protect", ["resources"]],
  ["guard", ["resources"]],
  ["logout", ["end_session"]],
  ["sign_out", ["end_session"]],
  ["swagger", ["openapi.json"]],
  ["openapi", ["openapi.json"]],
]);

/** Returns the known first segment of a path that the caller probably means, for example `end_session` for `endSession`. */
export function suggestSegment(segment: string, known: readonly string[]): string | undefined {
  const snakeCase = segment.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return suggest(snakeCase, guessedSegments, known);
}

function suggest(
  name: string,
  guesses: ReadonlyMap<string, readonly string[]>,
  known: readonly string[],
): string | undefined {
  return guesses.get(name)?.find((each) => known.includes(each)) ?? nearest(name, known);
}
