/**
 * static/terms.json and static/other_terms.json, with which the test kit and the tools check terms, and static/calls.json,
 * which describes the calls of the test kit.
 */
import * as is from "typescript/unstable/ast/is";
import type { MethodSignatureDeclaration, SourceFile } from "typescript/unstable/ast";
import type { Schema } from "../../src/ground/schema/schema.ts";
import { present } from "../../src/ground/values/present.ts";
import { readComment, readSources } from "./sources.ts";
import { createTypeReader, toPlainWords, type TypeReader } from "./type_schemas.ts";

type Files = ReadonlyMap<string, SourceFile>;

/** Describes the types that the code asks for: the test kit those that it checks, and the control plane its own. */
export async function describeKit(): Promise<Readonly<Record<"terms" | "otherTerms" | "calls", object>>> {
  const files = await readSources();
  const reader = createTypeReader(files);
  return {
    terms: describeTerms(/^src\/kit\/(mock|runners)\//, files, reader),
    otherTerms: describeTerms(/^src\/(kit\/examine|tools\/(browser|dashboard))\//, files, reader),
    calls: describeCalls(files, reader),
  };
}

function describeTerms(folder: RegExp, files: Files, reader: TypeReader): object {
  const names = findNames(folder, /\btypes\.(\w+)/g, files);
  return Object.fromEntries(names.map((name) => [name, shorten(reader.describe(name).properties!)]));
}

function describeCalls(files: Files, reader: TypeReader): object {
  const calls = [...listCalls(files)];
  const plain = calls.flatMap((call) => findPlain(call, reader));
  const named = findNames(
    /^src\/tools\/control\//,
    /\b(?:members|body|result)Of(?:<[^()]*>)?\(\s*"(\w+)"/g,
    files,
  );
  const all = new Set([...named, ...plain.flatMap(({ terms, result = "string" }) => [terms, result])]);
  const types = [...all].filter((name) => name !== "string").toSorted().map((name) => {
    const schema = reader.describe(name);
    return [name, /Terms$/.test(name) ? toBody(schema) : schema];
  });
  return { plain, summaries: summarise(calls), types: Object.fromEntries(types) };
}

/** Returns the names that the code of a folder has in such places. */
function findNames(folder: RegExp, place: RegExp, files: Files): readonly string[] {
  const code = [...files].filter(([path]) => folder.test(path)).map(([, { text }]) => text).join("\n");
  return [...new Set([...code.matchAll(place)].map(([, name = ""]) => name))].toSorted();
}

/**
 * Writes the schema of one type as its name, because the file is loaded with the test kit. `texts`: one text or several.
 * `earlier`: an earlier name of a member.
 */
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

/** A body has no earlier names, no other members, and no empty text. */
function toBody({ anyOf, items, properties, ...more }: Schema): Schema {
  const known = Object.entries(properties ?? {}).filter(([, each]) => !("deprecated" in each));
  return present({
    ...more,
    minLength: more.type === "string" && more.enum === undefined && more.pattern === undefined
      ? 1
      : undefined,
    anyOf: anyOf?.map(toBody),
    items: items && toBody(items),
    additionalProperties: properties ? false : more.additionalProperties,
    properties: properties && Object.fromEntries(known.map(([name, each]) => [name, toBody(each)])),
  });
}

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

/** Returns the calls of a tenant. */
function* listCalls(files: ReadonlyMap<string, SourceFile>): Iterable<MethodSignatureDeclaration> {
  for (const name of ["mock/tenant.ts", "mock/client/client_calls.ts"]) {
    for (const statement of files.get(`src/kit/${name}`)!.statements) {
      if (!is.isInterfaceDeclaration(statement)) continue;
      yield* statement.members.filter((member) => is.isMethodSignatureDeclaration(member));
    }
  }
}

/** Returns the comments of the calls that the control plane names, and of plain calls. */
function summarise(calls: readonly MethodSignatureDeclaration[]): Readonly<Record<string, string>> {
  const summaries = calls.map((call) => [call.name.getText(), toPlainWords(readComment(call))]);
  return Object.fromEntries(summaries.filter(([, summary]) => summary !== ""));
}

interface PlainCall {
  readonly name: string;
  readonly terms: string;
  readonly result?: string;
}

/** Returns a call that takes only terms, if JSON has what it returns. */
function findPlain(call: MethodSignatureDeclaration, reader: TypeReader): readonly PlainCall[] {
  const [first, second] = call.parameters;
  const terms = first?.type?.getText() ?? "";
  if (second !== undefined || !/Terms$/.test(terms)) return [];
  const name = call.name.getText();
  const result = /^(?:Promise<)?(\w+)>?$/.exec(call.type?.getText() ?? "")?.[1] ?? "";
  if (result === "void") return [{ name, terms }];
  const isKnown = result === "string" || Object.keys(reader.describe(result)?.properties ?? {}).length > 0;
  return isKnown ? [{ name, terms, result }] : [];
}
