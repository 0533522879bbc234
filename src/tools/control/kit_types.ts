/** The types of the test kit as JSON has them. `deno task docs` writes them, with their comments as descriptions. */

import calls from "../../../static/calls.json" with { type: "json" };
import type { Schema } from "../../ground/schema/schema.ts";
import { closedObject, openObject, type SchemaOf, type SchemasOf } from "../../ground/schema/schema_of.ts";

export type TypeName = keyof typeof calls.types;

/**
 * What JSON has of terms. A browser has a name over HTTP. No schema has the earlier names of a username: they are aliases
 * (`usualAliases` in `route.ts`), which become `username` before the body is checked.
 */
export type InJson<Terms> = Omit<Terms, "as" | "person" | "browser">;

interface DescribedType {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

const types = calls.types as Readonly<Record<TypeName, unknown>> as Readonly<Record<TypeName, DescribedType>>;

/** Returns the schemas of the members of a type of terms. */
export function membersOf<Terms>(name: TypeName): SchemasOf<InJson<Terms>> {
  const { browser: _browser, ...members } = types[name].properties;
  return members as SchemasOf<InJson<Terms>>;
}

/** Returns the schema of a body that has only the members of a type of terms. */
export function bodyOf<Terms extends object>(name: TypeName): SchemaOf<InJson<Terms>> {
  const { required = [], examples: [example] = [] } = types[name];
  const members: Readonly<Record<string, Schema>> = membersOf<Terms>(name);
  return closedObject(members, { required, example }) as SchemaOf<InJson<Terms>>;
}

/** Returns the schema of what a call returns. `changed` has the members that differ over HTTP. */
export function resultOf(name: TypeName, changed: Readonly<Record<string, Schema>> = {}): Schema {
  const { required = [], properties, description } = types[name];
  const members = { ...properties, ...changed };
  const schema = openObject(members, { required: required.filter((each) => Object.hasOwn(members, each)) });
  return description === undefined ? schema : { description, ...schema };
}

/** Returns the comment of a call of the test kit, for the call of the control plane with the same name. */
export function summaryOf(name: string): string {
  const summaries: Readonly<Record<string, string>> = calls.summaries;
  const summary = summaries[name];
  if (summary !== undefined) return summary;
  throw new Error(`The call ${name} needs a summary, because the test kit has no call with this name`);
}
