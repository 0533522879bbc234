/** Answers that callers give as JSON, instead of a client document or for an API. */

import { mayHaveBody } from "../../ground/http/message.ts";
import { answerHeaders } from "../../ground/http/respond.ts";
import { type JsonObject, placeOfMember } from "../../ground/schema/json_object.ts";
import { utf8Of } from "../../ground/values/octets.ts";
import { present } from "../../ground/values/present.ts";
import { wrongValue } from "../guard/control_refused.ts";

export interface CallerAnswer {
  readonly status?: number;
  /** Default: a content type of JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface JsonAnswer extends Omit<CallerAnswer, "body"> {
  /** Text, or an object or a list for JSON. */
  readonly body?: string | JsonObject | readonly unknown[];
}

export function createCallerAnswer(
  { status = 200, headers = { "content-type": "application/json" }, body }: CallerAnswer,
): Response {
  const answer = new Response(body ?? null, { status, headers });
  // The body of a response is a stream, whose length a listener does not know.
  if (body !== undefined) answer.headers.set("content-length", `${utf8Of(body).byteLength}`);
  return answer;
}

/** Refuses an answer that HTTP cannot have: a body with the status 204, or a header with a line break. */
export function requireCallerAnswer(answer: CallerAnswer): void {
  if (isPossible(answer)) return;
  throw wrongValue(
    "answer",
    "must have headers that HTTP allows, and no body with the status 204, 205 or 304",
  );
}

function isPossible(answer: CallerAnswer): boolean {
  const { status = 200, body } = answer;
  // Bun creates such a response.
  if (body !== undefined && !mayHaveBody(status)) return false;
  try {
    createCallerAnswer(answer);
    return true;
  } catch {
    return false;
  }
}

/** The listener sets these headers. Others would break the connection. */
const connectionHeaders =
  /^(connection|content-length|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** `place` is that of its headers. */
export function requireJsonAnswer(answer: JsonAnswer, place: string): void {
  requireCallerAnswer(writeJsonAnswer(answer));
  const name = Object.keys(answer.headers ?? {}).find((each) => connectionHeaders.test(each));
  if (name === undefined) return;
  throw wrongValue(placeOfMember(place, name), "must be left out, because the server sets it");
}

/** Adds the headers of every JSON answer of the server. */
export function writeJsonAnswer({ headers = {}, body, ...others }: JsonAnswer): CallerAnswer {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...others,
    headers: { ...answerHeaders, "content-type": "application/json", ...Object.fromEntries(own) },
    ...present({
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    }),
  };
}
