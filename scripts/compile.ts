/**
 * `deno task compile [--with deno|bun|node]`: makes one executable of everything, dist/postern. Deno downloads a base
 * binary for it; where it cannot, Bun makes the executable.
 */
import process from "node:process";
import type { Plugin } from "esbuild";
import { builtinModules } from "node:module";
import { libraries } from "../src/store/library.ts";
import { bundle } from "./bundle.ts";
import { type Outcome, runProgram } from "./run_program.ts";
import { listPermissionFlags, type PermissionSet } from "./permission_flags.ts";
import { bun, deno, obtainRuntime, packingNode, type Runtime } from "./runtimes.ts";

const program = process.platform === "win32" ? "dist/postern.exe" : "dist/postern";

function readChoice(args: readonly string[]): Runtime["name"] | undefined {
  if (args.length === 0) return undefined;
  const [flag, name] = args;
  if (args.length === 2 && flag === "--with" && (name === "deno" || name === "bun" || name === "node")) {
    return name;
  }
  console.error("Usage: deno task compile [--with deno|bun|node]");
  Deno.exit(2);
}

/** Resolves to whether the executable was made. */
async function compile(chosen: Runtime["name"] | undefined, folder: string): Promise<boolean> {
  const first = chosen ?? "deno";
  const attempt = await makers[first](folder);
  // any other failure is a bug of ours, which making it with Bun would hide
  if (!attempt.success && chosen === undefined && /base binary/.test(attempt.output)) {
    console.log("deno compile cannot download its base binary here: Bun makes the executable instead");
    return await compile("bun", folder);
  }
  if (!attempt.success) {
    console.error(attempt.output.trim());
    return false;
  }
  const { size } = await Deno.stat(program);
  console.log(`${program}: ${(size / 1024 / 1024).toFixed(0)} MB, made with ${first}`);
  return true;
}

const makers: Readonly<Record<Runtime["name"], (folder: string) => Promise<Outcome>>> = {
  async deno(folder) {
    const entry = await bundleFor("deno", folder);
    const permissions = await readPermissions();
    const options = ["--no-config", "--no-lock", "--no-check", "--node-modules-dir=none", "--no-prompt"];
    return await runProgram(deno.path, ["compile", ...options, ...permissions, "--output", program, entry]);
  },

  async bun(folder) {
    const entry = await bundleFor("bun", folder);
    // the user may start the executable in a folder that has such files for another program
    const options = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
    return await runProgram((await obtainRuntime(bun)).path, [
      "build",
      "--compile",
      ...options,
      `--outfile=${program}`,
      entry,
    ]);
  },

  async node(folder) {
    const main = await bundleFor("node", folder);
    const configuration = `${folder}/sea.json`;
    await Deno.writeTextFile(
      configuration,
      JSON.stringify({ main, mainFormat: "module", output: program, disableExperimentalSEAWarning: true }),
    );
    return await runProgram((await obtainRuntime(packingNode)).path, ["--build-sea", configuration]);
  },
};

/** Makes one module that includes the packages, each in its variant for the runtime. Resolves to its path. */
async function bundleFor(name: Runtime["name"], folder: string): Promise<string> {
  const outfile = `${folder}/postern.js`;
  await bundle({
    entryPoints: ["src/cli/main.ts"],
    outfile,
    packages: "bundle",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: [name, "module"],
    target: name === "node" ? "node22" : "esnext",
    legalComments: "inline",
    plugins: [withLibraries, withBuiltins],
    // The libraries that are CommonJS modules call it for the modules of Node.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outfile;
}

/** Makes the libraries of the stores part of the executable, which cannot load packages. */
const withLibraries: Plugin = {
  name: "with libraries",
  setup({ onLoad }): void {
    const members = Object.keys(libraries).map((name) => `"${name}": () => import("${name}")`);
    onLoad({ filter: /[\\/]store[\\/]library\.ts$/ }, () => ({
      contents: `const libraries = { ${members} };\n` +
        "export const loadLibrary = (name) => libraries[name]();\n",
    }));
  },
};

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

/** Reads the permissions of all tasks that run a command. The executable has all commands. */
async function readPermissions(): Promise<readonly string[]> {
  const { permissions } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    readonly permissions: Readonly<Record<string, PermissionSet>>;
  };
  return listPermissionFlags(...Object.values(permissions));
}

if (import.meta.main) {
  const chosen = readChoice(Deno.args);
  await Deno.mkdir("dist", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "dist", prefix: "compile_" });
  const made = await compile(chosen, folder).finally(() => Deno.remove(folder, { recursive: true }));
  Deno.exit(made ? 0 : 1);
}
