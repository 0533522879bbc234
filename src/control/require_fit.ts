/** Says of a value that does not fit its schema where it does not, why, and what would fit. */

import { isMembers } from "../mock/terms/members.ts";
import { checkSchema, type Schema, type SchemaProblem } from "../schema/check_schema.ts";
import { splitPlace } from "../schema/place.ts";
import { ControlRefused } from "./errors.ts";
import type { EitherSchema } from "./schemas.ts";

/** `nameOf` says how the sender writes a place; `undefined`: the body itself. */
export function requireFit(
  value: unknown,
  schema: Schema,
  nameOf: (place: string) => string | undefined,
): void {
  const problem = checkSchema(value, schema) ?? checkEithers(value, schema);
  if (problem === undefined) return;
  const place = nameOf(problem.place);
  throw new ControlRefused("invalid_request", `${place ?? "the body"} ${problem.expected}`, {
    ...(place === undefined ? {} : { place }),
    expected: describeExpected(problem, schema),
  });
}

/** The members that may be written in more than one way: the problem is that of the way that was meant. */
function checkEithers(value: unknown, { properties = {} }: Schema): SchemaProblem | undefined {
  const given = new Map(Object.entries(isMembers(value) ? value : {}));
  for (const [name, schema] of Object.entries(properties)) {
    if (!given.has(name) || !isEither(schema)) continue;
    const problems = schema.anyOf.map((each) => checkSchema(given.get(name), each, name));
    if (problems.some((each) => each === undefined)) continue;
    const ofKind = schema.anyOf.findIndex(({ type }) =>
      checkSchema(given.get(name), type === undefined ? {} : { type }) === undefined
    );
    if (ofKind !== -1) return problems[ofKind];
    const kinds = schema.anyOf.map(({ type }) => type);
    return { place: name, expected: `must be one of these: ${kinds.join(", ")}` };
  }
  return undefined;
}

function isEither(schema: Schema): schema is EitherSchema {
  return "anyOf" in schema;
}

/** Of what is missing, and of what should not be there, the complaint alone does not tell what would fit. */
function describeExpected({ place, expected, known }: SchemaProblem, schema: Schema): string {
  if (known !== undefined) {
    return known.length === 0 ? "must be left out" : `must be one of ${known.join(", ")}`;
  }
  if (expected !== "is required") return expected;
  const missing = findSchema(place, schema) ?? {};
  if (missing.enum !== undefined) return `must be one of ${missing.enum.join(", ")}`;
  return checkSchema(null, missing)?.expected ?? "must be there";
}

function findSchema(place: string, schema: Schema): Schema | undefined {
  let found: Schema | undefined = schema;
  for (const name of splitPlace(place)) {
    const others: Schema["additionalProperties"] = found?.additionalProperties;
    found = found?.properties?.[name] ?? found?.items ?? (typeof others === "object" ? others : undefined);
  }
  return found;
}
