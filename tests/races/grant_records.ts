/** Records what servers acknowledged for grants, and asserts later that it still holds. */
import { assert, assertEquals } from "@std/assert";
import { encodeForm, type Params, redirectUri, verifier, type World } from "../world.ts";
import type { Answer, Shot } from "./server_process.ts";
import { openStormWorld } from "./storm_world.ts";

interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

type Step = "redeem" | "refresh" | "revoke" | "revoke access";

/** What the server acknowledged for one grant, and the request that was pending when it was killed. */
export interface GrantRecord {
  readonly code: string;
  readonly pairs: TokenPair[];
  readonly revokedAccess: Set<string>;
  revoked: boolean;
  pending: Step | undefined;
}

export type Ask = (shot: Shot) => Promise<Answer>;

const { pathname, search } = new URL(openStormWorld().authorizeUrl({ scope: "openid" }));
const authorizePath = pathname + search;

/** Uses one grant after another until `ask` rejects. */
export async function useGrants(ask: Ask, used: GrantRecord[]): Promise<never> {
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
export async function requireKept(record: GrantRecord, world: World): Promise<void> {
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
