/**
 * The common part of the `mock_login_*` programs: some logins one after another in one process, each with its own
 * server. It prints one line when the first login has its tokens, and then how many milliseconds each one took.
 */
import type { createMock } from "../../../src/mock/mod.ts";

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

/** The signing algorithm, the same in all kits. */
export const loginAlg = "ES256";

const scope = globalThis as { process?: { argv: readonly string[] } };

export const programArgs: readonly string[] = "Deno" in globalThis ? Deno.args : scope.process!.argv.slice(2);

export async function runLogins(createKit: () => Promise<LoginKit>): Promise<void> {
  const milliseconds: number[] = [];
  const count = Number(programArgs[0]);
  while (milliseconds.length < count) {
    const startedAt = performance.now();
    const kit = await createKit();
    const tokens = await kit.login();
    if (milliseconds.length === 0) await writeLine("logged in");
    await kit.dispose();
    milliseconds.push(performance.now() - startedAt);
    requireTokens(tokens);
  }
  await writeLine(JSON.stringify(milliseconds));
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

function requireTokens({ access_token: access, id_token: id, refresh_token: refresh }: LoginTokens): void {
  for (const [name, token] of Object.entries({ access, id })) {
    const alg = typeof token === "string" && token.split(".").length === 3 ? readAlg(token) : undefined;
    if (alg !== loginAlg) {
      throw new Error(`expected an ${name} token signed with ${loginAlg}, received ${alg ?? "none"}`);
    }
  }
  if (typeof refresh !== "string") throw new Error("expected a refresh token, received none");
}

function readAlg(jwt: string): unknown {
  const header = jwt.slice(0, jwt.indexOf(".")).replaceAll("-", "+").replaceAll("_", "/");
  return (JSON.parse(atob(header)) as { readonly alg?: unknown }).alg;
}
