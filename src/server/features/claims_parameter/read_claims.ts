/** Reads the claims parameter: which claims a request wants, and with which values (OpenID Connect Core §5.5). */

import { carry } from "../../oauth/feature_values.ts";
import { fail, type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { ParamReading } from "../../oauth/feature.ts";
import { type RequestedClaims, requestedClaimsKey } from "../../oauth/people/claims.ts";
import type { Services } from "../../oauth/services.ts";
import type { Settings } from "../../oauth/settings.ts";
import { present } from "../../values/present.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../schema/json_object.ts";

const refusal = refusals({
  claims_about_two: {
    error: "invalid_request",
    spec: "OpenID Connect Core §5.5.1",
    sentence: "The claims parameter requests two different values of sub",
    change: "Ask for one value of sub.",
  },
  claims_malformed: {
    error: "invalid_request",
    spec: "OpenID Connect Core §5.5",
    sentence: "The parameter claims is not a JSON object",
    change: "Send a JSON object as claims, percent-encoded.",
  },
  acr_unmet: {
    error: "unmet_authentication_requirements",
    spec: "OpenID Connect Core Error Code unmet_authentication_requirements 1.0 §1",
    sentence: "This server supports none of the essential acr values",
    expected: "one of the server's acrValues",
    change: "Ask for an acr value that the server supports, or make it voluntary.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function readClaims(text: string, { settings }: Services): ParamReading {
  const { claims, acr: requestedAcr } = readRequestedClaims(text);
  const acr = requestedAcr && findAcr(requestedAcr, settings);
  return {
    carried: carry(requestedClaimsKey, { ...claims, ...present({ acr }) }),
    ...present({ requiredSub: claims.subject }),
  };
}

/** The request for the claim `acr` in the `claims` parameter (§5.5.1.1). */
interface AcrRequest {
  readonly isEssential: boolean;
  /** The accepted values. If the list is empty, every value is accepted. */
  readonly values: readonly string[];
}

interface ClaimRequest {
  readonly essential?: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
}

/** Reads the `claims` parameter. */
function readRequestedClaims(
  text: string,
): { readonly claims: RequestedClaims; readonly acr: AcrRequest | undefined } {
  const request = requireObject(text);
  const userinfo = memberOf(request, "userinfo");
  const idToken = memberOf(request, "id_token");
  const subjects = new Set([requestOf(idToken, "sub").value, requestOf(userinfo, "sub").value]);
  subjects.delete(undefined);
  if (subjects.size > 1) {
    throw refusal("claims_about_two");
  }
  const [subject] = subjects;
  return {
    claims: {
      userinfo: Object.keys(userinfo),
      idToken: Object.keys(idToken),
      ...(typeof subject === "string" ? { subject } : {}),
    },
    acr: Object.hasOwn(idToken, "acr") ? readAcr(requestOf(idToken, "acr")) : undefined,
  };
}

function readAcr({ essential, value, values }: ClaimRequest): AcrRequest {
  const named = [value, values].flat().filter((each) => typeof each === "string");
  return { isEssential: essential === true, values: named };
}

function requireObject(text: string): JsonObject {
  return parseJsonObject(text) ?? fail(refusal("claims_malformed"));
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(member) ? member : {};
}

function requestOf(object: JsonObject, name: string): ClaimRequest {
  return memberOf(object, name);
}

/**
 * Returns the first requested acr value that the configuration has (§5.5.1.1). A request without values gets the first
 * acr value of the configuration. If the configuration has none of the requested values, the server refuses an
 * essential request and ignores a voluntary one.
 */
function findAcr({ isEssential, values }: AcrRequest, { acrValues }: Settings): string | undefined {
  if (values.length === 0) return acrValues[0];
  const supported = values.find((value) => acrValues.includes(value));
  if (supported === undefined && isEssential) {
    throw refusal("acr_unmet", {
      expected: acrValues.join(" ") || "no essential acr in the request, or acrValues in the configuration",
      received: values.join(" "),
    });
  }
  return supported;
}
