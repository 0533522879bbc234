/**
 * `deno task compile [--with deno|bun|node] [--target SYSTEM]`: makes one executable of everything, dist/postern, or
 * dist/postern-SYSTEM for another system. Deno downloads a base binary for it; where it cannot, Bun makes the executable.
 */
import { basename } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Plugin } from "esbuild";
import { libraries } from "../src/ground/values/library.ts";
import { bundleCommand } from "./bundle.ts";
import { type Outcome, runProgram } from "./run_program.ts";
import { listPermissionFlags, type PermissionSet } from "./permission_flags.ts";
import { bun, deno, obtainRuntime, packingNode, type Runtime } from "./runtimes.ts";

type Maker = Runtime["name"];

/** The systems that executables are made for, and the names that Deno and Bun give them. */
export const systems: Readonly<Record<string, { readonly deno: string; readonly bun: string }>> = {
  "linux-x64": { deno: "x86_64-unknown-linux-gnu", bun: "bun-linux-x64" },
  "linux-arm64": { deno: "aarch64-unknown-linux-gnu", bun: "bun-linux-arm64" },
  "macos-x64": { deno: "x86_64-apple-darwin", bun: "bun-darwin-x64" },
  "macos-arm64": { deno: "aarch64-apple-darwin", bun: "bun-darwin-arm64" },
  "windows-x64": { deno: "x86_64-pc-windows-msvc", bun: "bun-windows-x64" },
  "windows-arm64": { deno: "aarch64-pc-windows-msvc", bun: "bun-windows-arm64" },
};

/** The path of an executable. Without `system`, it is for this one. */
export function pathOfExecutable(system?: string): string {
  const isWindows = system === undefined ? process.platform === "win32" : system.startsWith("windows");
  return `dist/postern${system === undefined ? "" : `-${system}`}${isWindows ? ".exe" : ""}`;
}

interface Choice {
  /** Absent: Deno, or Bun where Deno cannot. */
  readonly maker: Maker | undefined;
  /** Absent: this one. */
  readonly system: string | undefined;
}

function readChoice(args: readonly string[]): Choice {
  const options = { with: { type: "string" }, target: { type: "string" } } as const;
  try {
    const { with: name, target: system } = parseArgs({ args: [...args], options }).values;
    const maker = (Object.keys(makers) as readonly Maker[]).find((each) => each === name);
    const isSystem = system === undefined || Object.hasOwn(systems, system) && maker !== "node";
    if (maker === name && isSystem) return { maker, system };
  } catch {
    // told below
  }
  console.error(
    "Usage: deno task compile [--with deno|bun] [--target SYSTEM], or --with node for this system\n" +
      `SYSTEM is one of ${Object.keys(systems).join(", ")}`,
  );
  Deno.exit(2);
}

/** Makes the executable at its path. If that fails, an earlier one stays. */
export async function makeExecutable(
  { maker, system }: { readonly maker: Maker; readonly system: string | undefined },
): Promise<Outcome> {
  await Deno.mkdir("dist", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "dist", prefix: "compile_" });
  try {
    const program = pathOfExecutable(system);
    const made = `${folder}/${basename(program)}`;
    const outcome = await makers[maker]({ folder, program: made, system });
    if (outcome.success) await Deno.rename(made, program);
    return outcome;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Resolves to whether the executable was made. */
async function compile({ maker, system }: Choice): Promise<boolean> {
  const first = maker ?? "deno";
  const attempt = await makeExecutable({ maker: first, system });
  // any other failure is a bug of ours, which making it with Bun would hide
  if (!attempt.success && maker === undefined && /base binary/.test(attempt.output)) {
    console.log("deno compile cannot download its base binary here: Bun makes the executable instead");
    return await compile({ maker: "bun", system });
  }
  if (!attempt.success) {
    console.error(attempt.output.trim());
    return false;
  }
  const program = pathOfExecutable(system);
  const { size } = await Deno.stat(program);
  console.log(`${program}: ${(size / 1024 / 1024).toFixed(0)} MB, made with ${first}`);
  return true;
}

interface MakeOptions {
  readonly folder: string;
  readonly program: string;
  readonly system: string | undefined;
}

const makers: Readonly<Record<Maker, (options: MakeOptions) => Promise<Outcome>>> = {
  async deno({ folder, program, system }) {
    const entry = await bundleFor("deno", folder);
    const permissions = await readPermissions();
    const options = ["--no-config", "--no-lock", "--no-check", "--node-modules-dir=none", "--no-prompt"];
    const target = system === undefined ? [] : ["--target", systems[system]!.deno];
    const args = ["compile", ...options, ...target, ...permissions, "--output", program, entry];
    return await runProgram(deno.path, args);
  },

  async bun({ folder, program, system }) {
    const entry = await bundleFor("bun", folder);
    // the user may start the executable in a folder that has such files for another program
    const options = ["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];
    const target = system === undefined ? [] : [`--target=${systems[system]!.bun}`];
    const { path } = await obtainRuntime(bun);
    return await runProgram(path, [
      "build",
      "--compile",
      ...options,
      ...target,
      `--outfile=${program}`,
      entry,
    ]);
  },

  async node({ folder, program }) {
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
  await bundleCommand({
    outfile,
    conditions: [name, "module"],
    target: name === "node" ? "node22" : "esnext",
    plugins: [withLibraries],
  });
  return outfile;
}

/** Makes the optional packages part of the executable, which cannot load packages. */
const withLibraries: Plugin = {
  name: "with libraries",
  setup({ onLoad }): void {
    const names = [...Object.keys(libraries), "@modelcontextprotocol/server/stdio"];
    const members = names.map((name) => `"${name}": () => import("${name}")`);
    onLoad({ filter: /[\\/]values[\\/]library\.ts$/ }, () => ({
      contents: `const libraries = { ${members} };\n` +
        'export const loadLibrary = (name, part = "") => libraries[name + part]();\n',
    }));
  },
};

/** Reads the permissions of all tasks that run a command. The executable has all commands. */
async function readPermissions(): Promise<readonly string[]> {
  const { permissions } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    readonly permissions: Readonly<Record<string, PermissionSet>>;
  };
  return listPermissionFlags(...Object.values(permissions));
}

if (import.meta.main) Deno.exit(await compile(readChoice(Deno.args)) ? 0 : 1);
