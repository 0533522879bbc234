/** Validates the parameters of an authorization request (OAuth 2.1 §4.1.1). */

import { longestUrl } from "../../../ground/http/address.ts";
import type { Client } from "../contracts/client.ts";
import { memberOf, settingOf } from "../contracts/feature_values.ts";
import { requireSector } from "../clients/metadata/sector.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { ParamReading, RequestSource, Services } from "../contracts/feature.ts";
import { type Params, requireUnrepeated } from "../contracts/params.ts";
import { requireResources } from "../tokens/resource.ts";
import { requireScope } from "../clients/metadata/scope.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";
import type {
  AccessRequest,
  AuthorizationRequest,
  RedirectTarget,
  ResolvedRequest,
} from "../contracts/authorization_request.ts";
import { requireChallenge } from "./pkce.ts";
import { present } from "../../../ground/values/present.ts";

const refusal = refusals({ error: "invalid_request" }, {
  request_too_long: {
    status: 413,
    sentence: `The request is longer than ${longestUrl} characters`,
    change: "Shorten the request, for example its state.",
  },
  parameter_unsupported: {
    error: ["request_not_supported", "request_uri_not_supported", "registration_not_supported"],
    spec: "OpenID Connect Core §3.1.2.6",
    sentence: "The parameter {name} is not supported",
    change: "Leave the parameter out, because the discovery document does not announce it.",
  },
  request_source_required: {
    spec: "RFC 9126 §6, RFC 9101 §10.5",
    sentence: "This client must send each request as a {name}",
    expected: "client_id and {param}",
    change: "Push the request first, or sign it, because the client is registered for that only.",
  },
  two_subjects: {
    spec: "OpenID Connect Core §5.5.1",
    sentence: "The request names two different people",
    change: "Name one person: the same one in id_token_hint and in claims.",
  },
  response_type_missing: {
    spec: "OAuth 2.1 §4.1.1",
    sentence: "The parameter response_type is missing",
    expected: "a response type that the server supports",
    change: "Add response_type=code.",
  },
  response_type_unsupported: {
    error: "unsupported_response_type",
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "This response_type is not supported",
    expected: "a response type that the server supports",
    change: "Use response_type=code.",
  },
  client_lacks_code_flow: {
    error: "unauthorized_client",
    spec: "OAuth 2.1 §4.1.2.1",
    sentence: "This client may not use response_type {name}",
    expected: "one of the client's response_types",
    change: "Add the response type to the configuration of the client, or use another client.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The core's parameters, which must not be repeated. Unknown parameters are ignored (OAuth 2.1 §3.1). */
const singleParams: ReadonlySet<string> = new Set([
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "response_mode",
  "code_challenge",
  "code_challenge_method",
  "login_hint",
  "request",
  "request_uri",
  "registration",
]);

/** OpenID Connect Core §6, §7.2.1. A request source that supports one of them replaces the parameters first. */
const unsupportedParams = ["request", "request_uri", "registration"] as const;

/** The pages send the request back in their forms, encrypted and so longer, and it must stay well below their limit. */
export function requireShortForm({ bodyRead = "" }: Exchange): void {
  if (bodyRead.length <= longestUrl) return;
  throw refusal("request_too_long");
}

export async function requireAuthorizationRequest(
  { params, arrivedBy, refusal: earlier }: ResolvedRequest,
  target: RedirectTarget,
  exchange: Exchange,
  services: Services,
): Promise<AuthorizationRequest> {
  const { client } = target;
  const { slots } = services;
  if (earlier !== undefined) throw earlier;
  requireSources(arrivedBy, client, services);
  requireUnrepeated(params, (name) => singleParams.has(name) || slots.requestParams.has(name));
  requireSupportedParams(params, services);
  const responseType = requireResponseType(params.get("response_type"), client, services);
  const access = await requireAccess(params, client, services);
  const challenge = requireChallenge(params, { client, scope: access.scope, carrier: access }, services);
  await requireSector(client, exchange, services);
  return { ...access, redirectUri: target.redirectUri, responseType, ...present({ challenge }) };
}

export async function requireAccess(
  params: Params,
  client: Client,
  services: Services,
): Promise<ParamReading & AccessRequest> {
  const scope = requireScope(params.get("scope"), client, services);
  const named = requireResources(params.all("resource"), services.settings);
  const loginHint = params.get("login_hint");
  const reading = await readRequestParams(params, client, services);
  const access = { ...reading, client, scope, ...present({ loginHint }), carried: reading.carried ?? {} };
  if (reading.impliedResource === undefined) return { ...access, resource: named };
  const impliedResource = requireResources(reading.impliedResource, services.settings)
    .filter((each) => !named.includes(each));
  return { ...access, impliedResource, resource: [...named, ...impliedResource] };
}

export function requireSupportedParams(params: Params, { slots }: Pick<Services, "slots">): void {
  for (const name of unsupportedParams) {
    if (params.get(name) === undefined) continue;
    const source = slots.requestSources.find(({ param }) => param === name);
    throw refusal("parameter_unsupported", {
      error: `${name}_not_supported` as const,
      name,
      ...present({ expected: source && `the ${name} of a ${source.name}` }),
      received: name,
    });
  }
}

/** Returns the sources that every request of the client must use. Empty: parameters in the address are accepted. */
export function findRequiredSources(
  client: Client,
  { settings, slots }: Pick<Services, "settings" | "slots">,
): readonly RequestSource[] {
  return slots.requestSources.filter(({ requiredBy: { setting, member } }) =>
    settingOf(settings, setting) === true || memberOf(client, member) === true
  );
}

/** Refuses the request if the client must use a source, for example pushed requests (RFC 9126 §6, RFC 9101 §10.5). */
function requireSources(arrivedBy: readonly string[], client: Client, services: Services): void {
  for (const { name, param, requiredBy: { spec } } of findRequiredSources(client, services)) {
    if (arrivedBy.includes(name)) continue;
    throw refusal("request_source_required", {
      name,
      param,
      spec,
      received: arrivedBy.join(", ") || "parameters in the query or the form",
    });
  }
}

async function readRequestParams(params: Params, client: Client, services: Services): Promise<ParamReading> {
  let result: ParamReading = {};
  for (const { name, read } of services.slots.requestParams.values()) {
    const text = params.get(name);
    if (text !== undefined) result = combine(result, await read(text, services, client), services);
  }
  return result;
}

function combine(known: ParamReading, more: ParamReading, { slots }: Services): ParamReading {
  for (const name of Object.keys(more.carried ?? {})) {
    if (!slots.carries.has(name)) {
      throw new TypeError(`A feature carries "${name}" without listing its key in carries`);
    }
  }
  // Both a hint and a claim may name the person of the request. They must agree (OpenID Connect Core §5.5.1).
  const { requiredSub = known.requiredSub } = more;
  if (known.requiredSub !== undefined && known.requiredSub !== requiredSub) {
    throw refusal("two_subjects");
  }
  return { ...known, ...more, carried: { ...known.carried, ...more.carried } };
}

function requireResponseType(name: string | undefined, client: Client, { slots }: Services): string {
  if (name === undefined) {
    throw refusal("response_type_missing", { expected: [...slots.responseTypes.keys()].join(", ") });
  }
  if (!slots.responseTypes.has(name)) {
    throw refusal("response_type_unsupported", {
      expected: [...slots.responseTypes.keys()].join(", "),
      received: name,
    });
  }
  if (!client.responseTypes.includes(name)) {
    throw refusal("client_lacks_code_flow", {
      name,
      expected: client.responseTypes.join(", ") || "none: the client has no response_types",
      received: name,
    });
  }
  return name;
}
