/** Turns a journal entry into a recorded request, in which secrets are hidden. */

import type { Trace } from "../../../ground/http/trace.ts";
import {
  type Advice,
  type Alteration,
  type Facts,
  findHeader,
  type JournalEntry,
  type Refusal,
} from "../../../server/oauth/contracts/journal.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { hidden, redactFacts, redactText, redactTexts } from "../../../server/oauth/secrets/redaction.ts";
import { present } from "../../../ground/values/present.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import type { EndpointName } from "../endpoints.ts";
import { decodeValue, readMembers, splitLocation, splitPairs } from "./exchange_parts.ts";
import { outcomeOf } from "./outcome_of.ts";
import { unpackEntry } from "./packed_entry.ts";

/** The status in the journal entry of a request that the test answers itself. HAR files have it, too. */
export const unknownStatus = 0;

/** A request and its response without secrets, with the facts that the server recorded. */
export interface RecordedRequest {
  /** The id of the request, which is that of its journal entry. */
  readonly id: string;
  /** The time of arrival, in seconds since 1970 by the server's clock. A gate or a delay comes later. */
  readonly at: number;
  /** The endpoint of the server. `resource`: an API of the test, or the API beside the server. */
  readonly endpoint: EndpointName;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The URL without the query, for a request to an API of the test. */
  readonly api?: string;
  /** The JSON-RPC calls in a request to an API of the test: `tools/call greet`. */
  readonly rpc?: readonly string[];
  /** The status of the response. Absent if `guard` of an API accepted the request, because the test answers it. @asType integer */
  readonly status?: number;
  /** What became of the request. `failed` is a failure of the server itself. */
  readonly outcome: "ok" | "refused" | "failed";
  /** Seconds until the response, by the server's clock. */
  readonly duration: number;
  /** The client id. */
  readonly clientId?: string;
  /** How the client authenticated, for example `client_secret_basic` or `none`. */
  readonly clientAuth?: string;
  /** The username of the person that the request is about. */
  readonly person?: string;
  /** The `grant_type` of a token request. */
  readonly grantType?: string;
  /** The `code_challenge_method` of an authorization request. */
  readonly pkce?: "S256" | "none";
  /** How an authorization request arrived, for example `pushed request`. Absent: as parameters in the address. */
  readonly arrivedBy?: readonly string[];
  /** The key that the client proved, for example `jkt` and its thumbprint with DPoP. */
  readonly provenKey?: string;
  /** The requested or granted scope. */
  readonly scope?: readonly string[];
  /** The APIs that the request names in `resource`. */
  readonly resource?: readonly string[];
  /** Why the server refused the request. */
  readonly refusal?: Refusal;
  /** A rule that the request broke and that the server does not enforce, or why a token is inactive. */
  readonly advice?: Advice;
  /**
   * The clients that the server notified of a sign-out by back-channel logout, each with the result: "told", "answered
   * 400", "did not answer" or "not allowed".
   */
  readonly backChannelLogout?: Readonly<Record<string, string>>;
  /** The error that the server or a hook threw. */
  readonly fault?: unknown;
  /** The hooks that changed values of the server, with the seams at which they did. */
  readonly altered?: readonly Alteration[];
  /** `true` if the server handled the request, but a drop removed the response. */
  readonly lost?: true;
  /** The id of the flow. All requests of a flow have it, from the authorization to the last refresh. */
  readonly flow?: string;
  /** The trace that the client names in its header `traceparent` (W3C Trace Context). */
  readonly trace?: Trace;
  /** The parameters of the query and the form. Harmless values are readable, all others are "[redacted]". */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON object in the response. Values that may be secret are "[redacted]". */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** The URL to which the response redirects, without secrets. */
  readonly location?: string;
  /** Returns the journal entry, which includes the secrets. */
  raw(): JournalEntry;
}

/** A recorded request without the parts that take time, because their secrets must be found and hidden. */
export type RequestSummary = Omit<RecordedRequest, "params" | "answer" | "raw">;

export function recordRequest(entry: JournalEntry, endpoint: EndpointName, lost = false): RecordedRequest {
  const { location, ...summary } = summariseRequest(entry, endpoint, lost);
  return {
    ...summary,
    ...present({ answer: readAnswer(entry, endpoint), location }),
    params: gatherParams([...redactPairs(entry.request.query), ...redactPairs(entry.request.body ?? "")]),
    raw: () => unpackEntry(entry),
  };
}

export function summariseRequest(entry: JournalEntry, endpoint: EndpointName, lost: boolean): RequestSummary {
  const { request, response } = entry;
  const facts = redactFacts(entry.facts);
  const location = findHeader(response, "location");
  return {
    id: entry.id,
    at: entry.receivedAt,
    endpoint,
    method: request.method,
    path: redactText(request.path),
    ...readResource(facts),
    ...present({ status: response.status === unknownStatus ? undefined : response.status }),
    outcome: outcomeOf(entry),
    duration: entry.duration,
    ...present({
      clientId: facts.clientId,
      clientAuth: facts.clientAuth,
      person: facts.subject,
      grantType: facts.grantType,
      pkce: facts.pkce,
      arrivedBy: facts.arrivedBy,
      provenKey: facts.provenKey,
      scope: facts.scope,
      resource: facts.resource,
      refusal: facts.refusal,
      advice: facts.advice,
      backChannelLogout: readOutcomes(facts.more?.["back_channel_logout"]),
      fault: facts.fault,
      altered: facts.altered,
      lost: lost ? true as const : undefined,
      flow: facts.flow,
      trace: entry.trace,
      location: location === undefined ? undefined : redactLocation(location),
    }),
  };
}

/** Returns only the name of the error, because its message may contain secrets. */
export function describeFault(fault: unknown): string {
  return fault instanceof Error ? fault.name : "no Error";
}

export function readResource({ more }: Partial<Facts>): Pick<RecordedRequest, "api" | "rpc"> {
  const noted = more?.["resource"];
  if (!isJsonObject(noted)) return {};
  const { url, rpc } = noted;
  const calls = Array.isArray(rpc) ? rpc.filter((call) => typeof call === "string") : [];
  return present({
    api: typeof url === "string" ? url : undefined,
    rpc: calls.length === 0 ? undefined : calls,
  });
}

/** Ignores values that are not text, because `more` is not typed. */
function readOutcomes(noted: unknown): RecordedRequest["backChannelLogout"] {
  if (!isJsonObject(noted)) return undefined;
  const results = Object.entries(noted).flatMap(([id, outcome]) =>
    typeof outcome === "string" ? [[id, outcome] as const] : []
  );
  return Object.fromEntries(results);
}

/**
 * The names of parameters without secrets. The username of the sign-in form is not one of them, because a person may
 * type the password there by mistake.
 */
const readableParams: ReadonlySet<string> = new Set([
  ...["client_id", "redirect_uri", "response_type", "response_mode", "scope", "resource", "audience"],
  ...["code_challenge_method", "prompt", "max_age", "display", "ui_locales", "acr_values", "login_hint"],
  ...["grant_type", "client_assertion_type", "token_type_hint", "post_logout_redirect_uri"],
  ...["subject_token_type", "actor_token_type", "requested_token_type", "issued_token_type"],
  ...["person", "account", "decision"],
  ...["iss", "error", "error_description", "error_uri", "token_type", "expires_in"],
]);

const readableMembers: ReadonlySet<string> = new Set([
  ...readableParams,
  ...["sub", "aud", "exp", "iat", "nbf", "auth_time", "acr", "amr", "username", "preferred_username"],
  ...["kty", "crv", "x", "y", "n", "e", "kid", "alg", "use", "key_ops"],
]);

/** Whether parameters of queries and forms with this name hold no secrets. */
export function isReadableParam(name: string): boolean {
  return readableParams.has(name);
}

export function isReadableMember(name: string): boolean {
  return readableMembers.has(name);
}

/** Reads the parameters of a query or a form, with secrets hidden. Hides text that is not a parameter, like `redact`. */
export function redactPairs(form: string): readonly Pair[] {
  return splitPairs(form).map(([name, value]): Pair => {
    const shown = value !== "" && isReadableParam(name) ? decodeValue(value) : undefined;
    return [name, shown === undefined ? value && hidden : redactText(shown)];
  });
}

function gatherParams(pairs: readonly Pair[]): RecordedRequest["params"] {
  const names = new Set(pairs.map(([name]) => name));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = pairs.flatMap(([each, value]) => each === name ? [value] : []);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** Also hides the client's own parameters, because any of them may be a secret. */
function redactLocation(location: string): string {
  const { address, query, fragment } = splitLocation(location);
  // Encodes as few characters as possible, so that the URL is readable.
  const encode = (value: string) => value.replace(/[%&#+]/g, encodeURIComponent).replaceAll(" ", "+");
  const read = (form: string) =>
    redactPairs(form).map(([name, value]) => `${name}=${encode(value)}`).join("&");
  return redactText(address) + (query === undefined ? "" : `?${read(query)}`) +
    (fragment === undefined ? "" : `#${read(fragment)}`);
}

function readAnswer({ response }: JournalEntry, endpoint: EndpointName): RecordedRequest["answer"] {
  const members = readMembers(response);
  // Metadata is public, and readableMembers does not list its many members.
  return members && (endpoint === "metadata" ? redactTexts(members) : redactMembers(members));
}

function redactMembers(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [redactText(name), redactMember(name, value)]),
  );
}

function redactMember(name: string, value: unknown): unknown {
  if (typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => redactMember(name, each));
  if (isJsonObject(value)) return redactMembers(value);
  if (!isReadableMember(name)) return hidden;
  return typeof value === "string" ? redactText(value) : value;
}
