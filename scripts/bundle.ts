/** Makes bundles for Node and Bun with esbuild. Packages stay imports; text files become part of the bundle. */
import { build, type BuildOptions, type BuildResult, type Plugin, stop } from "esbuild";
import { existsSync } from "node:fs";
import { builtinModules } from "node:module";
import { readNotices } from "./notices.ts";
import { asDeveloper } from "./runtimes.ts";
import { bundleOf } from "./test/bundle_of.ts";

/** The options of every bundle. Node 20 and Bun both run the result. */
export const portable: BuildOptions = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  external: ["bun:*", "node:*"],
  // A page names only the source of its JSX.
  jsx: "automatic",
  logLevel: "warning",
};

/** Runs esbuild, and stops its process. */
export async function bundle(options: BuildOptions): Promise<BuildResult> {
  try {
    return await build({ ...portable, ...options });
  } finally {
    await stop();
  }
}

// A copy without the tools has none.
const command = "src/tools/cli/main.ts";

/** Makes one module of the command line, with the packages that it imports and their licences. */
export async function bundleCommand(options: BuildOptions & { readonly outfile: string }): Promise<void> {
  const { metafile } = await bundle({
    entryPoints: [command],
    metafile: true,
    packages: "bundle",
    platform: "neutral",
    mainFields: ["module", "main"],
    legalComments: "inline",
    // The libraries that are CommonJS modules call it for the modules of Node.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    ...options,
    plugins: [...options.plugins ?? [], withBuiltins],
  });
  const notices = await readNotices(Object.keys(metafile!.inputs));
  await Deno.writeTextFile(options.outfile, `/*!\n${notices.replaceAll("*/", "* /")}*/\n`, { append: true });
}

/** Packages import modules of Node by names without `node:`. */
const withBuiltins: Plugin = {
  name: "with builtins",
  setup({ onResolve }): void {
    onResolve(
      { filter: /^[\w/]+$/ },
      ({ path }) => builtinModules.includes(path) ? { path: `node:${path}`, external: true } : undefined,
    );
  },
};

/** Bundles test files into `folder`. */
export async function bundleTests(files: readonly string[], folder: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/package.json`, `{ "type": "module" }\n`);
  await bundle({
    entryPoints: [
      ...files.map((file) => ({ in: file, out: bundleOf(file).slice(0, -".js".length) })),
      { in: "tests/import_files.ts", out: "import_files" },
      // tests of the tools start it as a process of its own
      ...existsSync(command) ? [{ in: command, out: "postern" }] : [],
    ],
    outdir: folder,
    splitting: true,
    sourcemap: "inline",
    plugins: [assertions(folder)],
  });
}

// @std/assert is not on npm, so the bundles include it: the stand-in that dev.json links or, without that link, the
// package from JSR, which only Deno can fetch.
function assertions(folder: string): Plugin {
  return {
    name: "assertions",
    setup({ onResolve }): void {
      let path: Promise<string> | undefined;
      onResolve(
        { filter: /^@std\/assert$/ },
        async () => ({ path: await (path ??= findAssertions(folder)) }),
      );
    },
  };
}

export async function findAssertions(folder: string): Promise<string> {
  const { links = [] } = JSON.parse(await Deno.readTextFile("dev.json")) as { links?: string[] };
  const standIn = links.find((link) => link.endsWith("std_assert"));
  if (standIn !== undefined) return await Deno.realPath(`${standIn}/mod.ts`);
  const entry = `${folder}/assertions.ts`, bundled = `${folder}/assertions.js`;
  await Deno.writeTextFile(entry, `/** Everything of @std/assert. */\nexport * from "@std/assert";\n`);
  const made = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", ...asDeveloper, "--quiet", "--platform=deno", "--output", bundled, entry],
    stdout: "null",
    stderr: "inherit",
  }).output();
  if (!made.success) throw new Error("Cannot bundle @std/assert");
  return await Deno.realPath(bundled);
}
