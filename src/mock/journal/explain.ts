/** Exchanges in words: why one was refused, who asked for what, and how it ended. */

import { textOf } from "../../http/answer_body.ts";
import type { Answer } from "../../http/message.ts";
import {
  type Advice,
  type Alteration,
  describeAltered,
  type Facts,
  type JournalEntry,
  type Refusal,
} from "../../oauth/journal.ts";
import { redactRefusal, redactText } from "../../oauth/redaction.ts";
import { quote, visible } from "../../pages/visible.ts";
import { parseJsonObject } from "../../schema/json_object.ts";
import type { EndpointName } from "../endpoints.ts";
import { describeFault, type RecordedRequest } from "./recorded_request.ts";

/** In the manner of the console: what was refused, and below it the rule, what was expected, what came, our fault. */
export function explainRefusal(
  found: Refusal,
  { fault, altered }: Pick<Partial<Facts>, "fault" | "altered"> = {},
): string {
  const { spec, expected, received, remedy = "", ...refusal } = redactRefusal(found);
  const changed = altered && `by ${describeAltered(altered)}`;
  const thrown = fault === undefined ? undefined : redactText(String(fault));
  // Ready to paste: neither cut off nor indented.
  const allowing = remedy.split("\n").filter(Boolean).map(visible);
  return [
    describeRefusal(refusal),
    ...describeRows({ rule: spec, expected, came: received, changed, fault: thrown }),
    ...(allowing.length === 0 ? [] : ["this configuration would allow it:", ...allowing]),
  ].join("\n");
}

function explainAdvice({ reason, description, spec, expected }: Advice): string {
  return [`advice (${reason}): ${quote(description)}`, ...describeRows({ rule: spec, expected })].join("\n");
}

function describeRows(rows: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(rows).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name.padEnd(9)} ${quote(text)}`]
  );
}

/** The last refusal, the server's or a hook's, and below it the last advice. `undefined`: there is neither. */
export function explainLast(entries: readonly JournalEntry[]): string | undefined {
  const refused = entries.findLast((entry) => explainEntry(entry) !== undefined);
  const advice = entries.findLast(({ facts }) => facts.advice !== undefined)?.facts.advice;
  const texts = [
    refused && explainEntry(refused),
    advice && explainAdvice(advice),
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join("\n");
}

function explainEntry({ facts, response }: JournalEntry): string | undefined {
  const { refusal, altered = [], fault } = facts;
  if (refusal !== undefined) return explainRefusal(refusal, facts);
  if (response.status < 400 || altered.length === 0) return undefined;
  // A hook made an error where the server found none.
  const received = readReceived({ status: response.status, body: response.body ?? "" });
  return explainRefusal(describeUnexplained(received, altered), { fault });
}

/** What the client got instead of what it asked for. */
export interface Received {
  readonly status: number;
  /** The OAuth error in it. */
  readonly error?: string | undefined;
  readonly description?: string | undefined;
}

/** Of an answer to a program. */
export function readReceived({ status, body }: Pick<Answer, "status" | "body">): Received {
  const { error, error_description: description } = parseJsonObject(textOf(body)) ?? {};
  return {
    status,
    ...(typeof error === "string" ? { error } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

/** The server noted nothing of this error. */
export function describeUnexplained(
  { status, error = "no OAuth error", description }: Received,
  altered: readonly Alteration[],
): Refusal {
  const [reason, usually] = altered.length === 0
    ? ["unexplained", "the server says nothing else about it"]
    : ["answer_changed", "the server did not make this error"];
  const received = `status ${status}${describeChange(altered)}`;
  return { error, reason, description: description ?? usually, received };
}

/** Continues a sentence: `: changed by "response"`. */
export function describeChange(altered: readonly Alteration[]): string {
  return altered.length === 0 ? "" : `: changed by ${describeAltered(altered)}`;
}

function describeRefusal({ error, reason, description }: Refusal): string {
  return `${error} (${reason}): ${quote(description)}`;
}

const fromBrowsers: ReadonlySet<EndpointName> = new Set<EndpointName>([
  "authorize",
  "sign_in",
  "consent",
  "account",
  "logout",
  "page",
]);

/** These endpoints are for the person's browser, all others are for programs. */
export function isFromBrowser({ endpoint }: RecordedRequest): boolean {
  return fromBrowsers.has(endpoint);
}

export function describeAsker(request: RecordedRequest): string {
  return isFromBrowser(request) ? "browser" : quote(request.clientId ?? "somebody");
}

/** What was asked: "POST /oauth2/token (authorization_code, client_secret_basic, PKCE S256, scope read)". */
export function describeAsked(request: RecordedRequest): string {
  const { method, path, clientId, grantType, clientAuth, pkce, scope = [], resource = [] } = request;
  const said = [
    ...(isFromBrowser(request) && clientId !== undefined ? [`for ${clientId}`] : []),
    ...[grantType, clientAuth === "none" ? "no client auth" : clientAuth].filter((fact) =>
      fact !== undefined
    ),
    ...(pkce === undefined ? [] : [pkce === "none" ? "no PKCE" : `PKCE ${pkce}`]),
    ...(scope.length === 0 ? [] : [`scope ${scope.join(" ")}`]),
    ...(resource.length === 0 ? [] : [`resource ${resource.join(" ")}`]),
  ];
  return quote(`${method} ${path}`) + (said.length === 0 ? "" : ` (${quote(said.join(", "))})`);
}

/** How it ended: "303 to https://app.example/cb?code=[redacted] as alice", or "400 invalid_grant (…): …". */
export function describeOutcome(request: RecordedRequest): string {
  const { status, refusal, advice, location, person, altered = [], fault, lost } = request;
  return [
    `${status}`,
    ...(refusal === undefined ? [] : [describeRefusal(refusal)]),
    ...(location === undefined ? [] : [`to ${quote(location)}`]),
    ...(person === undefined ? [] : [`as ${quote(person)}`]),
    ...(advice === undefined ? [] : [`with advice (${advice.reason})`]),
    ...(altered.length === 0 ? [] : [`changed by ${quote(describeAltered(altered))}`]),
    ...(fault === undefined ? [] : [`after a fault (${quote(describeFault(fault))})`]),
    ...(lost === undefined ? [] : ["(the answer was lost)"]),
  ].join(" ");
}
