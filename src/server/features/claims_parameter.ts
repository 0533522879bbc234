/** The claims parameter: requests individual claims by name (OpenID Connect Core §5.5). */

import { carry, readCarried } from "../oauth/contracts/feature_values.ts";
import { fail, type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import type { Feature, ParamReading, Services } from "../oauth/contracts/feature.ts";
import {
  isPersonal,
  namesOfScopes,
  type RequestedClaims,
  requestedClaimsKey,
  supportedAcrs,
} from "../oauth/people/claims.ts";
import { present } from "../../ground/values/present.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../ground/schema/json_object.ts";
import type { AccessRequest } from "../oauth/contracts/authorization_request.ts";

const refusal = refusals({ error: "invalid_request" }, {
  claims_about_two: {
    spec: "OpenID Connect Core §5.5.1",
    sentence: "The claims parameter requests two different values of sub",
    change: "Ask for one value of sub.",
  },
  claims_malformed: {
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

export function claimsParameter(): Feature {
  return {
    name: "claims_parameter",
    spec: "OpenID Connect Core §5.5",
    requestParams: [{ name: "claims", read: readClaims }],
    carries: [requestedClaimsKey],
    consentRows: [{ name: "claims", list: listClaims }],
    metadata: { claims_parameter_supported: true },
  };
}

function listClaims(request: AccessRequest): readonly string[] {
  const claims = readCarried(request, requestedClaimsKey);
  const covered = new Set(namesOfScopes(request.scope));
  const requested = new Set([...claims?.userinfo ?? [], ...claims?.idToken ?? []]);
  return [...requested].filter((name) => !covered.has(name) && isPersonal(name));
}

function readClaims(text: string, services: Services): ParamReading {
  const request = parseJsonObject(text) ?? fail(refusal("claims_malformed"));
  const userinfo = memberOf(request, "userinfo");
  const idToken = memberOf(request, "id_token");
  const subjects = new Set([memberOf(idToken, "sub")["value"], memberOf(userinfo, "sub")["value"]]);
  subjects.delete(undefined);
  if (subjects.size > 1) throw refusal("claims_about_two");
  const [subject] = subjects;
  const requiredSub = typeof subject === "string" ? subject : undefined;
  const acr = Object.hasOwn(idToken, "acr") ? findAcr(memberOf(idToken, "acr"), services) : {};
  const requested: RequestedClaims = {
    userinfo: Object.keys(userinfo),
    idToken: Object.keys(idToken),
    ...present({ subject: requiredSub, ...acr }),
  };
  return { carried: carry(requestedClaimsKey, requested), ...present({ requiredSub }) };
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(member) ? member : {};
}

/** §5.5.1.1: a request without values gets the first acr value of the configuration. Only an essential one may be refused. */
function findAcr({ essential, value, values }: JsonObject, services: Services): RequestedClaims {
  const named = [value, values].flat().filter((each) => typeof each === "string");
  if (named.length === 0) return present({ acr: services.settings.acrValues[0] });
  const supported = supportedAcrs(services);
  const acr = named.filter((each) => supported.includes(each)).join(" ");
  if (acr !== "") return { acr, ...present({ isAcrEssential: essential === true || undefined }) };
  if (essential !== true) return {};
  throw refusal("acr_unmet", {
    expected: supported.join(" ") || "no essential acr in the request, or acrValues in the configuration",
    received: named.join(" "),
  });
}
