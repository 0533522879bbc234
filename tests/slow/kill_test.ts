/** Kills: a server that is killed at any moment loses nothing that it acknowledged, and revoked tokens stay revoked. */
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
// The number of grants in use at a time.
const atATime = 8;

interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

type Step = "redeem" | "refresh" | "revoke" | "revoke access";

/** What the server acknowledged for one grant, and the request that was pending when it was killed. */
interface GrantRecord {
  readonly code: string;
  readonly pairs: TokenPair[];
  readonly revokedAccess: Set<string>;
  revoked: boolean;
  pending: Step | undefined;
}

type Ask = (order: Omit<KillOrder, "id">) => Promise<KillReport>;

const killed = new Error("the process was killed");

/** Uses one grant after another until the process is killed. */
async function useGrants(ask: Ask, used: GrantRecord[]): Promise<never> {
  while (true) {
    const { body: { code } } = await ask({});
    const record: GrantRecord = {
      code: code!,
      pairs: [],
      revokedAccess: new Set(),
      revoked: false,
      pending: undefined,
    };
    used.push(record);
    const step = async (pending: Step, path: string, form: Params): Promise<KillReport> => {
      record.pending = pending;
      const report = await ask({ path, form: { client_id: "public", ...form } });
      record.pending = undefined;
      assertEquals(report.status, 200, `${pending}: ${JSON.stringify(report.body)}`);
      return report;
    };
    const keep = ({ body }: KillReport) => record.pairs.push(body as unknown as TokenPair);
    keep(await step("redeem", "/oauth2/token", redemption(record)));
    for (let turn = 0; turn < 3; turn++) {
      const { refresh_token } = record.pairs.at(-1)!;
      keep(await step("refresh", "/oauth2/token", { grant_type: "refresh_token", refresh_token }));
    }
    const [first] = record.pairs;
    await step("revoke access", "/oauth2/revoke", { token: first!.access_token });
    record.revokedAccess.add(first!.access_token);
    // Half of the grants stay unrevoked, because only they can be lost.
    if (used.length % 2 === 0) continue;
    await step("revoke", "/oauth2/revoke", { token: record.pairs.at(-1)!.refresh_token });
    record.revoked = true;
  }
}

function redemption({ code }: GrantRecord): Params {
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
}

/** Starts a process, kills it soon after this many answers, and returns what it acknowledged. */
async function workUntilKilled(file: string, answers: number): Promise<readonly GrantRecord[]> {
  // Imported here, so that a bundler keeps it in a file of its own.
  const { program, programMark } = await import("../races/killed_process.ts");
  const runs = runtime === "deno" ? ["run", "--config", "dev.json", "--allow-all", "--quiet"] : [];
  const child = spawn(process.execPath, [...runs, fileURLToPath(program), programMark, file], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errorOutput = "";
  child.stderr.setEncoding("utf8").on("data", (part) => errorOutput += part);
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

  const used: GrantRecord[] = [];
  let working: Promise<readonly PromiseSettledResult<never>[]> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.endsWith("}") && line !== '"ready"') continue;
    const report = JSON.parse(line);
    if (report === "ready") {
      working = Promise.allSettled(Array.from({ length: atATime }, () => useGrants(ask, used)));
      continue;
    }
    waiting.get(report.id)?.resolve(report);
    waiting.delete(report.id);
    // Counts answers instead of time, so that a slow machine has also acknowledged something.
    if (report.id !== answers) continue;
    setTimeout(() => {
      dead = true;
      child.kill("SIGKILL");
    }, Math.random() * 5);
  }
  await closed;
  assert(dead, `the process ended by itself: ${errorOutput}`);
  for (const { reject } of waiting.values()) reject(killed);
  for (const result of await working ?? []) {
    if (result.status === "rejected" && result.reason !== killed) throw result.reason;
  }
  return used;
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

/** Asserts what must hold whether or not the pending request took effect. */
async function requireKept(record: GrantRecord, world: World): Promise<void> {
  const { pairs, pending, revoked, revokedAccess } = record;
  const mayBeRevoked = revoked || pending === "revoke";
  for (const { access_token } of pairs) {
    const isOpen = await opens(world, access_token);
    const mayBeEnded = pending === "revoke access" && access_token === pairs[0]!.access_token;
    if (revoked || revokedAccess.has(access_token)) {
      assertEquals(isOpen, false, "a revoked token works again");
    } else if (!mayBeRevoked && !mayBeEnded) assert(isOpen, "an acknowledged token is lost");
  }
  const last = pairs.at(-1);
  if (last === undefined) {
    const { status, body } = await ask(world, redemption(record));
    if (pending === undefined) assertEquals(status, 200, "a code is lost");
    else assert(status === 200 || body["error"] === "invalid_grant", JSON.stringify(body));
    return;
  }
  const form = { grant_type: "refresh_token", refresh_token: last.refresh_token };
  const { status, body } = await ask(world, form);
  if (revoked) assertEquals([status, body["error"]], [400, "invalid_grant"], "a revoked token works again");
  else if (pending === undefined || pending === "revoke access") {
    assertEquals(status, 200, `a rotation is lost: ${JSON.stringify(body)}`);
  } else assert(status === 200 || body["error"] === "invalid_grant", JSON.stringify(body));
  for (const { refresh_token } of pairs.slice(0, -1)) {
    const stale = await ask(world, { grant_type: "refresh_token", refresh_token });
    assertEquals([stale.status, stale.body["error"]], [400, "invalid_grant"], "a rotated token works again");
  }
  assertEquals((await ask(world, redemption(record))).status, 400, "a used code works again");
}

const sqlite = await import("node:sqlite").catch(() => undefined);
const name =
  "kills: after 50 kills at random moments of redeem, rotate and revoke, acknowledged changes hold (STO-04)";
if (sqlite === undefined) test.skip(name, "this runtime has no node:sqlite");
else {
  test(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    const file = join(folder, "store.db");
    const revokedGrants: GrantRecord[] = [];
    const interrupted = new Map<string, number>();
    try {
      for (let kill = 0; kill < kills; kill++) {
        const used = await workUntilKilled(file, 1 + Math.floor(Math.random() * 150));
        const store = await sqliteStore(file);
        const world = openStormWorld({ store });
        for (const record of used) {
          if (record.pending !== undefined) {
            interrupted.set(record.pending, (interrupted.get(record.pending) ?? 0) + 1);
          }
          await requireKept(record, world);
        }
        revokedGrants.push(...used.filter(({ revoked }) => revoked));
        await world.close();
        await store.close();
      }
      // Revoked tokens also stay revoked after all later kills.
      const store = await sqliteStore(file);
      const world = openStormWorld({ store });
      for (const record of revokedGrants) await requireKept(record, world);
      await world.close();
      await store.close();
      assert(revokedGrants.length > kills, `only ${revokedGrants.length} grants were revoked`);
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
