/** Exchanges in words: why one was refused, who asked for what, and how it ended. */

import { type Facts, type JournalEntry, redactRefusal, type Refusal } from "../oauth/journal.ts";
import { visible } from "../pages/visible.ts";
import { redactText } from "../oauth/redaction.ts";
import type { EndpointName } from "./endpoints.ts";
import type { RecordedRequest } from "./recorded_request.ts";

/** In the manner of the console: what was refused, and below it the rule, what was expected, what came, our fault. */
export function explainRefusal(refusal: Refusal): string;
/** `undefined`: it was not refused. */
export function explainRefusal(request: JournalEntry | RecordedRequest): string | undefined;
export function explainRefusal(of: Refusal | JournalEntry | RecordedRequest): string | undefined {
  const { refusal: found, fault }: Partial<Facts> = "reason" in of
    ? { refusal: of }
    : "facts" in of
    ? of.facts
    : of;
  if (found === undefined) return undefined;
  const { spec, expected, received, remedy = "", ...refusal } = redactRefusal(found);
  const thrown = fault === undefined ? undefined : redactText(String(fault));
  const rows = Object.entries({ rule: spec, expected, came: received, fault: thrown }).flatMap((
    [name, text],
  ) => text === undefined ? [] : [`${name.padEnd(9)} ${quote(text)}`]);
  // Ready to paste: neither cut off nor indented.
  const allowing = remedy.split("\n").filter(Boolean).map(visible);
  return [
    describeRefusal(refusal),
    ...rows,
    ...(allowing.length === 0 ? [] : ["this configuration would allow it:", ...allowing]),
  ].join("\n");
}

/** The last refusal among them; `undefined`: there was none. */
export function explainLast(entries: Iterable<JournalEntry | RecordedRequest>): string | undefined {
  let last: JournalEntry | RecordedRequest | undefined;
  for (const entry of entries) {
    if (("facts" in entry ? entry.facts.refusal : entry.refusal) !== undefined) last = entry;
  }
  return last && explainRefusal(last);
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
  const { status, refusal, location, person, altered = [], fault } = request;
  return [
    `${status}`,
    ...(refusal === undefined ? [] : [describeRefusal(refusal)]),
    ...(location === undefined ? [] : [`to ${quote(location)}`]),
    ...(person === undefined ? [] : [`as ${quote(person)}`]),
    ...(altered.length === 0 ? [] : [`changed at ${altered.join(", ")}`]),
    // No more than its name: whoever threw it may have put anything into its message.
    ...(fault === undefined
      ? []
      : [`after a fault (${fault instanceof Error ? quote(fault.name) : "no Error"})`]),
  ].join(" ");
}

const longest = 300;

/** Whoever sent the request wrote this text: it stays on its line, and does not fill the screen. */
function quote(text: string): string {
  const shown = visible(text);
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}
