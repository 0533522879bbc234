/** Compares the sign-in that an ID token states with the one that the authorization request asked for (OpenID Connect Core §3.1.2.1, §5.5.1.1). */

import { isNumericDate } from "../../../ground/crypto/jwt.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
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
  const ofIdToken = parseJsonObject(sent("claims") ?? "")?.["id_token"];
  const asked: JsonObject = isJsonObject(ofIdToken) && isJsonObject(ofIdToken["acr"]) ? ofIdToken["acr"] : {};
  const named = [asked["value"], asked["values"]].flat().filter((each) => typeof each === "string");
  const acrs = named.length > 0 ? named : sent("acr_values")?.split(" ").filter((each) => each !== "") ?? [];
  // The server must state only an essential acr (OpenID Connect Core §5.5.1.1).
  const mayLack = acr === undefined && asked["essential"] !== true;
  const [maxAge] = /^\d{1,15}$/.exec(sent("max_age") ?? "") ?? [];
  const earliest = now - Number(maxAge);
  return [
    ...(acrs.length === 0 ? [] : [
      decide("acr", mayLack ? "open" : acrs.some((each) => each === acr), { expected: acrs, received: acr }),
    ]),
    ...(maxAge === undefined ? [] : [
      decide("auth_time", isNumericDate(authTime) && authTime >= earliest - tolerance, {
        expected: Math.floor(earliest),
        received: authTime,
      }),
    ]),
  ];
}
