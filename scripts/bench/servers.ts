/** The servers of the comparison: their names in the tables, the commands that start them, and their paths. */
import type { Bench } from "./scenario.ts";
import type { Runtime } from "../runtimes.ts";
import { type AccessTokenForm, type Program, project } from "./prepare_programs.ts";
import { freePort, type Launch } from "./server_process.ts";
import { type Contestant, limitLabel } from "./under_load.ts";

const posternPaths = {
  readyPath: "/.well-known/oauth-authorization-server",
  authorizePath: "/oauth2/authorize",
  pushPath: "/oauth2/par",
  tokenPath: "/oauth2/token",
  introspectionPath: "/oauth2/introspect",
  userinfoPath: "/userinfo",
} as const;

export interface PosternTerms {
  readonly alg: string;
  /** `memory`, `sqlite` for a new file, or the name of a store as `--store` takes it. */
  readonly store: string;
  readonly accessTokens: AccessTokenForm;
}

export function posternLaunch(bench: Bench, runtime: Runtime, terms: PosternTerms): Launch {
  return posternLaunches(bench, runtime, terms, 1)[0]!;
}

/** The launches of several processes with the same issuer and the same store. */
export function posternLaunches(
  bench: Bench,
  runtime: Runtime,
  { alg, store, accessTokens }: PosternTerms,
  count: number,
): readonly Launch[] {
  const { root, configFiles, packageProblem } = bench.programs;
  if (runtime.name !== "deno" && packageProblem) throw new Error(packageProblem);
  const entry = runtime.name === "deno"
    ? [runtime.path, "run", "-A", `--lock=${root}/start.lock`, `${root}/src/cli/main.ts`]
    : [runtime.path, `${root}/dist/npm/cli.js`];
  const ports = Array.from({ length: count }, freePort);
  const [first] = ports;
  const storeName = store === "sqlite" ? `sqlite:${bench.folder}/${runtime.name}-${alg}-${first}.db` : store;
  return ports.map((port) => ({
    command: [
      ...entry,
      "start",
      ...["--port", `${port}`],
      ...(count === 1 ? [] : ["--issuer", `http://localhost:${first}`]),
      ...["--quiet", "--login", "auto"],
      ...["--alg", alg],
      ...["--store", storeName],
      ...["--config", configFiles[accessTokens]],
    ],
    port,
    ...posternPaths,
  }));
}

/** Postern with each store. */
export function posternContestants({ stores }: Bench, accessTokens: AccessTokenForm): readonly Contestant[] {
  return stores.map((store) => ({
    label: `postern ${store}${accessTokens === "jwt" ? "" : ` ${accessTokens}`}`,
    launch: (bench, runtime, alg) => posternLaunch(bench, runtime, { alg, store, accessTokens }),
  }));
}

export function bareServeLaunch(bench: Bench, runtime: Runtime): Launch {
  return { ...launchProgram(bench, runtime, "bare_serve"), ...posternPaths };
}

/** The limit for servers that sign tokens of this scope. */
export function bareSigningContestant(scope: string): Contestant {
  return {
    label: limitLabel,
    launch: (bench, runtime, alg) => ({
      ...launchProgram(bench, runtime, "bare_signing", alg, scope),
      ...posternPaths,
    }),
  };
}

const peerPaths = {
  "oauth2-mock-server": {
    readyPath: "/.well-known/openid-configuration",
    authorizePath: "/authorize",
    tokenPath: "/token",
    introspectionPath: "/introspect",
    userinfoPath: "/userinfo",
  },
  "oidc-provider": {
    readyPath: "/.well-known/openid-configuration",
    authorizePath: "/auth",
    pushPath: "/request",
    tokenPath: "/token",
    introspectionPath: "/token/introspection",
    userinfoPath: "/me",
    sessionPath: "/bench/session",
  },
} as const;

/** The peers are written for Node, and run there only. */
export function peers({ name }: Runtime, labels: readonly (keyof typeof peerPaths)[]): readonly Contestant[] {
  if (name !== "node") return [];
  return labels.map((label) => {
    const program = label === "oidc-provider" ? "oidc_provider" : "oauth2_mock_server";
    return {
      label,
      launch: (bench, runtime, alg) => ({
        ...launchProgram(bench, runtime, program, alg),
        ...peerPaths[label],
      }),
    };
  });
}

/** Programs that log in several times with their own server, and one that only loads jose. */
const mockLoginPrograms = {
  "jose": "mock_login_jose",
  "postern": "mock_login_package",
  "postern from source": "mock_login_source",
  "oauth2-mock-server": "mock_login_oauth2_mock_server",
  "oidc-provider": "mock_login_oidc_provider",
} as const;

export type MockLoginKit = keyof typeof mockLoginPrograms;

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
  ...args: readonly string[]
): Pick<Launch, "command" | "port"> {
  const port = freePort();
  return { command: [...programEntry(bench, runtime, program), `${port}`, ...args], port };
}

function programEntry({ programs: { root } }: Bench, runtime: Runtime, program: Program): readonly string[] {
  return runtime.name === "deno"
    ? [runtime.path, "run", "-A", `${root}/scripts/bench/programs/${program}.ts`]
    : [runtime.path, `${root}/${project}/${program}.mjs`];
}
