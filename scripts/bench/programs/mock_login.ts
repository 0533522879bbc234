/**
 * The common part of the `mock_login_*` programs: some logins one after another in one process, each with its own
 * server. When the first login has its tokens, it prints the processor time of the process so far; and then what each
 * login took. All times are milliseconds.
 */
import type { createMock } from "../../../src/kit/mod.ts";

export interface LoginKit {
  /** Runs a complete code flow with PKCE. */
  login(): Promise<LoginTokens>;
  dispose(): Promise<void>;
}

export interface LoginTokens {
  readonly access_token?: unknown;
  readonly id_token?: unknown;
  readonly refresh_token?: unknown;
}

/** The signing algorithm of all kits. A peer that makes its key at each start runs with its usual one, too. */
export const loginAlg = "ES256";

interface CpuUsage {
  readonly user: number;
  readonly system: number;
}

const { process } = globalThis as unknown as {
  readonly process: { readonly argv: readonly string[]; cpuUsage(): CpuUsage };
};

export const programArgs: readonly string[] = "Deno" in globalThis ? Deno.args : process.argv.slice(2);

/** The processor time of the process so far. */
export function readCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export async function runLogins(createKit: () => Promise<LoginKit>, alg: string = loginAlg): Promise<void> {
  const efforts: { readonly time: number; readonly cpu: number }[] = [];
  const count = Number(programArgs[0]);
  while (efforts.length < count) {
    const startedAt = performance.now();
    const cpuBefore = readCpuTime();
    const kit = await createKit();
    const tokens = await kit.login();
    if (efforts.length === 0) await writeLine(`${readCpuTime()}`);
    await kit.dispose();
    efforts.push({ time: performance.now() - startedAt, cpu: readCpuTime() - cpuBefore });
    requireTokens(tokens, alg);
  }
  await writeLine(JSON.stringify(efforts));
}

export async function runMockLogins(create: typeof createMock): Promise<void> {
  await runLogins(async () => {
    const as = await create({ alg: loginAlg });
    return {
      login: () => as.login(),
      async dispose() {
        await as[Symbol.asyncDispose]();
      },
    };
  });
}

/** Writes without a stream, because some runtimes are slow to create one. */
export async function writeLine(line: string): Promise<void> {
  const bytes = new TextEncoder().encode(`${line}\n`);
  if ("Deno" in globalThis) Deno.stdout.writeSync(bytes);
  else (await import("node:fs")).writeSync(1, bytes);
}

function requireTokens(
  { access_token: access, id_token: id, refresh_token: refresh }: LoginTokens,
  expected: string,
): void {
  for (const [name, token] of Object.entries({ access, id })) {
    const alg = typeof token === "string" && token.split(".").length === 3 ? readAlg(token) : undefined;
    if (alg !== expected) {
      throw new Error(`expected an ${name} token signed with ${expected}, received ${alg ?? "none"}`);
    }
  }
  if (typeof refresh !== "string") throw new Error("expected a refresh token, received none");
}

function readAlg(jwt: string): unknown {
  const header = jwt.slice(0, jwt.indexOf(".")).replaceAll("-", "+").replaceAll("_", "/");
  return (JSON.parse(atob(header)) as { readonly alg?: unknown }).alg;
}
