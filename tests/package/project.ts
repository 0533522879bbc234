/** A project that has the npm package installed. Its tests run on Deno, which builds the package. */

import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Ended, type Program, start } from "../tools/cli/command.ts";
import { createFolder } from "../in_folder.ts";
import * as runtimes from "../../scripts/runtimes.ts";
import { hangLimit } from "../runner.ts";

export { runtimes };

export const root: string = fileURLToPath(new URL("../../", import.meta.url));

let built: Promise<void> | undefined;

export function build(): Promise<void> {
  return built ??= process.env["POSTERN_TEST_BUILT"] === "true" ? Promise.resolve() : runScript("build.ts");
}

export async function runScript(name: string): Promise<void> {
  const command = [
    runtimes.deno.path,
    "run",
    ...runtimes.asDeveloper,
    "--allow-all",
    `scripts/${name}`,
  ] as const;
  await succeed(start([], { command, cwd: root }));
}

export async function succeed({ ended }: { readonly ended: Promise<Ended> }): Promise<Ended> {
  const { code, stdout, stderr } = await ended;
  if (code !== 0) throw new Error(`ended with ${code}:\n${stdout}${stderr}`);
  return { code, stdout, stderr };
}

// shorter than the limit of a test, which would leave the processes running
const limitInSeconds = hangLimit / 2;

/** Runs a program to its end, or stops it and all that it started when it takes too long. */
export async function runToEnd(args: readonly string[], program: Program): Promise<Ended> {
  const running = start(args, { ...program, asGroup: true });
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    running.signal("SIGTERM");
  }, limitInSeconds * 1000);
  try {
    await running.ended;
    if (timedOut) throw new Error(`${args.join(" ")} timed out after ${limitInSeconds} s`);
    return await succeed(running);
  } finally {
    clearTimeout(limit);
  }
}

export interface Project {
  readonly folder: string;
  readonly path: (name: string) => string;
}

export interface ProjectOptions {
  /** A folder whose files are copied into the project. */
  readonly sources?: string;
  /** Files that are written into the project: text by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Other installed packages, by their names in dev.json. */
  readonly packages?: readonly string[];
  /** Other packages, by their names and versions, which npm fetches: dev.json has another version, or several are needed. */
  readonly fetched?: readonly string[];
}

/** Like `npm install`. The package is copied, because another build may remove dist/npm. */
export async function inProject(
  { sources, files = {}, packages = [], fetched = [] }: ProjectOptions,
  work: (project: Project) => Promise<void>,
): Promise<void> {
  await build();
  await using path = await createFolder();
  const installed = path("node_modules/postern");
  await mkdir(path("node_modules"));
  await cp(`${root}dist/npm`, installed, { recursive: true });
  const { dependencies } = JSON.parse(await readFile(`${installed}/package.json`, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const { imports } = await readDeveloperConfiguration();
  for (const each of new Set([...Object.keys(dependencies), ...packages])) {
    await link(locate(each, imports), path);
  }
  if (fetched.length > 0) await fetchPackages(fetched, path);
  await writeFile(path("package.json"), '{ "type": "module" }');
  for (const name of sources === undefined ? [] : await readdir(sources)) {
    await cp(`${sources}/${name}`, path(name), { recursive: true });
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path(name), text);
  await work({ folder: path("."), path });
}

async function link(source: InstalledPackage, path: Project["path"]): Promise<void> {
  const place = path(`node_modules/${source.name}`);
  await mkdir(dirname(place), { recursive: true });
  await symlink(source.path, place);
}

async function fetchPackages(wanted: readonly string[], path: Project["path"]): Promise<void> {
  const folder = path("fetched");
  await mkdir(folder);
  const flags = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  await runToEnd([...flags, ...wanted], { command: ["npm", "install"], cwd: folder });
  for (const each of wanted) {
    const name = each.slice(0, each.indexOf("@", 1));
    await link({ name, path: `${folder}/node_modules/${name}` }, path);
  }
}

interface DeveloperConfiguration {
  readonly imports: Readonly<Record<string, string>>;
}

async function readDeveloperConfiguration(): Promise<DeveloperConfiguration> {
  return JSON.parse(await readFile(`${root}dev.json`, "utf8")) as DeveloperConfiguration;
}

interface InstalledPackage {
  readonly name: string;
  readonly path: string;
}

/** A second version of a package has another name in dev.json, which only Deno resolves. */
function locate(
  imported: string,
  imports: DeveloperConfiguration["imports"],
): InstalledPackage {
  const [, name = imported, version] = /^npm:(.+)@(.+)$/.exec(imports[imported] ?? "") ?? [];
  const folder = name === imported ? "" : `.deno/${name.replace("/", "+")}@${version}/node_modules/`;
  return { name, path: `${root}node_modules/${folder}${name}` };
}

/** The module resolutions that projects use, each with its `module` option. */
const modules = { nodenext: "nodenext", bundler: "esnext" } as const;

export type Resolution = keyof typeof modules;

/** Which types declare `Request`: those of browsers, Node or Bun. */
const platforms = {
  dom: { lib: ["esnext", "dom", "dom.iterable"], types: [] },
  ES2022: { target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [] },
  "dom and node": { lib: ["esnext", "dom", "dom.iterable"], types: ["node"] },
  node: { lib: ["esnext"], types: ["node"] },
  bun: { lib: ["esnext"], types: ["bun-types"] },
} as const;

export type Platform = keyof typeof platforms;

export interface CompileOptions {
  readonly resolution: Resolution;
  readonly platform: Platform;
  /** Leaves out the declarations of packages and of the platform, which take most of the time. */
  readonly skipLibCheck?: true;
}

/** Checks the files with TypeScript in strict mode. */
export async function compile(
  { path, folder }: Project,
  files: readonly string[],
  { resolution, platform, skipLibCheck }: CompileOptions,
): Promise<void> {
  await writeFile(
    path("tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
        ...{ target: "esnext", ...platforms[platform] },
        ...{ skipLibCheck: skipLibCheck ?? false, noEmit: true, allowImportingTsExtensions: true },
        ...{ moduleResolution: resolution, module: modules[resolution] },
      },
      files,
    }),
  );
  const { imports } = await readDeveloperConfiguration();
  const command = [
    runtimes.deno.path,
    "run",
    ...runtimes.asDeveloper,
    "--allow-all",
    `${imports["typescript"]}/tsc`,
  ] as const;
  await runToEnd(["--project", folder], { command, cwd: root });
}
