/** Kills: a server that dies at any moment has lost nothing that it acknowledged, and nothing revoked comes back. */
import { assert, assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sqliteStore } from "../../src/mod.ts";
import type { KillOrder, KillReport } from "../races/killed_process.ts";
import { openStormWorld } from "../races/volley.ts";
import { runtime, test } from "../runner.ts";
import { type Params, redirectUri, verifier, type World } from "../world.ts";

const kills = 50;
// So many grants live their lives side by side.
const atATime = 8;

interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

type Step = "redeem" | "refresh" | "revoke" | "revoke access";

/** What the parent was told about one grant, and what it had asked for when the process died. */
interface Life {
  readonly code: string;
  readonly pairs: TokenPair[];
  readonly revokedAccess: Set<string>;
  revoked: boolean;
  pending: Step | undefined;
}

type Ask = (order: Omit<KillOrder, "id">) => Promise<KillReport>;

const killed = new Error("the process was killed");

/** One life after another, as far as they come. */
async function live(ask: Ask, lives: Life[]): Promise<never> {
  while (true) {
    const { body: { code } } = await ask({});
    const life: Life = {
      code: code!,
      pairs: [],
      revokedAccess: new Set(),
      revoked: false,
      pending: undefined,
    };
    lives.push(life);
    const step = async (pending: Step, path: string, form: Params): Promise<KillReport> => {
      life.pending = pending;
      const report = await ask({ path, form: { client_id: "public", ...form } });
      life.pending = undefined;
      assertEquals(report.status, 200, `${pending}: ${JSON.stringify(report.body)}`);
      return report;
    };
    const keep = ({ body }: KillReport) => life.pairs.push(body as unknown as TokenPair);
    keep(await step("redeem", "/oauth2/token", redemption(life)));
    for (let turn = 0; turn < 3; turn++) {
      const { refresh_token } = life.pairs.at(-1)!;
      keep(await step("refresh", "/oauth2/token", { grant_type: "refresh_token", refresh_token }));
    }
    const [first] = life.pairs;
    await step("revoke access", "/oauth2/revoke", { token: first!.access_token });
    life.revokedAccess.add(first!.access_token);
    // Some stay, so that there is something to lose.
    if (lives.length % 2 === 0) continue;
    await step("revoke", "/oauth2/revoke", { token: life.pairs.at(-1)!.refresh_token });
    life.revoked = true;
  }
}

function redemption({ code }: Life): Params {
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
}

/** Starts a process, kills it soon after so many answers, and returns what it had acknowledged. */
async function workAndDie(file: string, answers: number): Promise<readonly Life[]> {
  // Imported here, so that a bundler leaves it a file of its own.
  const { program, programMark } = await import("../races/killed_process.ts");
  const runs = runtime === "deno" ? ["run", "--config", "dev.json", "--allow-all", "--quiet"] : [];
  const child = spawn(process.execPath, [...runs, fileURLToPath(program), programMark, file], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (part) => complaints += part);
  child.stdin.on("error", () => {});
  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));

  const waiting = new Map<number, { resolve(report: KillReport): void; reject(error: Error): void }>();
  let count = 0;
  let dead = false;
  const ask: Ask = (order) =>
    new Promise((resolve, reject) => {
      if (dead) return reject(killed);
      waiting.set(++count, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ ...order, id: count })}\n`);
    });

  const lives: Life[] = [];
  let working: Promise<readonly PromiseSettledResult<never>[]> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.endsWith("}") && line !== '"ready"') continue;
    const words = JSON.parse(line);
    if (words === "ready") {
      working = Promise.allSettled(Array.from({ length: atATime }, () => live(ask, lives)));
      continue;
    }
    waiting.get(words.id)?.resolve(words);
    waiting.delete(words.id);
    // Counted in answers and not in time: however busy the machine is, there was something to lose.
    if (words.id !== answers) continue;
    setTimeout(() => {
      dead = true;
      child.kill("SIGKILL");
    }, Math.random() * 5);
  }
  await closed;
  assert(dead, `the process ended by itself: ${complaints}`);
  for (const { reject } of waiting.values()) reject(killed);
  for (const result of await working ?? []) {
    if (result.status === "rejected" && result.reason !== killed) throw result.reason;
  }
  return lives;
}

async function opens(world: World, token: string): Promise<boolean> {
  const response = await world.get("/userinfo", { authorization: `Bearer ${token}` });
  await response.body?.cancel();
  assert([200, 401].includes(response.status));
  return response.status === 200;
}

async function ask(world: World, form: Params): Promise<{ status: number; body: Record<string, string> }> {
  const response = await world.post("/oauth2/token", { client_id: "public", ...form });
  return { status: response.status, body: await response.json() };
}

/** What holds of a life whatever became of the request that nobody was answered. */
async function requireKept(life: Life, world: World): Promise<void> {
  const { pairs, pending, revoked, revokedAccess } = life;
  const mayBeRevoked = revoked || pending === "revoke";
  for (const { access_token } of pairs) {
    const isOpen = await opens(world, access_token);
    const mayBeEnded = pending === "revoke access" && access_token === pairs[0]!.access_token;
    if (revoked || revokedAccess.has(access_token)) assertEquals(isOpen, false, "revoked, and back");
    else if (!mayBeRevoked && !mayBeEnded) assert(isOpen, "acknowledged, and lost");
  }
  const last = pairs.at(-1);
  if (last === undefined) {
    const { status, body } = await ask(world, redemption(life));
    if (pending === undefined) assertEquals(status, 200, "a code was lost");
    else assert(status === 200 || body["error"] === "invalid_grant", JSON.stringify(body));
    return;
  }
  const form = { grant_type: "refresh_token", refresh_token: last.refresh_token };
  const { status, body } = await ask(world, form);
  if (revoked) assertEquals([status, body["error"]], [400, "invalid_grant"], "revoked, and back");
  else if (pending === undefined || pending === "revoke access") {
    assertEquals(status, 200, `a rotation was lost: ${JSON.stringify(body)}`);
  } else assert(status === 200 || body["error"] === "invalid_grant", JSON.stringify(body));
  for (const { refresh_token } of pairs.slice(0, -1)) {
    const stale = await ask(world, { grant_type: "refresh_token", refresh_token });
    assertEquals([stale.status, stale.body["error"]], [400, "invalid_grant"], "rotated, and back");
  }
  assertEquals((await ask(world, redemption(life))).status, 400, "a used code is good again");
}

const sqlite = await import("node:sqlite").catch(() => undefined);
const name = "kills: 50 at random moments of redeem, rotate and revoke; what was acknowledged holds (STO-04)";
if (sqlite === undefined) test.skip(name, "this runtime has no node:sqlite");
else {
  test(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    const file = join(folder, "store.db");
    const all: Life[] = [];
    const interrupted = new Map<string, number>();
    try {
      for (let kill = 0; kill < kills; kill++) {
        const lives = await workAndDie(file, 1 + Math.floor(Math.random() * 150));
        const store = await sqliteStore(file);
        const world = openStormWorld({ store });
        for (const life of lives) {
          if (life.pending !== undefined) {
            interrupted.set(life.pending, (interrupted.get(life.pending) ?? 0) + 1);
          }
          await requireKept(life, world);
        }
        all.push(...lives.filter(({ revoked }) => revoked));
        await world.close();
        await store.close();
      }
      // However many crashes later.
      const store = await sqliteStore(file);
      const world = openStormWorld({ store });
      for (const life of all) await requireKept(life, world);
      await world.close();
      await store.close();
      assert(all.length > kills, `only ${all.length} grants were revoked`);
      for (const step of ["redeem", "refresh", "revoke"]) {
        assert(
          (interrupted.get(step) ?? 0) > 0,
          `no ${step} was interrupted: ${JSON.stringify([...interrupted])}`,
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
