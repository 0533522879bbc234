/** Changes the text of a signed token, or parts of the text, without signing the token again. */

import { joinJwt, type JwtParts, splitJwt } from "../../crypto/jwt_parts.ts";
import type { JsonObject } from "../../schema/json_object.ts";
import { mergePatch } from "../../schema/merge_patch.ts";

/**
 * The patch is `{ text }` or any of `{ header, claims, signature }`. `null` removes a member of the header or the
 * claims.
 */
export function patchToken(value: JsonObject, { text, ...parts }: JsonObject): JsonObject {
  if (text !== undefined) return { ...value, text };
  const before = `${value["text"]}`;
  if (before.split(".").length !== 3) {
    throw new TypeError("the token has no parts to change, because a hook before this one replaced its text");
  }
  return { ...value, text: joinJwt(mergePatch(splitJwt(before), parts) as JwtParts) };
}
