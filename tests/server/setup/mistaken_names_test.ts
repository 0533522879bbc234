/** The names of other servers and libraries for a member of the configuration: its refusal suggests the own name. */
import { assertEquals } from "@std/assert";
import { otherNames, type Schema } from "../../../src/ground/schema/schema.ts";
import { createPlainSchema } from "../../../src/server/plain_schema.ts";
import { readKept } from "../../kept_lines.ts";
import { test } from "../../runner.ts";

/** Yields each member that has other names, and these. */
function* mistakenNames({ properties = {}, items, anyOf = [] }: Schema, place = ""): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    const names = schema[otherNames];
    const own = place === "" ? name : `${place}.${name}`;
    if (Array.isArray(names)) yield `${own}: ${names.join(" ")}`;
    yield* mistakenNames(schema, own);
  }
  for (const each of items === undefined ? anyOf : [...anyOf, items]) yield* mistakenNames(each, place);
}

test("configuration: the other names of each member are those in the list", () => {
  const kept = readKept("tests/server/setup/mistaken_names.txt").flat();
  assertEquals([...mistakenNames(createPlainSchema())], kept);
});
