/** Kills of a server process: it loses nothing that it acknowledged, and revoked tokens stay revoked. */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../src/cli/open_store.ts";
import { encodeForm, type Params, redirectUri, verifier, type World } from "../world.ts";
import type { Answer, KillPoint, Shot } from "./server_process.ts";
import { ServerProcessEnded, startServerProcess } from "./start_server_process.ts";
import { openStormWorld } from "./volley.ts";

export interface Kill {
  /** The process is killed after this many answers. */
  readonly answers: number;
  /** Where in its next write to the store. */
  readonly point: KillPoint | "anywhere";
}

interface Killed {
  readonly used: readonly GrantRecord[];
  /** Where the kill landed. Absent: anywhere. */
  readonly point: string | undefined;
}

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

type Ask = (shot: Shot) => Promise<Answer>;

const { pathname, search } = new URL(openStormWorld().authorizeUrl({ scope: "openid" }));
const authorizePath = pathname + search;

/** Uses one grant after another until the process is killed. */
async function useGrants(ask: Ask, used: GrantRecord[]): Promise<never> {
  while (true) {
    const { location } = await ask({ method: "GET", path: authorizePath });
    const record: GrantRecord = {
      code: new URL(location!).searchParams.get("code")!,
      pairs: [],
      revokedAccess: new Set(),
      revoked: false,
      pending: undefined,
    };
    // Half of the grants stay unrevoked, because only they can be lost.
    const staysActive = used.push(record) % 2 === 0;
    const step = async (pending: Step, path: string, form: Params): Promise<Answer> => {
      record.pending = pending;
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const body = encodeForm({ client_id: "public", ...form });
      const answer = await ask({ method: "POST", path, headers, body });
      record.pending = undefined;
      assertEquals(answer.status, 200, `${pending}: ${JSON.stringify(answer.body)}`);
      return answer;
    };
    const keep = ({ body }: Answer) => record.pairs.push(body as unknown as TokenPair);
    keep(await step("redeem", "/oauth2/token", redemption(record)));
    for (let turn = 0; turn < 3; turn++) {
      const { refresh_token } = record.pairs.at(-1)!;
      keep(await step("refresh", "/oauth2/token", { grant_type: "refresh_token", refresh_token }));
    }
    const [first] = record.pairs;
    await step("revoke access", "/oauth2/revoke", { token: first!.access_token });
    record.revokedAccess.add(first!.access_token);
    if (staysActive) continue;
    await step("revoke", "/oauth2/revoke", { token: record.pairs.at(-1)!.refresh_token });
    record.revoked = true;
  }
}

function redemption({ code }: GrantRecord): Params {
  return { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
}

/** Starts a process, lets it be killed after this many answers, and returns what it acknowledged. */
async function workUntilKilled(url: string, { answers, point }: Kill): Promise<Killed> {
  const server = await startServerProcess(url);
  let count = 0;
  const ask: Ask = async (shot) => {
    const { answers: [answer] } = await server.perform({ shots: [shot] });
    // Counts answers instead of time, so that a slow machine has also acknowledged something.
    if (++count !== answers) return answer!;
    if (point === "anywhere") setTimeout(() => server.kill(), Math.random() * 5);
    else server.killAt(point);
    return answer!;
  };
  const used: GrantRecord[] = [];
  const results = await Promise.allSettled(Array.from({ length: atATime }, () => useGrants(ask, used)));
  for (const result of results) {
    if (result.status === "rejected" && !(result.reason instanceof ServerProcessEnded)) throw result.reason;
  }
  return { used, point: await server.killed() };
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

/** How often each step was pending, and where the kills landed. */
export interface KillCounts {
  readonly interrupted: Readonly<Record<string, number>>;
  readonly points: Readonly<Record<string, number>>;
  readonly revoked: number;
}

/** Kills one process after another over the store of this name, and asserts after each that nothing is lost. */
export async function survive(kills: readonly Kill[], url: string): Promise<KillCounts> {
  const revoked: GrantRecord[] = [];
  const interrupted: Record<string, number> = {}, points: Record<string, number> = {};
  const store = await openStore(url, () => {});
  const world = openStormWorld({ store });
  try {
    for (const kill of kills) {
      const { used, point } = await workUntilKilled(url, kill);
      if (kill.point !== "anywhere") {
        assert(point?.startsWith(`${kill.point} `), `the kill landed ${point}, not ${kill.point} a write`);
        increment(points, point!);
      }
      for (const record of used) {
        if (record.pending !== undefined) increment(interrupted, record.pending);
        await requireKept(record, world);
      }
      revoked.push(...used.filter((record) => record.revoked));
    }
    // Revoked tokens also stay revoked after all later kills.
    for (const record of revoked) await requireKept(record, world);
    return { interrupted, points, revoked: revoked.length };
  } finally {
    await world.close();
    await store.close();
  }
}

function increment(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
