/** Suggests the right name for a wrong name of a member or of a call, for errors. */

import { nearest } from "../../ground/schema/nearest.ts";

/** The names of members, each with those that callers guess instead. The first known name with the guess is suggested. */
const guessedMembers: Guesses = {
  username: ["user", "user_name", "person", "as", "sub", "subject", "login_hint", "name"],
  endpoint: ["name"],
  client: ["client_id"],
  resource: ["audience", "aud"],
  url: ["audience", "aud", "path"],
  expiresIn: ["lifetime", "ttl"],
  by: ["duration", "delay"],
  advance: ["forward"],
  resume: ["unfreeze"],
  client_secret: ["secret"],
  name: ["forgery", "hook", "misbehaviour"],
  result: ["outcome"],
  id_token: ["token"],
  form: ["format"],
};

export function suggestMember(name: string, known: readonly string[]): string | undefined {
  return suggest(name, guessedMembers, known);
}

/** The first segments of paths, each with those that callers guess instead. Most guesses are names of the test kit. */
const guessedSegments: Guesses = {
  gates: ["hold", "delay", "fail", "drop"],
  hooks: ["on"],
  clock: ["advance", "freeze", "skew"],
  misbehaviours: ["misbehave", "verdict"],
  look_alikes: ["like", "look_like", "provider"],
  people: ["user", "users", "person"],
  tenants: ["tenant"],
  resources: ["api", "apis", "protect", "guard"],
  end_session: ["logout", "sign_out"],
  "openapi.json": ["swagger", "openapi"],
};

/** Suggests `end_session` for `endSession`. */
export function suggestSegment(segment: string, known: readonly string[]): string | undefined {
  const snakeCase = segment.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return suggest(snakeCase, guessedSegments, known);
}

type Guesses = Readonly<Record<string, readonly string[]>>;

function suggest(name: string, guesses: Guesses, known: readonly string[]): string | undefined {
  const meant = Object.keys(guesses).find((each) => known.includes(each) && guesses[each]!.includes(name));
  return meant ?? nearest(name, known);
}
