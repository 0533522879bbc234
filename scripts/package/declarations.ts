/** Makes the package's declarations with TypeScript: those of the entries, and those that they import. */
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { listEndpointNames } from "../../src/kit/mock/endpoints.ts";
import { asBuilder } from "../runtimes.ts";
import { type Entry, folder } from "./entries.ts";
import { leaveNeeded } from "./needed_types.ts";

const types = `${folder}/types`;
const relativeImport = /(?:\bfrom |\bimport\(|^import )"(\.[^"]+\.tsx?)"/gm;

/**
 * The first line of each entry's declaration. Without it, a project whose `target` or `lib` is older than ES2026 has no
 * type `Disposable`. The sources cannot have it, because JSR refuses such a line.
 */
const disposableTypes = '/// <reference lib="esnext.disposable" />\n';

/** Returns the path of a source's declaration. Both start at the root of the checkout. */
export function declarationOf(source: string): string {
  return source.replace(/^src\//, `${types}/`).replace(/\.tsx?$/, ".d.ts");
}

export async function buildDeclarations(entries: readonly Entry[]): Promise<void> {
  await compile(entries.map(({ source }) => source));
  const texts = new Map<string, string>();
  for (const file of await readdir(types, { recursive: true })) {
    const path = `${types}/${file.replaceAll("\\", "/")}`;
    if (!path.endsWith(".ts")) continue;
    const entry = entries.find(({ source }) => declarationOf(source) === path);
    texts.set(path, `${await Deno.readTextFile(path)}${entry?.augmentation ?? ""}`);
  }
  texts.set(endpoints, nameEndpoints(texts.get(endpoints)!));
  const paths = entries.map(({ source }) => declarationOf(source));
  await Deno.remove(types, { recursive: true });
  for (const [path, text] of leaveNeeded(texts, paths)) {
    const written = text.replace(relativeImport, (whole) => whole.replace(/\.tsx?"$/, '.js"'));
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, `${paths.includes(path) ? disposableTypes : ""}${written}`);
  }
}

const endpoints = declarationOf("src/kit/mock/endpoints.ts");

/** Lists the names of the endpoints, which the type of the source reads from the types of all features. */
function nameEndpoints(text: string): string {
  const names = listEndpointNames().map((name) => JSON.stringify(name)).join(" | ");
  const named = text.replace(/(?<=^export type EndpointName = )[^]*?(?=;\n(?:export|\/\*\*))/m, names);
  if (named === text) throw new Error("The declaration of EndpointName has another form");
  return named;
}

async function compile(files: readonly string[]): Promise<void> {
  const project = await Deno.makeTempFile({ dir: "dist", suffix: ".json" });
  const compilerOptions = {
    ...{ target: "esnext", module: "esnext", moduleResolution: "bundler", jsx: "react-jsx" },
    ...{ declaration: true, emitDeclarationOnly: true, isolatedDeclarations: true },
    // not checked here, because this compiler does not know Deno's types; `deno check` does that
    ...{ noCheck: true, skipLibCheck: true, types: [], allowImportingTsExtensions: true },
    ...{ rootDir: "../src", outDir: `../${types}` },
  };
  const { imports } = JSON.parse(await Deno.readTextFile("dev.json")) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  try {
    await Deno.writeTextFile(
      project,
      JSON.stringify({ compilerOptions, files: files.map((file) => `../${file}`) }),
    );
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...asBuilder, "--allow-all", `${imports["typescript"]}/tsc`, "--project", project],
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    if (!success) throw new Error("Cannot make declarations");
  } finally {
    await Deno.remove(project);
  }
}
