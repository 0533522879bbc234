/** docs/reference/configuration.md. */
import type { Schema } from "../../src/ground/schema/schema.ts";
import { findObject } from "../../src/tools/cli/commands/explain_word.ts";
import { registeredNames } from "../../src/server/oauth/clients/metadata/registered_names.ts";
import { describeOptions } from "./option_words.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";

export async function writeConfiguration(): Promise<Page> {
  const { properties = {} } = await describeOptions();
  const client = properties["clients"]!.items!, person = properties["people"]!.items!;
  const members = Object.entries(client.properties!);
  const registered = Object.fromEntries(members.filter(([name]) => registeredNames.has(name)));
  const own = Object.fromEntries(members.filter(([name]) => !registeredNames.has(name)));
  return {
    title: "Configuration",
    summary:
      "Every key of the configuration file, which `--config FILE` reads. They are also the options of " +
      "`createServer` and of `createMock`. `deno task help KEY` prints one of them.",
    index: code,
    parts: [
      "[Configuration](../configuration.md) has an example. All keys may be left out.",
      describeKeys(properties),
      "## Clients",
      "Each client in `clients` has these members of RFC 7591 and OpenID Connect.",
      describeKeys(registered, client.required),
      "These members are Postern's own.",
      describeKeys(own),
      "## People",
      describeKeys(person.properties!, person.required),
      ...Object.entries(properties).flatMap(([name, schema]) =>
        described.has(name) ? [] : describeInside(name, schema)
      ),
    ],
  };
}

/** Keys with a section above, or a page of their own. */
const described: ReadonlySet<string> = new Set(["clients", "people", "lifetimes"]);

/** Returns a section for a key whose value is an object, has objects, or may be an object. */
function describeInside(name: string, schema: Schema): readonly string[] {
  const inside = findObject(schema);
  return inside === undefined ? [] : [`## ${name}`, describeKeys(inside.properties!, inside.required)];
}

function describeKeys(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): string {
  const isTop = Object.hasOwn(properties, "$schema");
  const rows = Object.entries(properties).map(([name, schema]) => {
    if (schema.description === undefined) throw new Error(`The configuration key ${name} has no description`);
    return [
      code(name) + (required.includes(name) ? ", required" : ""),
      isTop ? linkTo(name, schema) : describeValue(schema),
      // a table of its own says the same
      markNames(schema.description.replace(/ \(Not a registered name: .*\)$/, ""), namesIn(schema)),
    ];
  });
  return table(["key", "value", "what it does"], rows);
}

/** Describes the value, with a link to its section or page. */
function linkTo(name: string, schema: Schema): string {
  if (name === "lifetimes") return "[lifetimes](lifetimes.md)";
  const value = describeValue(schema);
  if (findObject(schema) === undefined) return value;
  return value.replace(/\bobjects?$/, (word) => `[${word}](#${name.toLowerCase()})`);
}

/** The values that a description may name. */
function namesIn({ type, enum: values = [], examples = [], anyOf = [] }: Schema): readonly string[] {
  const texts = examples.filter((each) => typeof each === "string");
  const constants = type === "boolean" ? ["true", "false"] : [];
  // the longest first, because one may be the start of another
  return [...values, ...texts, ...constants, ...anyOf.flatMap(namesIn)].toSorted((a, b) =>
    b.length - a.length
  );
}

function describeValue(
  { type, const: constant, enum: values, items, anyOf, examples, pattern, additionalProperties }: Schema,
): string {
  if (anyOf !== undefined) return listed([...new Set(anyOf.map(describeValue))], "or");
  if (values !== undefined) return listed(values.map(code), "or");
  if (type === "array") return items?.type === "string" ? "list of strings" : "list of objects";
  if (pattern !== undefined && examples !== undefined) return `string such as ${code(`${examples.at(-1)}`)}`;
  if (constant !== undefined) return code(`${constant}`);
  if (type === "boolean") return "`true` or `false`";
  return additionalProperties === undefined || typeof additionalProperties === "boolean"
    ? `${type ?? "function"}`
    : `object of ${additionalProperties.type}s`;
}
