/** The syntax trees of src/, read by the TypeScript compiler. */
import type { Node, SourceFile } from "typescript/unstable/ast";
import { openProject } from "../open_project.ts";

let sources: Promise<ReadonlyMap<string, SourceFile>> | undefined;

/** Resolves to the files of src/, by their paths from the root. All pages share one run of the compiler. */
export function readSources(): Promise<ReadonlyMap<string, SourceFile>> {
  return sources ??= parseSources();
}

async function parseSources(): Promise<ReadonlyMap<string, SourceFile>> {
  const root = Deno.cwd();
  const compilerOptions = { target: "esnext", module: "preserve", jsx: "react-jsx", noEmit: true, types: [] };
  await using project = await openProject({
    compilerOptions: { ...compilerOptions, noResolve: true },
    include: [`${root}/src`],
  });
  return await project.read(async ({ rootFiles, program }) => {
    const files = rootFiles.map(async (path) =>
      [path.slice(root.length + 1), (await program.getSourceFile(path))!] as const
    );
    return new Map((await Promise.all(files)).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}

/** Returns the text of the comment before a declaration, on one line and without its tags. */
export function readComment(node: Node): string {
  return wholeComment(node).replace(tags, "").replace(
    /@deprecated (\w)/,
    (_, first) => `Deprecated: ${first.toLowerCase()}`,
  )
    .trim();
}

/** Returns the tags of the comment before a declaration, such as `@minimum 0`, which say what a JSON schema needs. */
export function readTags(node: Node): ReadonlyMap<string, string> {
  return new Map([...wholeComment(node).matchAll(tags)].map(([, name = "", value = ""]) => [name, value]));
}

const tags = / ?@(asType|minimum|maximum|exclusiveMinimum|minLength|pattern|example) (.+?)(?= @\w|$)/g;

function wholeComment(node: Node): string {
  const comments = node.jsDoc?.map((each) => each.getText()) ?? [];
  return (comments.at(-1) ?? "").replace(/^\/\*\*|\*\/$/g, "").replace(/\s*\n\s*\*? ?/g, " ").trim();
}
