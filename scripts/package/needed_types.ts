/**
 * Leaves only what users see in the package's declarations: what the entries export, what that mentions, and the comments
 * that an editor shows. A comment in front of anything else, such as the first line of most files, is left out.
 */
import { posix } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** A node of the syntax tree, as far as it matters here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: unknown;
  readonly id?: Node | null;
  readonly declaration?: Node | null;
  readonly declarations?: readonly { readonly id: Node }[];
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Specifier[];
  readonly computed?: boolean;
  readonly key?: unknown;
  readonly params?: unknown;
  readonly typeAnnotation?: unknown;
}

interface Specifier extends Node {
  readonly local: Node;
  readonly imported?: Node;
  readonly exported?: Node;
}

interface File {
  readonly text: string;
  readonly statements: readonly Node[];
  /** The names that its own statements and other files want from it. */
  readonly locals: Set<string>;
  readonly exports: Set<string>;
}

const every = "*";

/** Takes declarations by their paths, and returns those that are needed. */
export function leaveNeeded(
  texts: ReadonlyMap<string, string>,
  entries: readonly string[],
): ReadonlyMap<string, string> {
  const files = new Map<string, File>();
  for (const entry of entries) wantExport(entry, every);
  return new Map([...files].map(([path, file]) => [path, writeFile(file)]));

  function open(path: string): File | undefined {
    const text = texts.get(path);
    if (files.has(path) || text === undefined) return files.get(path);
    const { body } = parseAst(text, { lang: "dts" });
    const file = {
      text,
      statements: body as readonly Node[],
      locals: new Set<string>(),
      exports: new Set<string>(),
    };
    files.set(path, file);
    for (const node of file.statements) {
      if (node.type === "TSModuleDeclaration") wantMentioned(path, file, node);
    }
    return file;
  }

  function wantExport(path: string, name: string): void {
    const file = open(path);
    if (file === undefined || file.exports.has(name)) return;
    file.exports.add(name);
    for (const node of file.statements) {
      const { declaration, source, specifiers = [] } = node;
      const from = source?.value;
      if (node.type === "ExportAllDeclaration") {
        wantExport(resolve(path, from!), name);
      } else if (declaration) {
        const names = namesOf(declaration);
        for (const each of names) if (name === every || name === each) wantLocal(path, file, each);
      } else if (node.type === "ExportNamedDeclaration") {
        for (const { local, exported } of specifiers) {
          if (name !== every && name !== exported!.name) continue;
          if (from === undefined) wantLocal(path, file, String(local.name));
          else wantExport(resolve(path, from), String(local.name));
        }
      }
    }
  }

  function wantLocal(path: string, file: File, name: string): void {
    if (file.locals.has(name)) return;
    file.locals.add(name);
    for (const node of file.statements) {
      if (node.type === "ImportDeclaration") {
        for (const { local, imported } of node.specifiers ?? []) {
          if (local.name === name) {
            wantExport(resolve(path, node.source!.value), String(imported?.name ?? every));
          }
        }
      } else if (namesOf(node.declaration ?? node).includes(name)) {
        wantMentioned(path, file, node);
      }
    }
  }

  /** Wants each name in a statement, but not those of members and parameters. */
  function wantMentioned(path: string, file: File, value: unknown): void {
    if (Array.isArray(value)) return value.forEach((each) => wantMentioned(path, file, each));
    if (typeof value !== "object" || value === null) return;
    const { type, name, source, computed, key, params, ...others } = value as Node;
    if (type === "Identifier" && typeof name === "string") wantLocal(path, file, name);
    if (type === "TSImportType") wantExport(resolve(path, source!.value), every);
    wantMentioned(path, file, [computed ? key : undefined, ...Object.values(others)]);
    wantMentioned(path, file, Array.isArray(params) ? params.map(typeOfParameter) : params);
  }
}

function typeOfParameter(node: Node): unknown {
  return node.type === "Identifier" || node.type === "RestElement" ? node.typeAnnotation : node;
}

function resolve(path: string, imported: string): string {
  return posix.join(posix.dirname(path), imported.replace(/\.(js|tsx?)$/, ".d.ts"));
}

function namesOf({ id, declarations = [] }: Node): readonly string[] {
  const named = [id, ...declarations.map(({ id }) => id)];
  return named.flatMap((each) => typeof each?.name === "string" ? [each.name] : []);
}

function writeFile(file: File): string {
  let written = "", at = 0;
  for (const node of file.statements) {
    const comment = /\/\*\*(?:(?!\*\/)[^])*\*\/\n$/.exec(file.text.slice(at, node.start))?.[0] ?? "";
    at = node.end;
    const text = writeStatement(node, file);
    const isDeclaration = node.declaration || !/^(Im|Ex)port/.test(node.type);
    if (text !== "") written += `${isDeclaration ? comment : ""}${text}\n`;
  }
  return written.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

/** Returns nothing if nothing wants the statement. */
function writeStatement(node: Node, { text, locals, exports }: File): string {
  const whole = text.slice(node.start, node.end);
  const { specifiers = [] } = node;
  if (node.declaration || specifiers.length === 0) {
    const names = namesOf(node.declaration ?? node);
    return names.length === 0 || names.some((name) => locals.has(name)) ? whole : "";
  }
  const kept = specifiers.filter(({ local, exported }) =>
    exported === undefined
      ? locals.has(String(local.name))
      : exports.has(every) || exports.has(String(exported.name))
  );
  if (kept.length === specifiers.length) return whole;
  if (kept.length === 0) return "";
  const names = kept.map(({ start, end }) => text.slice(start, end)).join(", ");
  return `${text.slice(node.start, specifiers[0]!.start)}${names}${
    text.slice(specifiers.at(-1)!.end, node.end)
  }`;
}
