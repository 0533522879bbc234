/** Reads the query and the body of a call, and checks them against the schemas of the route. */

import type { IncomingRequest } from "../http/message.ts";
import { isJsonObject } from "../schema/json_object.ts";
import type { Schema } from "../schema/schema.ts";
import { ControlRefused } from "./control_refused.ts";
import { requireFit } from "./require_fit.ts";
import type { RouteSchema } from "./route.ts";
import { closed } from "./schemas.ts";

// Enough for a person or a client with large claims or keys.
const longestBody = 1_000_000;
// Deeper than any token. The checker calls itself once for each level.
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
  const expected = "must be given once";
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
        : "The body must be JSON in UTF-8, complete and without a content coding",
    );
  }
  if (read.text === "") return checkBody({}, schema);
  if (schema === undefined) {
    throw new ControlRefused("invalid_request", "This operation takes no body");
  }
  requireJson(request.header("content-type"));
  return checkBody(rename(parse(read.text), alsoCalled), schema);
}

/** Keeps the other name when the body has both, so that it is refused as unknown. */
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

/** A form of any web page can send text/plain, so only JSON media types are accepted. */
function requireJson(type: string | undefined): void {
  if (/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type ?? "")) return;
  throw new ControlRefused("unsupported_media_type", "The body must be declared as JSON", {
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
    // The error of the runtime quotes the body, which may hold secrets.
    throw new ControlRefused("invalid_request", "The body is not JSON", {
      expected: "a JSON object (RFC 8259)",
    });
  }
}

/** Counts open brackets outside strings. Deep nesting would overflow the stack of a recursive parser. */
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
