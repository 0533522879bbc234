/**
 * Measures the path of a login: the files of `src/` in which a function runs between the arrival of a request at the
 * listener and its answer. V8's precise coverage counts the calls.
 */
import { Session } from "node:inspector";
import { createPlainServer, type ServerOptions } from "../../src/mod.ts";
import { serve } from "../../src/server/runtime/serve.ts";
import { basic, challenge, redirectUri, sampleKey, verifier } from "../world.ts";

/** A file below `src/`, and the functions that ran in it. */
export interface Stop {
  readonly file: string;
  readonly functions: readonly string[];
}

/** The two requests of a login, and the stops of each one. */
export interface LoginPath {
  readonly authorize: readonly Stop[];
  readonly token: readonly Stop[];
}

/** How the client of the login authenticates. */
export type ClientKind = "public" | "confidential";

interface Site {
  authorize(): Promise<string>;
  redeem(code: string): Promise<void>;
  close(): Promise<void>;
}

const root = new URL("../../src/", import.meta.url).href;

/** Measures the third login, because the first one loads modules. The person is signed in automatically. */
export async function measureLogin(kind: ClientKind): Promise<LoginPath> {
  const site = await openSite(kind);
  const recorder = await openRecorder();
  try {
    for (const _earlier of ["first", "second"]) await site.redeem(await site.authorize());
    await recorder.start();
    const code = await site.authorize();
    const authorize = await recorder.take();
    await site.redeem(code);
    return { authorize, token: await recorder.take() };
  } finally {
    await recorder.close();
    await site.close();
  }
}

async function openSite(kind: ClientKind): Promise<Site> {
  const [client_id, client_secret] = ["shop", "a secret of the shop, which is long enough"];
  const secret = kind === "public" ? {} : { client_secret };
  const options: ServerOptions = {
    ...{ login: "auto", alg: "ES256", signingKeys: [sampleKey] },
    clients: [{ client_id, ...secret, redirect_uris: [redirectUri] }],
    people: [{ username: "alice", claims: { name: "Alice" } }],
  };
  const server = createPlainServer(options);
  const served = await serve({ answer: server.answer, host: "127.0.0.1", port: 0 });
  const origin = `http://127.0.0.1:${served.port}`;
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri: redirectUri, scope: "openid profile" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", state: "a state" },
  });
  return {
    async authorize() {
      const response = await fetch(`${origin}/oauth2/authorize?${query}`, { redirect: "manual" });
      await response.body?.cancel();
      return new URL(response.headers.get("location")!).searchParams.get("code")!;
    },
    async redeem(code) {
      const form = {
        grant_type: "authorization_code",
        ...{ code, code_verifier: verifier, redirect_uri: redirectUri },
        ...(kind === "public" ? { client_id } : {}),
      };
      const headers = kind === "public" ? {} : basic(client_id, client_secret);
      const body = new URLSearchParams(form);
      const response = await fetch(`${origin}/oauth2/token`, { method: "POST", headers, body });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
    },
    async close() {
      await served.close();
      await server.close();
    },
  };
}

interface Recorder {
  /** Counts calls from now on. */
  start(): Promise<void>;
  /** Returns the files in which functions have run since the last call. */
  take(): Promise<readonly Stop[]>;
  close(): Promise<void>;
}

/** The part of the answer of `Profiler.takePreciseCoverage` that is read here. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

async function openRecorder(): Promise<Recorder> {
  const session = new Session();
  session.connect();
  const ask = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve, reject) =>
      session.post(method, params, (error, answer) => error === null ? resolve(answer) : reject(error))
    );
  await ask("Profiler.enable");
  return {
    async start() {
      await ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    },
    async take() {
      const { result } = await ask("Profiler.takePreciseCoverage") as Coverage;
      return result.flatMap(({ url, functions }): readonly Stop[] => {
        const called = functions.filter(({ ranges }) => ranges[0]!.count > 0);
        if (!url.startsWith(root) || called.length === 0) return [];
        const names = called.map(({ functionName }) => functionName).filter((name) => name !== "");
        return [{ file: url.slice(root.length), functions: [...new Set(names)] }];
      });
    },
    async close() {
      await ask("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}

/** Prints the paths. */
if (import.meta.main) {
  for (const kind of ["public", "confidential"] as const) {
    const path = await measureLogin(kind);
    for (const [request, stops] of Object.entries(path) as [string, readonly Stop[]][]) {
      console.log(`${request}, ${kind} client: ${stops.length} files`);
      for (const { file, functions } of stops) console.log(`  ${file}: ${functions.join(" ")}`);
    }
  }
}
