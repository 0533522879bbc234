/** Builds the programs and the package that the bench starts on Node and Bun. */
import { bundle } from "../bundle.ts";
import { asDeveloper } from "../runtimes.ts";
import { confidentialClient, person, publicClient } from "./clients.ts";

/** The form of Postern's access tokens. */
export type AccessTokenForm = "jwt" | "opaque";

/** What Node and Bun run: bundles of the programs, and the package. */
export interface PreparedPrograms {
  readonly root: string;
  readonly configFiles: Readonly<Record<AccessTokenForm, string>>;
  /** The reason why the package could not be built. */
  readonly packageProblem?: string;
}

export type MockLoginProgram =
  | "mock_login_jose"
  | "mock_login_oauth2_mock_server"
  | "mock_login_oidc_provider"
  | "mock_login_package"
  | "mock_login_source";

export type Program =
  | "bare_serve"
  | "bare_signing"
  | "oauth2_mock_server"
  | "oidc_provider"
  | MockLoginProgram;

const bundledPrograms: readonly Program[] = [
  "bare_serve",
  "bare_signing",
  "mock_login_jose",
  "mock_login_oauth2_mock_server",
  "mock_login_oidc_provider",
  "mock_login_package",
  "oauth2_mock_server",
  "oidc_provider",
];
/** A folder with the package installed. Node finds the other packages in the checkout above. */
export const project: string = "dist/bench";

export async function preparePrograms(root: string, folder: string): Promise<PreparedPrograms> {
  const configFiles = {
    jwt: await writeConfiguration(folder, "jwt"),
    opaque: await writeConfiguration(folder, "opaque"),
  };
  const packageProblem = await buildPackage(root);
  await bundle({
    entryPoints: bundledPrograms.map((name) => `${root}/scripts/bench/programs/${name}.ts`),
    outdir: `${root}/${project}`,
    outExtension: { ".js": ".mjs" },
  });
  await Deno.writeTextFile(`${root}/${project}/package.json`, JSON.stringify({ type: "module" }));
  const installed = `${root}/${project}/node_modules`;
  await Deno.remove(installed, { recursive: true }).catch(() => {});
  await Deno.mkdir(installed);
  await Deno.symlink(`${root}/dist/npm`, `${installed}/postern`);
  return packageProblem === undefined ? { root, configFiles } : { root, configFiles, packageProblem };
}

async function writeConfiguration(folder: string, accessTokens: AccessTokenForm): Promise<string> {
  const file = `${folder}/postern-${accessTokens}.json`;
  const configuration = { clients: [publicClient, confidentialClient], people: [person], accessTokens };
  await Deno.writeTextFile(file, JSON.stringify(configuration, null, 2));
  return file;
}

/** Builds `dist/npm` when a source is newer. Resolves to the reason when that fails. */
async function buildPackage(root: string): Promise<string | undefined> {
  const built = await modifiedAt(`${root}/dist/npm/cli.js`);
  const sources = ["src", "static", "deno.json", "scripts/build.ts", "scripts/package"];
  const newest = Math.max(...await Promise.all(sources.map((name) => newestIn(`${root}/${name}`))));
  if (built > newest) return undefined;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...asDeveloper, "-A", "scripts/build.ts"],
    cwd: root,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return undefined;
  // deno-lint-ignore no-control-regex
  const words = new TextDecoder().decode(stderr).replace(/\x1b\[[0-9;]*m/g, "").trim();
  return `scripts/build.ts: ${words.split("\n")[0]?.slice(0, 200) || "failed"}`;
}

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

async function newestIn(path: string): Promise<number> {
  let newest = await modifiedAt(path);
  try {
    for await (const { name } of Deno.readDir(path)) {
      newest = Math.max(newest, await newestIn(`${path}/${name}`));
    }
  } catch {
    // not a folder, or not there
  }
  return newest;
}
