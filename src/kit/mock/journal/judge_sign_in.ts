/** Compares the sign-in that an ID token states with the one that the authorization request asked for. */

import { isNumericDate } from "../../../ground/crypto/jwt.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import { present } from "../../../ground/values/present.ts";
import { checksOf } from "../../../server/client/check.ts";
import { type TokenCheck, tolerance } from "../../../server/client/judge_token.ts";
import type { Sent } from "../../faults/seen.ts";

const { decide } = checksOf({
  acr: ["should", "OpenID Connect Core §3.1.3.7 (12)"],
  auth_time: ["should", "OpenID Connect Core §3.1.3.7 (13)"],
});

/** `now`: the time of the client, in seconds. */
export function judgeSignIn(
  { acr, auth_time: authTime }: JsonObject,
  sent: Sent,
  now: number,
): readonly TokenCheck[] {
  const { acrs, isEssential, maxAge } = readAskedSignIn(sent);
  const mayLack = acr === undefined && !isEssential;
  return [
    ...(acrs.length === 0 ? [] : [
      decide("acr", mayLack ? "open" : acrs.some((each) => each === acr), {
        expected: acrs,
        received: acr,
      }),
    ]),
    ...(maxAge === undefined ? [] : [decide(
      "auth_time",
      isNumericDate(authTime) && authTime >= now - maxAge - tolerance,
      { expected: Math.floor(now - maxAge), received: authTime },
    )]),
  ];
}

interface AskedSignIn {
  /** The values of acr from which the server may choose. Empty: the client asked for none. */
  readonly acrs: readonly string[];
  /** The server must state one of them. Otherwise it may leave out acr (OpenID Connect Core §5.5.1.1). */
  readonly isEssential: boolean;
  /** In seconds. */
  readonly maxAge?: number;
}

/** The kind and the age of the sign-in that the request asked for (OpenID Connect Core §3.1.2.1, §5.5.1.1). */
function readAskedSignIn(sent: Sent): AskedSignIn {
  const asked = parseJsonObject(sent("claims") ?? "")?.["id_token"];
  const { value, values, essential } = {
    ...(isJsonObject(asked) && isJsonObject(asked["acr"]) ? asked["acr"] : {}),
  };
  const named = [value, values].flat().filter((each) => typeof each === "string");
  const maxAge = sent("max_age");
  return {
    acrs: named.length > 0 ? named : sent("acr_values")?.split(" ").filter((each) => each !== "") ?? [],
    isEssential: essential === true,
    ...present({ maxAge: maxAge !== undefined && /^\d{1,15}$/.test(maxAge) ? Number(maxAge) : undefined }),
  };
}
