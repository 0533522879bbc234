/** Contests between two server processes that share a store: many contenders want what only one may have. */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../src/cli/open_store.ts";
import type { ServerOptions, Store } from "../../src/mod.ts";
import { grants } from "../../src/oauth/tokens/grant.ts";
import { initialToken, nativeUri, registered } from "../features/registration.ts";
import { createProofKey, proof } from "../tokens/dpop.ts";
import { encodeForm, type Params, redirectUri, verifier, type World } from "../world.ts";
import { openConsentForm } from "./forms.ts";
import type { Answer, Shot } from "./server_process.ts";
import { startServerProcess } from "./start_server_process.ts";
import { openStormWorld } from "./volley.ts";

export interface Contest {
  readonly name: string;
  readonly options?: ServerOptions;
  /** Prepares one round on a third server, and returns what the contenders send: these requests in turn. */
  prepare(world: World): Promise<readonly Shot[]>;
  /** Asserts that the answers of one round are right. `world` is a third server. */
  check(answers: readonly Answer[], world: World, shots: readonly Shot[]): void | Promise<void>;
  /** The statuses that the grants may have after all rounds. Absent: the contest has no grants. */
  readonly left?: readonly string[];
}

function form(path: string, fields: Params, headers: Readonly<Record<string, string>> = {}): Shot {
  return {
    method: "POST",
    path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: encodeForm(fields),
  };
}

function redemption(code: string, headers?: Readonly<Record<string, string>>): Shot {
  const fields = { code, redirect_uri: redirectUri, client_id: "public", code_verifier: verifier };
  return form("/oauth2/token", { grant_type: "authorization_code", ...fields }, headers);
}

function refreshment(token: string): Shot {
  return form("/oauth2/token", {
    grant_type: "refresh_token",
    refresh_token: token,
    client_id: "public",
  });
}

async function beginGrant(world: World): Promise<string> {
  const response = await world.redeem(await world.code());
  return (await response.json()).refresh_token;
}

async function requireDead(token: string, world: World): Promise<void> {
  const fields = { grant_type: "refresh_token", refresh_token: token, client_id: "public" };
  const response = await world.post("/oauth2/token", fields);
  assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
}

/** The answers as texts, each with its number. */
function countAnswers(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const text = body["error"] === undefined ? `${status}` : `${status} ${body["error"]}`;
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}

/** One contender has success, and all others get this refusal. */
function requireOne(success: string, refusal: string): (answers: readonly Answer[]) => void {
  return (answers) => assertEquals(countAnswers(answers), { [success]: 1, [refusal]: answers.length - 1 });
}

const proofKey = await createProofKey();

export const contests: readonly Contest[] = [
  {
    name: "one code: one redemption, and the replays revoke the grant (CODE-02)",
    prepare: async (world) => [redemption(await world.code())],
    check: requireOne("200", "400 invalid_grant"),
    left: ["revoked"],
  },
  {
    name: "one refresh token without grace: one successor, and the replays revoke the grant (REF-02)",
    options: { lifetimes: { refreshGrace: 0 } },
    prepare: async (world) => [refreshment(await beginGrant(world))],
    async check(answers, world) {
      requireOne("200", "400 invalid_grant")(answers);
      await requireDead(answers.find(({ status }) => status === 200)!.body["refresh_token"]!, world);
    },
    left: ["revoked"],
  },
  {
    name: "one refresh token with 10 s of grace: the same successor for all (REF-02)",
    options: { lifetimes: { refreshGrace: 10 } },
    prepare: async (world) => [refreshment(await beginGrant(world))],
    check(answers) {
      assertEquals(countAnswers(answers), { "200": answers.length });
      assertEquals(new Set(answers.map(({ body }) => body["refresh_token"])).size, 1);
    },
    left: ["active"],
  },
  {
    name: "refresh and revocation: each revocation succeeds, and no token works afterwards (RFC 7009 §2)",
    options: { lifetimes: { refreshGrace: 10 } },
    async prepare(world) {
      const token = await beginGrant(world);
      // The contenders of both processes alternate, so each kind needs two places.
      const revocation = form("/oauth2/revoke", { token, client_id: "public" });
      return [refreshment(token), refreshment(token), revocation, revocation];
    },
    async check(answers, world, shots) {
      for (const [index, { status, body }] of answers.entries()) {
        if (shots[index]!.path === "/oauth2/revoke") assertEquals(status, 200);
        else if (status !== 200) assertEquals([status, body["error"]], [400, "invalid_grant"]);
        else await requireDead(body["refresh_token"]!, world);
      }
    },
    left: ["revoked"],
  },
  {
    name: "approval and denial of one form: one decision, and the others get 409 (OAuth 2.1 §4.1.2)",
    options: { login: "picker" },
    async prepare(world) {
      const { fields, cookie } = await openConsentForm(world);
      const decide = (decision: string) => form("/oauth2/consent", { ...fields, decision }, { cookie });
      return [decide("approve"), decide("approve"), decide("deny"), decide("deny")];
    },
    check(answers, _world, shots) {
      requireOne("303", "409")(answers);
      const winner = answers.findIndex(({ status }) => status === 303);
      const { searchParams } = new URL(answers[winner]!.location!);
      const isApproved = shots[winner]!.body!.endsWith("decision=approve");
      assertEquals(searchParams.has("code"), isApproved);
      assertEquals(searchParams.get("error"), isApproved ? null : "access_denied");
    },
    left: ["approved", "denied"],
  },
  {
    name: "updates with one registration access token: one wins, and the others get 401 (RFC 7592 §2)",
    options: { issuer: "http://localhost:9000", registration: { initialAccessTokens: [initialToken] } },
    async prepare(world) {
      const { client_id, registration_client_uri, registration_access_token } = await registered(
        world,
        {},
        initialToken,
      );
      return [{
        method: "PUT",
        path: registration_client_uri.slice(world.issuer.length),
        headers: {
          authorization: `Bearer ${registration_access_token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ client_id, redirect_uris: [nativeUri] }),
      }];
    },
    check: requireOne("200", "401 invalid_token"),
  },
  {
    name: "one DPoP proof with the nonce of a third server: one acceptance (RFC 9449 §8, §11.1)",
    options: { dpop: { nonces: "required" } },
    async prepare(world) {
      const code = await world.code();
      const challenge = await world.redeem(code, {}, await proof(proofKey, world));
      assertEquals([challenge.status, (await challenge.json()).error], [400, "use_dpop_nonce"]);
      const nonce = challenge.headers.get("dpop-nonce")!;
      return [redemption(code, await proof(proofKey, world, { nonce }))];
    },
    check: requireOne("200", "400 invalid_dpop_proof"),
    left: ["active"],
  },
];

export interface ContestTerms {
  readonly rounds: number;
  readonly contenders: number;
}

// Several rounds at a time keep the processor busy while one request waits.
const atATime = 10;
// Enough time for an order to reach both processes, in milliseconds.
const lead = 10;

/** Plays the rounds on two processes over one store, whose name is as `--store` takes it. */
export async function holdContest(contest: Contest, url: string, terms: ContestTerms): Promise<void> {
  const processes = await Promise.all([1, 2].map(() => startServerProcess(url, contest.options)));
  const store = await openStore(url, () => {});
  const world = openStormWorld({ ...contest.options, store });
  let overlaps = 0;
  try {
    for (let done = 0; done < terms.rounds; done += atATime) {
      const size = Math.min(atATime, terms.rounds - done);
      const rounds = await Promise.all(Array.from({ length: size }, async () => {
        const shots = await contest.prepare(world);
        return Array.from({ length: terms.contenders }, (_, index) => shots[index % shots.length]!);
      }));
      const at = Date.now() + lead;
      const [one, other] = await Promise.all(processes.map((each, part) => {
        const shots = rounds.flatMap((round) => round.filter((_, index) => index % 2 === part));
        return each.perform({ at, shots });
      }));
      if (one!.startedAt < other!.endedAt && other!.startedAt < one!.endedAt) overlaps++;
      const half = terms.contenders / 2;
      for (const [index, shots] of rounds.entries()) {
        const [ones, others] = [one!, other!].map(({ answers }) =>
          answers.slice(index * half, (index + 1) * half)
        );
        const answers = shots.map((_, at) => (at % 2 === 0 ? ones! : others!)[at >> 1]!);
        await contest.check(answers, world, shots);
      }
    }
    assert(overlaps > 0, "the two processes never ran at the same time");
    if (contest.left !== undefined) await requireStatuses(contest.left, terms.rounds, store);
  } finally {
    await Promise.all(processes.map((each) => each.end()));
    await world.close();
    await store.close();
  }
}

async function requireStatuses(allowed: readonly string[], count: number, store: Store): Promise<void> {
  const statuses: string[] = [];
  for await (const { value } of store.list!(grants)) statuses.push(value.status);
  assertEquals(statuses.length, count);
  assertEquals(statuses.filter((status) => !allowed.includes(status)), []);
}
