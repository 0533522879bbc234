/** How each server of the comparison is started. What changes in the command line changes here. */
import { bundle } from "../bundle.ts";
import { confidentialClient, person, publicClient } from "./clients.ts";
import type { Bench } from "./scenario.ts";
import { asDeveloper, type Runtime } from "../runtimes.ts";
import { freePort, type Launch } from "./server_process.ts";

/** What Postern's access tokens are. */
export type AccessTokenForm = "jwt" | "opaque";

/** What must exist before Node and Bun can start anything: they run bundles, as the package does. */
export interface PreparedPrograms {
  readonly root: string;
  readonly configFiles: Readonly<Record<AccessTokenForm, string>>;
  /** Why there is no package to start Postern from. */
  readonly packageProblem?: string;
}

type MockLoginProgram =
  | "mock_login_jose"
  | "mock_login_oauth2_mock_server"
  | "mock_login_oidc_provider"
  | "mock_login_package"
  | "mock_login_source";
type Program = "bare_serve" | "bare_signing" | "oauth2_mock_server" | "oidc_provider" | MockLoginProgram;
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
// Somebody's project, which has the package beside the others: what it imports is found there, and in the checkout.
const project = "dist/bench";
const metadataPath = "/.well-known/oauth-authorization-server";
const posternPaths = {
  readyPath: metadataPath,
  authorizePath: "/oauth2/authorize",
  tokenPath: "/oauth2/token",
  introspectionPath: "/oauth2/introspect",
  userinfoPath: "/userinfo",
} as const;

export function posternLaunch(
  bench: Bench,
  runtime: Runtime,
  terms: { readonly alg: string; readonly store: string; readonly accessTokens: AccessTokenForm },
): Launch {
  const { alg, store, accessTokens } = terms;
  const { root, configFiles, packageProblem } = bench.programs;
  if (runtime.name !== "deno" && packageProblem) throw new Error(packageProblem);
  const entry = runtime.name === "deno"
    ? [runtime.path, "run", "-A", `${root}/src/cli/main.ts`]
    : [runtime.path, `${root}/dist/npm/cli.js`];
  const port = freePort();
  const storeFlag = store === "sqlite" ? `sqlite:${bench.folder}/${runtime.name}-${alg}-${port}.db` : store;
  return {
    command: [
      ...entry,
      "start",
      ...["--port", `${port}`],
      ...["--quiet", "--login", "auto"],
      ...["--alg", alg],
      ...["--store", storeFlag],
      ...["--config", configFiles[accessTokens]],
    ],
    port,
    ...posternPaths,
  };
}

export function bareServeLaunch(bench: Bench, runtime: Runtime): Launch {
  return { ...launchProgram(bench, runtime, "bare_serve", []), ...posternPaths };
}

export function bareSigningLaunch(bench: Bench, runtime: Runtime, alg: string, scope: string): Launch {
  return { ...launchProgram(bench, runtime, "bare_signing", [alg, scope]), ...posternPaths };
}

export function oauth2MockServerLaunch(bench: Bench, runtime: Runtime, alg: string): Launch {
  return {
    ...launchProgram(bench, runtime, "oauth2_mock_server", [alg]),
    readyPath: "/.well-known/openid-configuration",
    authorizePath: "/authorize",
    tokenPath: "/token",
    introspectionPath: "/introspect",
    userinfoPath: "/userinfo",
  };
}

export function oidcProviderLaunch(bench: Bench, runtime: Runtime, alg: string): Launch {
  return {
    ...launchProgram(bench, runtime, "oidc_provider", [alg]),
    readyPath: "/.well-known/openid-configuration",
    authorizePath: "/auth",
    tokenPath: "/token",
    introspectionPath: "/token/introspection",
    userinfoPath: "/me",
    sessionPath: "/bench/session",
  };
}

/** What logs in `count` times, or loads jose: no server, it makes its own. */
export type MockLoginKit =
  | "jose"
  | "postern"
  | "postern from source"
  | "oauth2-mock-server"
  | "oidc-provider";

const mockLoginPrograms: Readonly<Record<MockLoginKit, MockLoginProgram>> = {
  "jose": "mock_login_jose",
  "postern": "mock_login_package",
  "postern from source": "mock_login_source",
  "oauth2-mock-server": "mock_login_oauth2_mock_server",
  "oidc-provider": "mock_login_oidc_provider",
};

export function mockLoginCommand(
  bench: Bench,
  runtime: Runtime,
  kit: MockLoginKit,
  count: number,
): readonly string[] {
  const { root, packageProblem } = bench.programs;
  const program = mockLoginPrograms[kit];
  if (program === "mock_login_source") return [...programEntry(bench, runtime, program), `${count}`];
  if (program === "mock_login_package" && packageProblem) throw new Error(packageProblem);
  const runs = runtime.name === "deno" ? ["run", "-A"] : [];
  return [runtime.path, ...runs, `${root}/${project}/${program}.mjs`, `${count}`];
}

function launchProgram(
  bench: Bench,
  runtime: Runtime,
  program: Program,
  args: readonly string[],
): { readonly command: readonly string[]; readonly port: number } {
  const port = freePort();
  return { command: [...programEntry(bench, runtime, program), `${port}`, ...args], port };
}

function programEntry({ programs: { root } }: Bench, runtime: Runtime, program: Program): readonly string[] {
  return runtime.name === "deno"
    ? [runtime.path, "run", "-A", `${root}/scripts/bench/programs/${program}.ts`]
    : [runtime.path, `${root}/${project}/${program}.mjs`];
}

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

/** Builds `dist/npm` when a source is newer; resolves to what stood in the way. */
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
    // A file has no entries, and what is missing has no age.
  }
  return newest;
}
