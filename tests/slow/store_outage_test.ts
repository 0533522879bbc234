/**
 * Two servers under load, whose database is killed and started again several times: they refuse with 503 meanwhile, lose
 * nothing that they acknowledged, and work again without a restart.
 */
import { assert, assertEquals } from "@std/assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram, type Running, start } from "../cli/command.ts";
import { findFreePort } from "../free_port.ts";
import { type GrantRecord, requireKept, useGrants } from "../races/grant_records.ts";
import { type Answer, readAnswer, type Shot } from "../races/server_process.ts";
import { testWithPostgres } from "../servers/postgres.ts";
import { testWithRedis } from "../servers/redis.ts";
import { startPostgres } from "../servers/start_postgres.ts";
import { startRedis } from "../servers/start_redis.ts";
import { createWorld, redirectUri, type World } from "../world.ts";

const kills = 10;
const workersOfServer = 3;
/** How long a call of the store may take, in milliseconds: the default of both stores. */
const storeTimeout = 5000;

// Writes that were acknowledged are on the disk.
const durable = { appendonly: "yes", appendfsync: "always" };
const databases = [
  { name: "Postgres", testWith: testWithPostgres, startDatabase: () => startPostgres() },
  { name: "Redis", testWith: testWithRedis, startDatabase: () => startRedis(durable) },
];

/** A server cannot reach its database. */
class Unavailable extends Error {
  override readonly name = "Unavailable";
}

class LoadEnded extends Error {
  override readonly name = "LoadEnded";
}

async function send(origin: string, { path, ...terms }: Shot): Promise<Response> {
  return await fetch(origin + path, { ...terms, redirect: "manual" });
}

/** The status and, if there is one, the error. OAuth 2.1 §4.1.2.1: errors of an authorization request go to the client. */
function describe({ status, location, body }: Answer): string {
  const error = body["error"] ?? (location === null ? null : new URL(location).searchParams.get("error"));
  return error === null ? `${status}` : `${status} ${error}`;
}

interface Load {
  readonly used: readonly GrantRecord[];
  /** Resolves immediately after the next revocation that a server acknowledges. */
  nextRevocation(): Promise<void>;
  /** Resolves when each worker has revoked another token, or when each server has refused another request. */
  next(event: "success" | "refusal"): Promise<void>;
  /** The longest time that an answer took since the last call of this function, in milliseconds. */
  takeSlowest(): number;
  readonly counts: Readonly<Record<string, number>>;
  end(): Promise<void>;
}

/** Sends requests to the servers without a break until the end. */
function startLoad(origins: readonly string[]): Load {
  const used: GrantRecord[] = [];
  const counts: Record<string, number> = {};
  const workers = origins.flatMap((origin) => Array.from({ length: workersOfServer }, () => ({ origin })));
  const successes = workers.map(() => 0), refusals = origins.map(() => 0);
  let revoked = () => {}, slowest = 0, isOver = false;

  const work = async (origin: string, index: number): Promise<void> => {
    const ask = async (shot: Shot): Promise<Answer> => {
      if (isOver) throw new LoadEnded();
      const sentAt = performance.now();
      const response = await send(origin, shot);
      const answer = await readAnswer(response);
      slowest = Math.max(slowest, performance.now() - sentAt);
      const outcome = describe(answer);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (outcome.endsWith("temporarily_unavailable")) {
        if (answer.status === 503) {
          assert(response.headers.has("retry-after"), `${shot.path} without Retry-After`);
        }
        refusals[origins.indexOf(origin)]!++;
        throw new Unavailable();
      }
      if (shot.path === "/oauth2/revoke") {
        successes[index]!++;
        revoked();
      }
      return answer;
    };
    while (!isOver) {
      await useGrants(ask, used).catch((error) => {
        if (!(error instanceof Unavailable || error instanceof LoadEnded)) throw error;
      });
    }
  };
  const working = workers.map(({ origin }, index) => work(origin, index));
  const failed = Promise.all(working).then((): never => {
    throw new Error("The load has ended");
  });
  failed.catch(() => {});

  const whileWorking = async (isDone: () => boolean) => {
    while (!isDone()) await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 10))]);
  };
  return {
    used,
    counts,
    nextRevocation: () => Promise.race([failed, new Promise<void>((resolve) => revoked = resolve)]),
    async next(event) {
      const numbers = event === "success" ? successes : refusals;
      const before = [...numbers];
      await whileWorking(() => numbers.every((number, index) => number > before[index]!));
    },
    takeSlowest() {
      const taken = slowest;
      slowest = 0;
      return taken;
    },
    async end() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

async function startServers(url: string, folder: string): Promise<{ servers: Running[]; origins: string[] }> {
  const origins = [await findFreePort(), await findFreePort()].map((port) => `http://localhost:${port}`);
  const configuration = join(folder, "postern.json");
  await writeFile(
    configuration,
    JSON.stringify({ clients: [{ client_id: "public", redirect_uris: [redirectUri] }] }),
  );
  const servers = origins.map((origin) => {
    const args = [
      "start",
      "--config",
      configuration,
      "--issuer",
      origins[0]!,
      "--port",
      new URL(origin).port,
    ];
    const flags = [...args, "--login", "auto", "--alg", "ES256", "--quiet"];
    return start(flags, createProgram(flags, { POSTERN_STORE: url }));
  });
  await Promise.all(servers.map((server) => server.printed(/^ {2}Issuer\s/m)));
  return { servers, origins };
}

/** A world whose requests go to a running server. */
function createRemoteWorld(origin: string): World {
  return createWorld({
    issuer: origin,
    answerWith: (request) => fetch(new Request(request, { redirect: "manual" })),
  });
}

for (const { name, testWith, startDatabase } of databases) {
  testWith(
    `store outage: ${name} is killed ${kills} times under load: 503 meanwhile, and nothing acknowledged is lost`,
    async () => {
      const database = await startDatabase();
      const folder = await mkdtemp(join(tmpdir(), "postern-"));
      const { servers, origins } = await startServers(database.url, folder);
      const load = startLoad(origins);
      const slowest: number[] = [];
      try {
        await load.next("success");
        const healthy = load.takeSlowest();
        for (let kill = 0; kill < kills; kill++) {
          await load.nextRevocation();
          await database.kill();
          // Half of the outages are so short that most requests only take longer.
          if (kill % 2 === 0) await load.next("refusal");
          await database.start();
          // No server is started again.
          await load.next("success");
          slowest.push(load.takeSlowest());
        }
        await load.end();
        const worlds = origins.map(createRemoteWorld);
        for (const [index, record] of load.used.entries()) await requireKept(record, worlds[index % 2]!);
        await Promise.all(worlds.map((world) => world.close()));
        const { length: grants } = load.used;
        const revoked = load.used.filter((record) => record.revoked).length;
        console.log(JSON.stringify({ name, counts: load.counts, grants, revoked, healthy, slowest }));
        // Twice the times, because a loaded machine is late.
        const limit = 2 * (storeTimeout + healthy);
        assertEquals(slowest.filter((time) => time > limit), []);
      } finally {
        await load.end().catch(() => {});
        for (const server of servers) server.signal("SIGTERM");
        const ends = await Promise.all(servers.map(({ ended }) => ended));
        await database.end();
        await rm(folder, { recursive: true });
        assertEquals(ends.map(({ code }) => code), [0, 0], ends.map(({ stderr }) => stderr).join());
      }
    },
  );
}
