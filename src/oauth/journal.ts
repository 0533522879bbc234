/** The journal: one entry for each exchange. The console line, the assertions and the report cards are views of it. */

import { hidden, redactText } from "./redaction.ts";

/** Why an exchange ended as it did. */
export interface Refusal {
  readonly error: string;
  readonly reason: string;
  readonly description: string;
  readonly spec?: string;
  readonly expected?: string;
  readonly received?: string;
  readonly remedy?: string;
}

/** A rule that a request broke and that the server does not insist on. */
export type Advice = Pick<Refusal, "reason" | "description" | "spec" | "expected">;

/** A change at a seam, and who made it: a hook, a misbehaviour, or a function of the caller's. */
export interface Alteration {
  readonly seam: string;
  /** The name of the hook or misbehaviour. Of a function without a name: `seams.response`. */
  readonly by: string;
}

/** What the steps found out about an exchange. Never a secret. */
export interface Facts {
  readonly endpoint: string;
  /** The id of the grant that this exchange belongs to. */
  readonly flow: string;
  readonly clientId: string;
  readonly clientAuth: string;
  readonly subject: string;
  readonly grantType: string;
  readonly pkce: "S256" | "none";
  /** The sources of the authorization request, unless its parameters came in the query or the form. */
  readonly arrivedBy: readonly string[];
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  readonly refusal: Refusal;
  readonly advice: Advice;
  /** What was changed on its way out, in that order. */
  readonly altered: readonly Alteration[];
  /** A fault of ours, whole: for whoever runs the server, never for whoever asked. */
  readonly fault: unknown;
  /** A feature's own, under its name. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** Headers and text, as they were. */
export interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** A body that is not text is not kept: its length in bytes, which a stream does not tell. */
  readonly bodyLength?: number | "unknown";
}

/** Raw, with its secrets: it stays in memory, and every view goes through `redact`. */
export interface JournalEntry {
  readonly id: string;
  readonly receivedAt: number;
  /** Seconds. */
  readonly duration: number;
  readonly request: Message & { readonly method: string; readonly path: string; readonly query: string };
  readonly response: Message & { readonly status: number };
  readonly facts: Partial<Facts>;
}

/** Hears of every exchange, once it is answered. */
export type Journal = (entry: JournalEntry) => void;

/** What may be shown: any other header may hold a secret of somebody's, by whatever name. */
const harmlessHeaders: ReadonlySet<string> = new Set([
  ...["accept", "accept-encoding", "accept-language", "content-type", "content-length", "content-encoding"],
  ...["connection", "host", "origin", "user-agent", "if-none-match", "access-control-request-headers"],
  ...[
    "access-control-request-method",
    "sec-fetch-site",
    "sec-fetch-mode",
    "sec-fetch-dest",
    "sec-fetch-user",
  ],
  ...[
    "access-control-allow-origin",
    "access-control-expose-headers",
    "access-control-allow-methods",
    "allow",
  ],
  ...[
    "access-control-allow-headers",
    "access-control-max-age",
    "cache-control",
    "pragma",
    "etag",
    "vary",
    "date",
  ],
  ...["content-security-policy", "cross-origin-opener-policy", "referrer-policy", "retry-after"],
  ...["www-authenticate", "x-content-type-options", "x-frame-options"],
]);

/** The entry without anything that would open a door: values of queries, bodies and secret headers are gone. */
export function redact(entry: JournalEntry): JournalEntry {
  const { body: requestBody, ...request } = entry.request;
  const { body: responseBody, ...response } = entry.response;
  const { refusal, ...facts } = entry.facts;
  return {
    ...entry,
    facts: refusal === undefined ? facts : { ...facts, refusal: redactRefusal(refusal) },
    request: {
      ...request,
      path: redactText(request.path),
      headers: redactHeaders(request.headers),
      query: redactForm(request.query),
      ...(requestBody === undefined ? {} : { body: redactForm(requestBody) }),
    },
    response: {
      ...response,
      headers: redactHeaders(response.headers),
      ...(responseBody === undefined ? {} : { body: hidden }),
    },
  };
}

export function redactRefusal(refusal: Refusal): Refusal {
  const texts = Object.entries(refusal).map(([name, text]) => [name, redactText(text)]);
  return Object.fromEntries(texts) as unknown as Refusal;
}

/** `"response", "id_token" (at claims)`: each name once, and its seam where that has another name. */
export function describeAltered(altered: readonly Alteration[]): string {
  const names = altered.map(({ seam, by }) => by === seam ? `"${by}"` : `"${by}" (at ${seam})`);
  return [...new Set(names)].join(", ");
}

function redactHeaders(headers: Message["headers"]): Message["headers"] {
  return headers.map(([name, value]) => [name, harmlessHeaders.has(name) ? value : hidden]);
}

/** The names of parameters help whoever reads; their values, and what is no parameter, may be secrets (LOG-01). */
function redactForm(form: string): string {
  if (form === "") return "";
  return form.split("&").map((pair) =>
    /^[a-z][a-z_]{0,39}(?==)/.exec(pair)?.[0]?.concat("=", hidden) ?? hidden
  )
    .join("&");
}
