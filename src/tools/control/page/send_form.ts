/** Sends the call that a person has filled in on the page, and says what the page shows of its answer. */

import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { showAnswer, type ShowOptions } from "../../../kit/mock/journal/show_value.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { hidePrivateKeys } from "../../../server/oauth/secrets/redaction.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import type { ControlVisit } from "../../guard/control_dashboard.ts";
import { controlPath } from "../../guard/control_paths.ts";
import { wrongRequest } from "../../guard/control_refused.ts";
import { fieldsOf, fullPath } from "../describe_calls.ts";
import { controlRoutes } from "../routes.ts";
import type { SentCall } from "./calls_page.tsx";

export type SendCall = (request: IncomingRequest) => Promise<Answer>;

// In characters.
const longestAnswer = 20_000;

export async function sendForm(
  { request, form, requireForm, seesSecrets, neverShown }: ControlVisit,
  send: SendCall,
): Promise<SentCall> {
  const wanted = new URLSearchParams(request.address.query).get("call");
  const route = controlRoutes.find((each) => each.name === wanted);
  if (route === undefined) throw wrongRequest("There is no such call", "a form of the page", "call");
  requireForm(route.name);
  const { name, method } = route;
  const options = { secrets: seesSecrets, neverShown };
  const isShown = ([field, text]: readonly [string, string]) =>
    showAnswer(field.replace(/^\w+\./, ""), text, options) === text;
  const sent = { typed: new Map([...form].filter(isShown)) };
  const { query, body } = fieldsOf(route);
  const valueOf = (field: string) => form.get(field) ?? "";
  const path = fullPath(route).replace(
    /\{(\w+)\}/g,
    (_, each) => encodeURIComponent(valueOf(`path.${each}`)),
  );
  const isDeletion = method === "DELETE" || name === "reset";
  if (isDeletion && !form.has("confirmed")) return { ...sent, asks: `${method} ${path}` };
  const filled = (part: string, fields: object) =>
    Object.keys(fields).map((each) => [each, valueOf(`${part}.${each}`)] as const).filter(([, text]) =>
      text !== ""
    );
  const members = filled("body", body).map(([each, text]) => [each, read(text, body[each]!)]);
  const answer = await send({
    method,
    address: {
      ...request.address,
      path: controlPath + path,
      query: `${new URLSearchParams(Object.fromEntries(filled("query", query)))}`,
    },
    peer: request.peer,
    header: (each) => each === "content-type" ? "application/json" : undefined,
    headers: () => [],
    readBody: () => Promise.resolve({ text: JSON.stringify(Object.fromEntries(members)) }),
  });
  const text = `${answer.status}\n${show(`${answer.body}`, options)}`;
  return { ...sent, answer: text.slice(0, longestAnswer) };
}

/** Reads a text as JSON if its value fits the schema, or if no text does. */
function read(text: string, schema: Schema): unknown {
  const parsed = parse(text);
  return checkSchema(parsed, schema) === undefined || checkSchema(text, schema) !== undefined ? parsed : text;
}

/** Returns text that is no JSON as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function show(answer: string, options: ShowOptions): string {
  const parsed = parse(hidePrivateKeys(answer));
  return typeof parsed === "string"
    ? parsed.split("\n").map((line) => showAnswer("", line, options)).join("\n")
    : JSON.stringify(showAnswer("", parsed, options), null, 2);
}
