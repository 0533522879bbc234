/** Refuses a body or a query that does not fit its schema: where, why, and what would fit. */

import { checkSchema } from "../schema/check_schema.ts";
import type { Schema } from "../schema/schema.ts";
import { ControlRefused } from "./control_refused.ts";

/** `nameOf` says how the caller writes a place; `undefined`: the body itself. */
export function requireFit(
  value: unknown,
  schema: Schema,
  nameOf: (place: string) => string | undefined,
): void {
  const found = checkSchema(value, schema);
  if (found === undefined) return;
  const { problem, expected } = found;
  const place = nameOf(found.place);
  throw new ControlRefused("invalid_request", `${place ?? "the body"} ${problem}`, {
    ...(place === undefined ? {} : { place }),
    expected,
  });
}
