/** Reads the parameter authorization_details, and refuses what its types do not allow (RFC 9396 §2, §5). */

import { carry, memberOf, settingOf } from "../../oauth/contracts/feature_values.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { memberRemedy } from "../../oauth/clients/records/client_remedy.ts";
import { type AddedErrorCode, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { ParamReading, Services } from "../../oauth/contracts/feature.ts";
import { parseJson } from "../../../ground/values/parse_json.ts";
import { present } from "../../../ground/values/present.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { type AuthorizationDetail, detailsKey, locationsOf } from "./detail.ts";
import { commonMembers, detailTypes, detailTypesMember } from "./detail_types.ts";

export const invalidDetails: AddedErrorCode = { code: "invalid_authorization_details", status: 400 };

const mostDetails = 20;

/** In characters. Tokens have the details, and many servers accept headers of 8,192 octets only. */
const longestDetails = 6_000;

/** Arrays and objects inside of one another. */
const mostLevels = 20;

const refusal = refusals({ error: invalidDetails }, {
  details_not_an_array: {
    spec: "RFC 9396 §2",
    sentence: "authorization_details is not a JSON array",
    expected: "a JSON array of objects with a type",
    change: "Send a JSON array of objects as authorization_details, percent-encoded.",
  },
  details_too_long: {
    sentence: "authorization_details has too many objects, characters or levels",
    expected: `at most ${mostDetails} objects, ${longestDetails} characters and ${mostLevels} levels`,
    change: "Ask for less in one request.",
  },
  details_type_missing: {
    spec: "RFC 9396 §2",
    sentence: "{place} is not an object with a type",
    expected: "a JSON object whose type is text",
    change: "Give each object of authorization_details a type.",
  },
  details_type_unknown: {
    spec: "RFC 9396 §5",
    sentence: "{place} is not a type that this server knows",
    expected: "one of the types of authorizationDetails",
    change: "Use a type of authorization_details_types_supported, or add this one to authorizationDetails.",
  },
  details_type_not_for_client: {
    spec: "RFC 9396 §10",
    sentence: "{place} is not a type of this client",
    expected: "one of the authorization_details_types of the client",
    change: "Add the type to authorization_details_types of this client.",
  },
  details_malformed: {
    spec: "RFC 9396 §5",
    sentence: "{place} {problem}",
    expected: "an object that fits the schema of its type",
    change: "Change the object so that it fits the schema of its type.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function readDetails(text: string, services: Services, client: Client): ParamReading {
  const details = requireDetails(text, client, typesFor(client, services), services);
  const locations = locationsOf(details);
  return {
    carried: carry(detailsKey, details.length === 0 ? undefined : details),
    ...present({ impliedResource: locations.length === 0 ? undefined : locations }),
  };
}

export function requireDetails(
  text: string,
  client: Client,
  allowed: readonly string[],
  services: Services,
): readonly AuthorizationDetail[] {
  if (text.length > longestDetails) {
    throw refusal("details_too_long", { received: `${text.length} characters` });
  }
  const values = parseJson(text);
  if (!Array.isArray(values)) throw refusal("details_not_an_array");
  if (values.length > mostDetails) {
    throw refusal("details_too_long", { received: `${values.length} objects` });
  }
  if (isDeeper(values, mostLevels)) {
    throw refusal("details_too_long", { received: `more than ${mostLevels} levels` });
  }
  return values.map((value, at) =>
    requireDetail(value, `${detailsKey.name}[${at}]`, client, allowed, services)
  );
}

function isDeeper(value: unknown, levels: number): boolean {
  return typeof value === "object" && value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));
}

function requireDetail(
  value: unknown,
  place: string,
  client: Client,
  allowed: readonly string[],
  services: Services,
): AuthorizationDetail {
  if (!isDetail(value)) throw refusal("details_type_missing", { place });
  const types = settingOf(services.settings, detailTypes);
  const type = types.get(value.type);
  const about = { place: `${place}.type`, received: describeValue(value.type) };
  if (type === undefined) {
    throw refusal("details_type_unknown", { ...about, expected: [...types.keys()].join(", ") });
  }
  if (!allowed.includes(value.type)) {
    throw refusal("details_type_not_for_client", {
      ...about,
      expected: allowed.join(", ") || "a client that has registered authorization_details_types",
      ...memberRemedy(client, { [detailTypesMember.name]: [...allowed, value.type] }, services),
    });
  }
  const problem = checkSchema(value, type.schema, place) ?? checkSchema(value, commonMembers, place);
  if (problem === undefined) return value;
  throw refusal("details_malformed", {
    place: problem.place,
    problem: problem.problem,
    expected: problem.expected.replace(/^must be (?!left)/, ""),
    ...present({ received: problem.received }),
  });
}

export function isDetail(value: unknown): value is AuthorizationDetail {
  return isJsonObject(value) && typeof value["type"] === "string";
}

/** A client that registered itself has only the types that it lists, and so has each one if no person decides. */
export function typesFor(client: Client, { settings }: Services, withoutPerson = false): readonly string[] {
  const known = [...settingOf(settings, detailTypes).keys()];
  const allowed = memberOf(client, detailTypesMember) ??
    (client.registeredItself || withoutPerson ? [] : known);
  return known.filter((type) => allowed.includes(type));
}
