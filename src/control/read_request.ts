/** What came with a request for the control: its query and its body, checked, or a word about the place that is wrong. */

import type { IncomingRequest } from "../http/message.ts";
import { isJsonObject } from "../schema/json_object.ts";
import type { Schema } from "../schema/schema.ts";
import { ControlRefused } from "./control_refused.ts";
import { requireFit } from "./require_fit.ts";
import type { RouteSchema } from "./route.ts";
import { closed } from "./schemas.ts";

// A configuration with thousands of people fits in.
const longestBody = 1_000_000;
// More than any token holds; whoever walks a value goes as deep as it does.
const deepest = 100;

export function readQuery(query: string, schema: Schema = closed({})): unknown {
  const found: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(found, name)) refuseRepeated(name);
    found[name] = readValue(value, schema.properties?.[name]);
  }
  requireFit(found, schema, (place) => `?${place}`);
  return found;
}

function refuseRepeated(name: string): never {
  const expected = "must be there once";
  throw new ControlRefused("invalid_request", `?${name} ${expected}`, { place: `?${name}`, expected });
}

function readValue(value: string, schema: Schema | undefined): unknown {
  if (schema?.type === "integer") return /^-?\d{1,300}$/.test(value) ? Number(value) : value;
  if (schema?.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  return value;
}

export async function readBody(
  request: IncomingRequest,
  { body: schema, alsoCalled }: Pick<RouteSchema, "body" | "alsoCalled">,
): Promise<unknown> {
  const read = await request.readBody(longestBody);
  if ("problem" in read) {
    const isLong = read.problem === "too_large";
    throw new ControlRefused(
      isLong ? "too_large" : "invalid_request",
      isLong
        ? `The body is longer than ${longestBody} octets`
        : "The body must be JSON in UTF-8, whole and as it is",
    );
  }
  if (read.text === "") return checkBody({}, schema);
  if (schema === undefined) {
    throw new ControlRefused("invalid_request", "There must be no body: this takes none");
  }
  requireJson(request.header("content-type"));
  return checkBody(rename(parse(read.text), alsoCalled), schema);
}

/** Two names for one thing are too many: then the other is not known. */
function rename(body: unknown, names: Readonly<Record<string, string>> = {}): unknown {
  if (!isJsonObject(body)) return body;
  const known = new Map(Object.entries(names));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const meant = known.get(name);
      return [meant === undefined || Object.hasOwn(body, meant) ? name : meant, value];
    }),
  );
}

/** What a form of any web page can send is not taken for JSON. */
function requireJson(type: string | undefined): void {
  if (/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type ?? "")) return;
  throw new ControlRefused("unsupported_media_type", "The body must say that it is JSON", {
    place: "Content-Type",
    expected: "application/json",
  });
}

function parse(text: string): unknown {
  if (isDeeperThan(deepest, text)) {
    throw new ControlRefused(
      "invalid_request",
      `The body is nested deeper than ${deepest} objects and arrays`,
      {
        expected: `must be nested ${deepest} deep or less`,
      },
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    // What a runtime says of it quotes the body, and there may be secrets in it.
    throw new ControlRefused("invalid_request", "The body must be JSON, and this is none", {
      expected: "JSON (RFC 8259), whole",
    });
  }
}

/** By the brackets that are open outside of strings: a parser that calls itself would end first. */
function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inString = !inString;
    else if (inString) at += character === "\\" ? 1 : 0;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth > limit) return true;
  }
  return false;
}

function checkBody(body: unknown, schema: Schema | undefined): unknown {
  if (schema !== undefined) requireFit(body, schema, (place) => place === "" ? undefined : place);
  return body;
}
