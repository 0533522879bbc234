/** The claim `act`: the current actor, in which the earlier ones are nested (RFC 8693 §4.1). */

import { present } from "../../../ground/values/present.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";

/** The most actors of a token. Each exchange with an actor adds one, so a loop of services would not end. */
export const mostActors = 10;

/** Returns the levels of `act` from outside to inside. The value at the end of a malformed claim is no object. */
export function listActors(act: unknown): readonly unknown[] {
  const levels: unknown[] = [];
  for (let level = act; level !== undefined; level = isJsonObject(level) ? level["act"] : undefined) {
    levels.push(level);
  }
  return levels;
}

/** Names the issuer of each actor that has none. Without it, `sub` could mean a client or a person of this server. */
export function nameIssuers(act: unknown, iss: unknown): unknown {
  return listActors(act).reduceRight(
    (earlier: unknown, level) => isJsonObject(level) ? present({ iss, ...level, act: earlier }) : level,
    undefined,
  );
}
