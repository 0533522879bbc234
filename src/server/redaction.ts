/** Removes secrets from journal entries before people read them: on the console, in a test's failure, in a report. */

import type { Facts, JournalEntry, Message } from "./oauth/journal.ts";
import { hidden, redactText, redactTexts } from "./oauth/redaction.ts";

/** The views show only the name of a fault, or its own text. */
export function redactFacts({ fault, ...facts }: Partial<Facts>): Partial<Facts> {
  return { ...redactTexts(facts), ...(fault === undefined ? {} : { fault }) };
}

/** Returns the entry without the values of parameters, the body of the answer, and headers that may be secret. */
export function redact(entry: JournalEntry): JournalEntry {
  const { body: requestBody, ...request } = entry.request;
  const { body: responseBody, ...response } = entry.response;
  return {
    ...entry,
    facts: redactFacts(entry.facts),
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

/** The headers that are shown. Any other header may hold a secret. */
const harmlessHeaders: ReadonlySet<string> = new Set(
  [
    "accept accept-encoding accept-language allow cache-control connection content-encoding content-length",
    "content-security-policy content-type cross-origin-opener-policy date etag host if-none-match origin pragma",
    "access-control-allow-headers access-control-allow-methods access-control-allow-origin",
    "access-control-expose-headers access-control-max-age access-control-request-headers",
    "access-control-request-method referrer-policy retry-after sec-fetch-dest sec-fetch-mode sec-fetch-site",
    "sec-fetch-user traceparent user-agent vary www-authenticate x-content-type-options x-frame-options",
  ].flatMap((names) => names.split(" ")),
);

/** Whether the values of the header usually hold no secrets. The name is in lower case. */
export function isHarmlessHeader(name: string): boolean {
  return harmlessHeaders.has(name);
}

function redactHeaders(headers: Message["headers"]): Message["headers"] {
  return headers.map(([name, value]) => [name, isHarmlessHeader(name) ? redactText(value) : hidden]);
}

/** Returns the form with the names of its parameters only. Text that is not a parameter is hidden as a whole. */
function redactForm(form: string): string {
  if (form === "") return "";
  const pairs = form.split("&").map((pair) => {
    const name = /^[a-z][a-z_]{0,39}(?==)/.exec(pair)?.[0];
    return name === undefined ? hidden : `${name}=${hidden}`;
  });
  return pairs.join("&");
}
