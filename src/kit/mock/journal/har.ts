/** Writes recorded requests as a HAR 1.2 file for a browser's developer tools, without secrets. */

import project from "../../../../deno.json" with { type: "json" };
import { findHeader, type JournalEntry, type Message } from "../../../server/oauth/contracts/journal.ts";
import { formatParams } from "../../../ground/http/form.ts";
import { hidden, redact, redactText } from "../../../server/oauth/secrets/redaction.ts";
import { escapeHidden } from "../../../ground/values/hidden_characters.ts";
import { describeOutcome } from "./describe_request.ts";
import { type RecordedRequest, redactPairs, unknownStatus } from "./recorded_request.ts";
import { present } from "../../../ground/values/present.ts";

/** `origin` is that of the URLs in the file. */
export function formatHar(requests: readonly RecordedRequest[], dropped: number, origin: string): string {
  const log = {
    version: "1.2",
    creator: { name: "Postern", version: project.version },
    entries: requests.map((request) => describeEntry(request, origin)),
    ...present({ comment: dropped === 0 ? undefined : `${dropped} earlier requests were dropped` }),
  };
  return escapeHidden(JSON.stringify({ log }, null, 2));
}

type Json = Readonly<Record<string, unknown>>;

function describeEntry(recorded: RecordedRequest, origin: string): Json {
  // HAR viewers reject a negative duration, which a clock that was set back can cause.
  const time = Math.max(0, recorded.duration * 1000);
  return {
    startedDateTime: new Date(Math.round(recorded.at * 1000)).toISOString(),
    time,
    request: describeRequest(recorded, origin),
    response: describeResponse(recorded),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...describeComment(recorded),
    // HAR 1.2: the names of custom members begin with an underscore.
    ...present({ _trace: recorded.trace }),
  };
}

/** HAR has no member for a refusal, a change by a hook, a dropped response, and the clients that were notified. */
function describeComment(recorded: RecordedRequest): { readonly comment?: string } {
  const { refusal, altered, lost, backChannelLogout = {} } = recorded;
  const isPlain = refusal === undefined && altered === undefined && lost === undefined;
  const comments = [
    ...(isPlain ? [] : [describeOutcome(recorded)]),
    ...Object.entries(backChannelLogout).map(([id, outcome]) => `${id} (back-channel logout) → ${outcome}`),
  ];
  return comments.length === 0 ? {} : { comment: comments.join("; ") };
}

function describeRequest(recorded: RecordedRequest, origin: string): Json {
  const raw = recorded.raw();
  const query = redactPairs(raw.request.query);
  const form = redactPairs(raw.request.body ?? "");
  return {
    method: recorded.method,
    url: (recorded.api ?? origin + recorded.path) + (query.length === 0 ? "" : `?${formatParams(query)}`),
    httpVersion: "HTTP/1.1",
    headers: redact(raw).request.headers.map(nameValue),
    queryString: query.map(nameValue),
    cookies: raw.request.headers.filter(([name]) => name === "cookie")
      .flatMap(([, cookies]) => cookies.split(";").map((pair) => describeCookie(pair))),
    // In HAR 1.2, postData has either the parameters or the text.
    ...present({
      postData: raw.request.body ? { mimeType: typeOf(raw.request), params: form.map(nameValue) } : undefined,
    }),
    headersSize: -1,
    bodySize: countRequestBytes(raw.request),
  };
}

function describeResponse(recorded: RecordedRequest): Json {
  const { response } = redact(recorded.raw());
  const { location = "", answer } = recorded;
  // A response to HEAD has no body (RFC 9110 §9.3.2), although the journal entry has the body of the GET response.
  const isHead = recorded.method === "HEAD";
  const size = isHead ? 0 : countBytes(recorded.raw().response);
  return {
    status: recorded.status ?? unknownStatus,
    statusText: "",
    httpVersion: "HTTP/1.1",
    headers: response.headers.map(([name, value]) =>
      nameValue([name, name === "location" ? location : value])
    ),
    cookies: recorded.raw().response.headers.filter(([name]) => name === "set-cookie")
      .map(([, cookie]) => describeSetCookie(cookie)),
    content: {
      size,
      mimeType: typeOf(response),
      ...present({ text: answer === undefined || isHead ? undefined : JSON.stringify(answer) }),
    },
    redirectURL: location,
    headersSize: -1,
    bodySize: size,
  };
}

function typeOf(message: Message): string {
  return redactText(findHeader(message, "content-type") ?? "");
}

function nameValue([name, value]: readonly [name: string, value: string]): Json {
  return { name, value };
}

/** Hides the whole cookie if it has no name, because the text may be a secret. */
function describeCookie(pair: string): Json {
  const name = /^\s*([^=\s][^=]*)=/.exec(pair)?.[1];
  return { name: redactText(name ?? hidden), value: hidden };
}

function describeSetCookie(cookie: string): Json {
  const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
  const path = attributes.find((each) => /^path=/i.test(each))?.slice("path=".length);
  const has = (name: string) => attributes.some((each) => each.toLowerCase() === name);
  return { ...describeCookie(pair), ...present({ path }), httpOnly: has("httponly"), secure: has("secure") };
}

const methodsWithoutBody: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Returns -1, which means an unknown size in HAR 1.2, if the client may have sent a body that was not read. */
function countRequestBytes({ method, ...message }: JournalEntry["request"]): number {
  return message.body === undefined && !methodsWithoutBody.has(method) ? -1 : countBytes(message);
}

function countBytes({ body = "", bodyLength }: Message): number {
  if (bodyLength === "unknown") return -1;
  return bodyLength ?? new TextEncoder().encode(body).length;
}
