/** Reads the query and the body of a call, and checks them against the schemas of the route. */

import type { IncomingRequest } from "../../ground/http/message.ts";
import { checkSchema } from "../../ground/schema/check_schema.ts";
import { isJsonObject, type JsonObject } from "../../ground/schema/json_object.ts";
import { suggestName } from "../../ground/schema/nearest.ts";
import { describeReceived, withReceived } from "../../ground/schema/received.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { parseJson } from "../../ground/values/parse_json.ts";
import { ControlRefused, wrongRequest, wrongValue } from "../guard/control_refused.ts";
import { properName, unwrapTokens } from "./given_tokens.ts";
import type { ControlRoute } from "./route.ts";
import { closedObject } from "../../ground/schema/schema_of.ts";
import { suggestMember } from "./suggest.ts";

// Octets. Enough for a person with large claims or a client with many keys.
const maxBodyLength = 1_000_000;
// The checker is recursive, so the depth is limited. No token is nested this deep.
const maxDepth = 100;

export function readQuery(
  query: string,
  { query: schema = closedObject({}), aliases = {} }: Pick<ControlRoute, "query" | "aliases">,
): unknown {
  const found: Record<string, unknown> = {};
  for (const [given, value] of new URLSearchParams(query)) {
    const name = properName(given, aliases);
    if (Object.hasOwn(found, name)) throw wrongValue(`?${given}`, "must be given once");
    found[name] = readValue(value, schema.properties?.[name]);
  }
  requireQuery(found, schema);
  return found;
}

/** Returns the value as text if the text does not have the type, so that the check of the schema refuses it. */
function readValue(value: string, schema: Schema | undefined): unknown {
  if (schema?.type === "integer") return /^-?\d{1,300}$/.test(value) ? Number(value) : value;
  if (schema?.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  return value;
}

export async function readBody(
  request: IncomingRequest,
  { body: schema, aliases, tokens }: Pick<ControlRoute, "body" | "aliases" | "tokens">,
): Promise<unknown> {
  const read = await request.readBody(maxBodyLength);
  if ("problem" in read) {
    const isLong = read.problem === "too_large";
    throw new ControlRefused(
      isLong ? "too_large" : "invalid_request",
      isLong
        ? `The body is longer than ${maxBodyLength} octets`
        : "The body must be JSON in UTF-8, complete and without a content coding",
    );
  }
  if (read.text !== "") requireJson(request.header("content-type"));
  const body = rename(read.text === "" ? {} : parse(read.text), aliases);
  // Many programs send `{}` or `null` for a call without a body.
  if (schema === undefined && body === null) return {};
  const unwrapped = tokens === undefined || !isJsonObject(body) ? body : unwrapTokens(body, tokens);
  requireFitting(unwrapped, schema ?? closedObject({}));
  return unwrapped;
}

/** Replaces aliases of members by their names. If a body has both, the alias stays and is refused as unknown. */
function rename(body: unknown, aliases: Readonly<Record<string, string>> = {}): unknown {
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const proper = properName(name, aliases);
      return [Object.hasOwn(body, proper) ? name : proper, value];
    }),
  );
}

/** Accepts only JSON media types, because a form of any web page can send text/plain. */
function requireJson(type: string | undefined): void {
  if (/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type ?? "")) return;
  throw new ControlRefused("unsupported_media_type", "The Content-Type of the body must be JSON", {
    place: "Content-Type",
    expected: "application/json",
  });
}

function parse(text: string): unknown {
  if (isDeeperThan(maxDepth, text)) {
    throw wrongRequest(
      `The body is nested deeper than ${maxDepth} objects and arrays`,
      `must be nested ${maxDepth} deep or less`,
    );
  }
  // The error of the runtime would quote the body, which may contain secrets.
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw wrongRequest("The body is not JSON", "a JSON object (RFC 8259)");
}

/** Counts open brackets outside strings, because deep nesting would overflow the stack of a recursive parser. */
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

export function requireFitting(body: unknown, schema: Schema): void {
  if (isJsonObject(body)) requireProperNames(body, schema, "");
  const found = checkSchema(body, schema);
  if (found === undefined) return;
  const { place, problem, expected, received } = found;
  throw wrongRequest(
    `${place || "the body"} ${withReceived(problem, received)}`,
    expected,
    place || undefined,
  );
}

function requireQuery(query: JsonObject, schema: Schema): void {
  requireProperNames(query, schema, "?");
  const found = checkSchema(query, schema);
  if (found === undefined) return;
  // A query has no booleans, so the error names the two texts.
  const [problem, expected] = [found.problem, found.expected].map((text) =>
    text.replace("a boolean", "true or false")
  ) as [string, string];
  const place = `?${found.place}`;
  const received = describeReceived(found.place, query[found.place]);
  throw wrongRequest(`${place} ${withReceived(problem, received)}`, expected, place);
}

/** A schema that allows other members would ignore a misspelt option, and the call would do something else. */
function requireProperNames(value: JsonObject, { properties = {} }: Schema, prefix: "" | "?"): void {
  const known = Object.keys(properties);
  for (const name of Object.keys(value)) {
    const suggestion = known.includes(name) ? undefined : suggestMember(name, known);
    if (suggestion === undefined) continue;
    const place = prefix + name;
    throw wrongRequest(`${place} ${suggestName(suggestion)}`, `must be one of ${known.join(", ")}`, place);
  }
}
