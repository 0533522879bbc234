/** Describes the request and the response of an exchange, with what a page may show of their values. */

import type { JournalEntry, Message } from "../../../server/oauth/contracts/journal.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { hidden, isHarmlessHeader, redactText } from "../../../server/oauth/secrets/redaction.ts";
import { attempt } from "../../../ground/values/attempt.ts";
import { present } from "../../../ground/values/present.ts";
import type { ShownMessage } from "../../timeline/exchange_props.ts";
import type { NamedValue } from "../../../server/pages/token/token_props.ts";
import { type EndpointName, formEndpoints } from "../endpoints.ts";
import { decodeValue, type ExchangeParts } from "./exchange_parts.ts";
import { isOneTimeCode } from "./find_tokens.ts";
import {
  type Secrecy,
  secrecyOfClaim,
  secrecyOfMember,
  secrecyOfParameter,
  showClientSecret,
  showMembers,
  type ShowOptions,
  showSecretJson,
  showValue,
} from "./show_value.ts";

export interface DescribedEntry {
  readonly entry: JournalEntry;
  readonly endpoint: EndpointName;
  readonly parts: ExchangeParts;
}

export function describeRequestMessage(described: DescribedEntry, options: ShowOptions): ShownMessage {
  const { entry: { request, facts }, endpoint, parts: { query, form, requestMembers } } = described;
  const body = requestMembers === undefined
    ? showSent(form, endpoint, options)
    : showMembers(requestMembers, secrecyOfClaim, options);
  return {
    parameters: showSent(query, endpoint, options),
    body,
    ...present({ json: requestMembers && showSecretJson(request.body ?? "", secrecyOfClaim, options) }),
    headers: request.headers.flatMap((header) => showHeader(header, facts.clientId, options)),
    ...describeHiddenBody(request, body),
  };
}

/** `explainState` names the explanation of a `state`, which says whether it is the one of the request. */
export function describeResponseMessage(
  described: DescribedEntry,
  options: ShowOptions,
  explainState: (state: string) => string,
): ShownMessage {
  const { entry: { response }, endpoint, parts: { sent, responseMembers } } = described;
  const secrecy = secrecyOfResponse(endpoint);
  const body = responseMembers === undefined ? [] : showMembers(responseMembers, secrecy, options);
  return {
    parameters: showPairs(sent, endpoint, options).map((shown, at) =>
      shown.name === "state" ? { ...shown, meaning: explainState(sent[at]![1]) } : shown
    ),
    body,
    ...present({ json: responseMembers && showSecretJson(response.body ?? "", secrecy, options) }),
    headers: response.headers.flatMap((header) => showHeader(header, undefined, options)),
    ...describeHiddenBody(response, body),
  };
}

const publicEndpoints: ReadonlySet<EndpointName> = new Set(["metadata", "jwks"]);

const describingEndpoints: ReadonlySet<EndpointName> = new Set(["userinfo", "introspect", "register"]);

function secrecyOfResponse(endpoint: EndpointName): (name: string) => Secrecy {
  if (publicEndpoints.has(endpoint)) return () => "open";
  return describingEndpoints.has(endpoint) ? secrecyOfClaim : secrecyOfMember;
}

function describeHiddenBody(
  { body = "", bodyLength }: Message,
  shown: readonly NamedValue[],
): Pick<ShownMessage, "hiddenBody"> {
  if (shown.length > 0) return {};
  const length = bodyLength === undefined || bodyLength === "unknown" ? body.length : bodyLength;
  return length === 0 ? {} : { hiddenBody: length };
}

/** The one-time code of a person is never shown, as a password. */
function showSent(
  pairs: readonly Pair[],
  endpoint: EndpointName,
  options: ShowOptions,
): readonly NamedValue[] {
  return showPairs(pairs, endpoint, options).map((shown, at): NamedValue =>
    isOneTimeCode(shown.name, endpoint)
      ? { name: shown.name, meaning: "one_time_code", length: pairs[at]![1].length }
      : shown
  );
}

function showPairs(
  pairs: readonly Pair[],
  endpoint: EndpointName,
  options: ShowOptions,
): readonly NamedValue[] {
  return pairs.map(([name, value]): NamedValue => {
    if (name === "client_secret") return { name, ...showClientSecret(value) };
    if (name === hidden) return { name, length: value.length };
    const isEncrypted = name === "continue" || name === "request" && formEndpoints.has(endpoint);
    if (isEncrypted) return { name, meaning: "sealed_request", length: value.length };
    const secrecy = secrecyOfParameter(name);
    const isTyped = (endpoint === "sign_in" || endpoint === "sign_up") && secrecy !== "open";
    return { name, ...showValue(value, isTyped ? "never" : secrecy, options) };
  });
}

function showHeader(
  [name, value]: readonly [name: string, value: string],
  clientId: string | undefined,
  options: ShowOptions,
): readonly NamedValue[] {
  if (name === "authorization") return showCredentials(value, clientId, options);
  if (name === "cookie") {
    return value.split(";").map((pair) => ({ name: nameCookie("cookie", pair), meaning: name }));
  }
  if (name === "set-cookie") return [{ name: nameCookie(name, value), meaning: name }];
  if (name === "dpop") return [{ name, ...showValue(value, "secret", options) }];
  // The parameters of the address are shown by themselves.
  if (name === "location") return [{ name, text: redactText(/^[^?#]*/.exec(value)![0]) }];
  return [{ name, ...showValue(value, isHarmlessHeader(name) ? "open" : "never", options) }];
}

/** Without an equals sign the whole text may be a secret. */
function nameCookie(header: string, pair: string): string {
  const name = /^\s*([^=;\s]{1,100})=/.exec(pair)?.[1];
  return name === undefined ? header : `${header}: ${redactText(name)}`;
}

/** Some clients of Okta write a colon after the scheme. Both parts are empty if the header has no scheme. */
export function splitAuthorization(value: string): { readonly scheme: string; readonly credentials: string } {
  const [, scheme = "", credentials = ""] = /^([A-Za-z][\w-]{0,20}):?\s+(.*)$/s.exec(value) ?? [];
  return { scheme, credentials };
}

function showCredentials(
  value: string,
  clientId: string | undefined,
  options: ShowOptions,
): readonly NamedValue[] {
  const { scheme, credentials } = splitAuthorization(value);
  const name = scheme === "" ? "authorization" : `authorization: ${scheme}`;
  const meaning = "authorization";
  if (scheme.toLowerCase() !== "basic") {
    return [{ name, meaning, ...showValue(scheme === "" ? value : credentials, "secret", options) }];
  }
  const [, id = "", secret] = /^([^:]*):(.*)$/s.exec(decodeBase64(credentials)) ?? [];
  if (secret === undefined) return [{ name, meaning, length: credentials.length }];
  // Another client id may be a secret at the wrong place.
  const isKnownId = (decodeValue(id) ?? id) === clientId;
  return [
    {
      name: `${name} client_id`,
      meaning: "client_id",
      ...(isKnownId ? { text: clientId } : { length: id.length }),
    },
    {
      name: `${name} client_secret`,
      meaning: "client_secret",
      ...showClientSecret(decodeValue(secret) ?? secret),
    },
  ];
}

function decodeBase64(text: string): string {
  const decode = () =>
    new TextDecoder().decode(Uint8Array.from(atob(text.trim()), (each) => each.charCodeAt(0)));
  return attempt(decode) ?? "";
}
