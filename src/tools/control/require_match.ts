/** Checks a body or a query against its schema. The error has the place, the reason and the expected value. */

import { checkSchema } from "../../server/schema/check_schema.ts";
import { isJsonObject, type JsonObject } from "../../server/schema/json_object.ts";
import { suggestName } from "../../server/schema/nearest.ts";
import { describeReceived, withReceived } from "../../server/schema/received.ts";
import type { Schema } from "../../server/schema/schema.ts";
import { ControlRefused, wrongRequest } from "../guard/control_refused.ts";
import { suggestMember } from "./suggest.ts";

/** Checks a body. The place of a mistake is that of a member. */
export function requireBody(body: unknown, schema: Schema): void {
  if (isJsonObject(body)) requireProperNames(body, schema, "");
  const found = checkSchema(body, schema);
  if (found === undefined) return;
  const { place, problem, expected, received } = found;
  const name = place === "" ? "the body" : place;
  throw new ControlRefused("invalid_request", `${name} ${withReceived(problem, received)}`, {
    ...(place === "" ? {} : { place }),
    expected,
  });
}

/** Checks a query. The place of a mistake is that of a parameter, for example `?wait`. */
export function requireQuery(query: JsonObject, schema: Schema): void {
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

/**
 * Refuses an unknown member whose right name can be told. A schema that allows other members would ignore a misspelt
 * option, and the call would do something else than the caller means.
 */
function requireProperNames(
  value: JsonObject,
  { properties = {} }: Schema,
  prefix: "" | "?",
): void {
  const known = Object.keys(properties);
  for (const name of Object.keys(value)) {
    const suggestion = known.includes(name) ? undefined : suggestMember(name, known);
    if (suggestion === undefined) continue;
    const place = prefix + name;
    throw wrongRequest(`${place} ${suggestName(suggestion)}`, `must be one of ${known.join(", ")}`, place);
  }
}
