/** The servers of the comparison: their names in the tables, the commands that start them, and their paths. */
import type { Bench } from "./scenario.ts";
import type { Runtime } from "../runtimes.ts";
import { type AccessTokenForm, type Program, project, projectBefore } from "./prepare_programs.ts";
import { freePort, type Launch } from "./server_process.ts";
import type { Contestant } from "./under_load.ts";

const posternPaths = {
  readyPath: "/.well-known/oauth-authorization-server",
  authorizePath: "/oauth2/authorize",
  pushPath: "/oauth2/par",
  tokenPath: "/oauth2/token",
  introspectionPath: "/oauth2/introspect",
  userinfoPath: "/userinfo",
} as const;

export interface PosternOptions {
  /** Another checkout, instead of this one. */
  readonly checkout?: string | undefined;
  readonly alg: string;
  /** `memory`, `sqlite` for a new file, or the name of a store as `--store` takes it. */
  readonly store: string;
  readonly accessTokens: AccessTokenForm;
}

export function posternLaunch(bench: Bench, runtime: Runtime, options: PosternOptions): Launch {
  return posternLaunches(bench, runtime, options, 1)[0]!;
}

/** The launches of several processes with the same issuer and the same store. */
export function posternLaunches(
  bench: Bench,
  runtime: Runtime,
  { checkout, alg, store, accessTokens }: PosternOptions,
  count: number,
): readonly Launch[] {
  const { configFiles } = bench.programs;
  const ports = Array.from({ length: count }, freePort);
  const [first] = ports;
  const storeName = store === "sqlite" ? `sqlite:${bench.folder}/${runtime.name}-${alg}-${first}.db` : store;
  return ports.map((port) => ({
    command: [
      ...startCommand(bench, runtime, checkout),
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

function startCommand(
  { programs: { root, packageProblem } }: Bench,
  runtime: Runtime,
  checkout: string = root,
): readonly string[] {
  if (runtime.name === "deno") {
    const program = `${checkout}/src/tools/cli/main.ts`;
    return [runtime.path, "run", "-A", `--lock=${checkout}/scripts/start.lock`, program, "start"];
  }
  if (checkout === root && packageProblem) throw new Error(packageProblem);
  return [runtime.path, `${checkout}/dist/npm/cli.js`, "start"];
}

/** Postern without lines on the console, with each store; before that, as people start it. */
export function posternContestants(bench: Bench, accessTokens: AccessTokenForm): readonly Contestant[] {
  const { stores, against } = bench;
  const withStore = (store: string, checkout?: string): Contestant => ({
    label: `postern ${store}${accessTokens === "jwt" ? "" : ` ${accessTokens}`}${checkout ? ", before" : ""}`,
    launch: (bench, runtime, alg) => posternLaunch(bench, runtime, { checkout, alg, store, accessTokens }),
  });
  const before = against === undefined ? [] : [withStore("memory", against)];
  const checkouts = [undefined, ...(against === undefined ? [] : [against])];
  const started = accessTokens === "jwt" ? checkouts.map((checkout) => startedContestant(checkout)) : [];
  return [...started, ...stores.map((store) => withStore(store)), ...before];
}

/** Postern as people start it: with its inspector, and with a line for each request. */
export function startedContestant(checkout?: string): Contestant {
  return {
    label: `postern as started${checkout ? ", before" : ""}`,
    launch: (bench, runtime, alg) => startedLaunch(bench, runtime, { checkout, alg }),
  };
}

/** The part that the inspector has in the work of Postern as people start it shows in comparison with this one. */
export const withoutInspector: Contestant = {
  label: "postern, --no-inspector",
  launch: (bench, runtime, alg) => startedLaunch(bench, runtime, { alg, flags: ["--no-inspector"] }),
};

function startedLaunch(
  bench: Bench,
  runtime: Runtime,
  { checkout, alg, flags = [] }: {
    readonly checkout?: string | undefined;
    readonly alg: string;
    readonly flags?: readonly string[];
  },
): Launch {
  const port = freePort();
  const { configFiles } = bench.programs;
  const required = ["--port", `${port}`, "--login", "auto", "--alg", alg, "--config", configFiles.jwt];
  return {
    command: [...startCommand(bench, runtime, checkout), ...required, ...flags],
    output: `${bench.folder}/output-${port}`,
    port,
    ...posternPaths,
  };
}

export function bareServeLaunch(bench: Bench, runtime: Runtime): Launch {
  return { ...launchProgram(bench, runtime, "bare_serve"), ...posternPaths };
}

/** The limits for servers that answer about tokens of this scope. */
export function bareContestants(scope: string): readonly Contestant[] {
  const listeners = { own: "limit", postern: "limit, same listener" };
  return Object.entries(listeners).map(([listener, label]) => ({
    label,
    isLimit: true,
    launch: (bench, runtime, alg) => ({
      ...launchProgram(bench, runtime, "bare_signing", alg, scope, listener),
      ...posternPaths,
    }),
  }));
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

/** Programs that log in several times with their own server. One only signs with jose, one only makes a server. */
const mockLoginPrograms = {
  "jose": "mock_login_jose",
  "bare": "mock_login_bare",
  "postern": "mock_login_package",
  "postern, before": "mock_login_package",
  "postern from source": "mock_login_source",
  "createServer": "create_server",
  "createServer, before": "create_server",
  "oauth2-mock-server, ES256": "mock_login_oauth2_mock_server",
  "oauth2-mock-server, RS256": "mock_login_oauth2_mock_server",
  "oidc-provider": "mock_login_oidc_provider",
} as const;

export type MockLoginKit = keyof typeof mockLoginPrograms;

/** The algorithm of a kit, where it is not that of all. */
const algs: { readonly [Kit in MockLoginKit]?: string } = { "oauth2-mock-server, RS256": "RS256" };

export function mockLoginCommand(
  bench: Bench,
  runtime: Runtime,
  kit: MockLoginKit,
  count: number,
): readonly string[] {
  const { root, packageProblem } = bench.programs;
  const program = mockLoginPrograms[kit];
  if (program === "mock_login_source") return [...programEntry(bench, runtime, program), `${count}`];
  if ((kit === "postern" || kit === "createServer") && packageProblem) throw new Error(packageProblem);
  const runs = runtime.name === "deno" ? ["run", "-A"] : [];
  const folder = kit.endsWith(", before") ? projectBefore : project;
  const alg = algs[kit];
  const args = alg === undefined ? [] : [alg];
  return [runtime.path, ...runs, `${root}/${folder}/${program}.mjs`, `${count}`, ...args];
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
