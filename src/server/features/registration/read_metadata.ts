/** Reads the client metadata of a registration, and completes it (RFC 7591 §2; OpenID Connect Dynamic Client Registration §2). */

import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { findNameProblem } from "../../oauth/clients/metadata/client_name.ts";
import { describeClient } from "../../oauth/clients/metadata/client_metadata.ts";
import { adviseScope } from "../../oauth/clients/metadata/scope.ts";
import { registeredNames } from "../../oauth/clients/metadata/registered_names.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import { isJsonType } from "../../oauth/contracts/params.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import {
  type AdviceRows,
  advices,
  fail,
  type RefusalRows,
  refusals,
} from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { chooseValues } from "./choose_values.ts";
import { refuseMetadata } from "./refuse_metadata.ts";
import { limitScope } from "./registered_scope.ts";
import { registrationSetting } from "./registration_settings.ts";
import type { Registrant } from "./require_registrant.ts";
import { readSoftwareStatement } from "./software_statement.ts";

const refusal = refusals({ spec: "RFC 7591 §3.1" }, {
  registration_not_json: {
    error: "invalid_request",
    sentence: "The body must be JSON: application/json",
    expected: "Content-Type: application/json",
    change: "Send the metadata as JSON, with Content-Type: application/json.",
  },
  registration_not_object: {
    error: { code: "invalid_client_metadata", status: 400 },
    sentence: "The body must be a JSON object with the metadata of the client",
    expected: "a JSON object",
    change: "Send one JSON object with the metadata of the client.",
  },
});

const advice = advices({
  scope_trimmed: {
    spec: "RFC 6749 appendix A.4",
    sentence: "The server has removed spaces from the scope of this client",
    expected: "names that are separated by single spaces",
    change: "Register the scope with single spaces between its names.",
  },
});

export const refused: RefusalRows = refusal.rows;
export const advised: AdviceRows = advice.rows;

export async function readRegistrationBody(exchange: Exchange): Promise<JsonObject> {
  const type = exchange.request.header("content-type");
  // A form or text/plain needs no preflight, so any web page could send it.
  if (!isJsonType(type)) {
    throw refusal("registration_not_json", { received: type ?? "no Content-Type" });
  }
  return parseJsonObject(await exchange.body()) ?? fail(refusal("registration_not_object"));
}

/** The server chooses these itself. A client that names one in its registration has no influence on it. */
const serverNames: ReadonlySet<string> = new Set(["client_id", "client_secret"]);

/** Decisions of an operator, which a client may register if the operator has approved it. */
const operatorNames: ReadonlySet<string> = new Set(["oauth_version", "remember_consent"]);

/** Whether only the configuration decides. A client of OAuth 2.0 may omit its nonce, so no client can choose that. */
function isConfigured(name: string, given: Members, { settings }: Services): boolean {
  const isOld = name === "oauth_version" && given[name] === "2.0";
  return isOld || name in settingOf(settings, registrationSetting).clientMetadata;
}

export interface ReadMetadata {
  readonly metadata: Members;
  /** By an initial access token, or by a trusted software statement that has all of the redirect URIs. */
  readonly isApproved: boolean;
}

/** RFC 7591 §2: unknown members are ignored. So are those that only this server knows, because an operator decides them. */
export async function readClientMetadata(
  body: JsonObject,
  registrant: Registrant,
  exchange: Exchange,
  services: Services,
): Promise<ReadMetadata> {
  const { software_statement: statement } = body;
  // RFC 7591 §3.1.1: the claims of the statement have priority.
  const signed = statement === undefined || statement === null
    ? {}
    : await readSoftwareStatement(statement, services);
  // The redirect URIs of the statement replace those of the client, so it has no others.
  const isApproved = registrant.hasInitialToken || Array.isArray(signed["redirect_uris"]);
  const own = registrant.hasInitialToken ? body : withoutOperatorNames(body);
  const given = trimScope({ ...own, ...signed }, exchange);
  if (typeof given["scope"] === "string") adviseScope(given["scope"].split(" "), exchange, services);
  const isRegistrable = (name: string) =>
    registeredNames.has(name)
      ? !serverNames.has(name)
      : isApproved && operatorNames.has(name) && !isConfigured(name, given, services);
  const { properties = {} } = describeClient(services.slots);
  const schemas = new Map(Object.entries(properties).filter(([name]) => isRegistrable(name)));
  const metadata = {
    ...chooseValues(given, pickKnown(given, schemas), schemas, services),
    ...present({ software_statement: typeof statement === "string" ? statement : undefined }),
  };
  return { metadata: limitScope(metadata, registrant, services), isApproved };
}

function withoutOperatorNames(body: JsonObject): Members {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !operatorNames.has(name)));
}

/** Some clients join an empty list of scopes and another one, which leaves a space at an end. */
function trimScope(given: Members, exchange: Exchange): Members {
  const { scope, ...others } = given;
  if (typeof scope !== "string") return given;
  const trimmed = scope.split(" ").filter((name) => name !== "").join(" ");
  if (trimmed === scope && scope !== "") return given;
  exchange.note({
    advice: advice("scope_trimmed", {
      expected: trimmed === "" ? "no scope" : `scope ${JSON.stringify(trimmed)}`,
      received: `scope ${JSON.stringify(scope)}`,
    }),
  });
  return trimmed === "" ? others : { ...others, scope: trimmed };
}

/** Returns the members that the server knows. A member that is null counts as left out (RFC 7592 §2.2). */
function pickKnown(given: Members, schemas: ReadonlyMap<string, Schema>): Members {
  const known = Object.entries(given).filter(([name, value]) => schemas.has(name) && value !== null);
  for (const [name, value] of known) {
    const problem = checkSchema(value, schemas.get(name)!, name);
    if (problem === undefined) continue;
    refuseMetadata({ place: problem.place, expected: problem.problem, received: problem.received }, given);
  }
  const problem = findNameProblem(given);
  if (problem !== undefined) refuseMetadata(problem, given);
  return Object.fromEntries(known);
}
