/** static/terms.json, with which the test kit checks its terms, and static/calls.json, which describes its calls. */
import * as is from "typescript/unstable/ast/is";
import type { SourceFile } from "typescript/unstable/ast";
import type { Schema } from "../../src/ground/schema/schema.ts";
import { present } from "../../src/ground/values/present.ts";
import { readComment, readSources } from "./sources.ts";
import { createTypeReader, toPlainWords } from "./type_schemas.ts";

/** Describes the types that a file names in quotes: the test kit those that it checks, and the control plane its own. */
export async function describeKit(): Promise<Readonly<Record<"terms" | "otherTerms" | "calls", object>>> {
  const files = await readSources();
  const reader = createTypeReader(files);
  const gather = (folder: RegExp, name: RegExp) => {
    const named = [...files].filter(([path]) => folder.test(path)).flatMap(([, file]) => [
      ...file.text.matchAll(name),
    ]).map(([, each = ""]) => each);
    return [...new Set(named)].toSorted().flatMap((each) => {
      const schema = reader.describe(each);
      return schema === undefined ? [] : [[each, schema] as const];
    });
  };
  const check = (folder: RegExp) =>
    Object.fromEntries(
      gather(folder, /\btypes\.(\w+)/g).map(([name, { properties }]) => [name, shorten(properties!)]),
    );
  const types = gather(/^src\/tools\/control\//, /"([A-Z]\w+)"/g);
  return {
    terms: check(/^src\/kit\/(mock|runners)\//),
    otherTerms: check(/^src\/(kit\/examine|tools\/(browser|dashboard))\//),
    calls: { summaries: Object.fromEntries(summarise(files)), types: Object.fromEntries(types) },
  };
}

/** Writes the schema of one type as its name, because the file is loaded with the test kit. `texts`: one text or several. `earlier`: an earlier name. */
function shorten(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, string | Schema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, described]) => {
      const schema = toCheck(described);
      if ("deprecated" in schema) return [name, "earlier"];
      const [type, ...more] = Object.values(schema);
      if (typeof type === "string" && more.length === 0) return [name, type];
      return [name, JSON.stringify(schema) === texts ? "texts" : schema];
    }),
  );
}

const texts = JSON.stringify({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] });

/** Leaves out descriptions, as well as numbers and durations: the calls check these, because their errors say more. */
function toCheck({ type, anyOf, items, properties, additionalProperties: _others, ...more }: Schema): Schema {
  const { description: _description, ...rest } = more;
  if (type === "number" && more.exclusiveMinimum === undefined || anyOf?.[0]?.type === "number") return {};
  return present({
    type,
    ...rest,
    anyOf: anyOf?.map(toCheck),
    items: items && toCheck(items),
    additionalProperties: properties && false,
    properties: properties &&
      Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, toCheck(each)])),
  });
}

/** Returns the comments of the calls of a tenant, by the names of the calls. */
function* summarise(
  files: ReadonlyMap<string, SourceFile>,
): Iterable<readonly [call: string, summary: string]> {
  for (const name of ["mock/tenant.ts", "mock/client/client_calls.ts"]) {
    for (const statement of files.get(`src/kit/${name}`)!.statements) {
      if (!is.isInterfaceDeclaration(statement)) continue;
      for (const member of statement.members) {
        const summary = toPlainWords(readComment(member));
        if (is.isMethodSignatureDeclaration(member) && summary !== "") yield [member.name.getText(), summary];
      }
    }
  }
}
