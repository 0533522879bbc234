/** Checks a body or a query against its schema. The error has the place, the reason and the expected value. */

import { checkSchema } from "../schema/check_schema.ts";
import type { Schema } from "../schema/schema.ts";
import { ControlRefused } from "./control_refused.ts";

/** `nameOf` returns the place as the caller knows it, or `undefined` for the whole body. */
export function requireMatch(
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
