/** Contests between two server processes that share a store: many contenders want what only one may have. */
import { chance } from "../chance.ts";
import { assert, assertEquals } from "@std/assert";
import type { ServerOptions } from "../../src/mod.ts";
import { initialToken, nativeUri, registered, type Registration } from "../features/registration.ts";
import { encodeForm, type Params, redirectUri, verifier, type World } from "../world.ts";
import { openConsentForm } from "./forms.ts";
import type { Answer, Shot } from "./server_process.ts";

export interface Contest {
  readonly name: string;
  readonly options?: ServerOptions;
  /** Prepares one round on a third server, and returns what the contenders send: these requests in turn. */
  prepare(world: World): Promise<readonly Shot[]>;
  /** Asserts that the answers of one round are right. `world` is a third server. */
  check(answers: readonly Answer[], world: World, shots: readonly Shot[]): void | Promise<void>;
  /** The statuses that the grants may have after all rounds. Absent: the contest has no grants. */
  readonly left?: readonly string[];
  /** The rounds are played one after another. Absent: several at the same time. */
  readonly inTurn?: true;
  /** More rounds need another store. Absent: one store is enough. */
  readonly roundsPerStore?: number;
}

function form(path: string, fields: Params, headers: Readonly<Record<string, string>> = {}): Shot {
  return {
    method: "POST",
    path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: encodeForm(fields),
  };
}

function redemption(code: string): Shot {
  const fields = { code, redirect_uri: redirectUri, client_id: "public", code_verifier: verifier };
  return form("/oauth2/token", { grant_type: "authorization_code", ...fields });
}

function refreshFields(token: string): Params {
  return { grant_type: "refresh_token", refresh_token: token, client_id: "public" };
}

function refreshment(token: string): Shot {
  return form("/oauth2/token", refreshFields(token));
}

async function beginGrant(world: World): Promise<string> {
  const response = await world.redeem(await world.code());
  return (await response.json()).refresh_token;
}

// In milliseconds.
const longestDelay = 40;

/**
 * Two kinds of requests. In half of the rounds the second kind starts some milliseconds later, because one kind may take
 * less time and would always be first. The contenders of both processes alternate, so each kind needs two places.
 */
function against(first: Shot, second: Shot): readonly Shot[] {
  const late = chance().number() < 0.5 ? second : { ...second, delay: chance().number() * longestDelay };
  return [first, first, late, late];
}

/** The status and, if there is one, the error in the JSON or for the client. */
function describe({ status, body, location }: Answer): string {
  const error = body["error"] ?? (location === null ? null : new URL(location).searchParams.get("error"));
  return error === null ? `${status}` : `${status} ${error}`;
}

/** The answers as texts, each with its number. */
export function countAnswers(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of answers.map(describe)) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

/** One contender has success, and all others get this refusal. */
function requireOne(success: string, refusal: string): (answers: readonly Answer[]) => void {
  return (answers) => assertEquals(countAnswers(answers), { [success]: 1, [refusal]: answers.length - 1 });
}

/**
 * Each revocation has success, and each refresh has success or is refused. Afterwards no token works that a refresh has
 * sent or received.
 */
async function requireEnd(answers: readonly Answer[], world: World, shots: readonly Shot[]): Promise<void> {
  const tokens = new Set<string>();
  for (const [index, answer] of answers.entries()) {
    const { path, body } = shots[index]!;
    const isRefresh = path === "/oauth2/token";
    const text = describe(answer);
    assert(text === "200" || isRefresh && text === "400 invalid_grant", `${path}: ${text}`);
    if (!isRefresh) continue;
    tokens.add(new URLSearchParams(body).get("refresh_token")!);
    if (answer.status === 200) tokens.add(answer.body["refresh_token"]!);
  }
  for (const token of tokens) {
    const response = await world.post("/oauth2/token", refreshFields(token));
    assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
  }
}

const registrationOptions: ServerOptions = {
  issuer: "http://localhost:9000",
  registration: { initialAccessTokens: [initialToken] },
};

function deletion({ registration_client_uri, registration_access_token }: Registration, world: World): Shot {
  return {
    method: "DELETE",
    path: registration_client_uri.slice(world.issuer.length),
    headers: { authorization: `Bearer ${registration_access_token}` },
  };
}

function update(client: Registration, world: World): Shot {
  const { path, headers } = deletion(client, world);
  const body = JSON.stringify({ client_id: client.client_id, redirect_uris: [nativeUri] });
  return { method: "PUT", path, headers: { ...headers, "content-type": "application/json" }, body };
}

export const contests: readonly Contest[] = [
  {
    name: "one code: one redemption, and the replays revoke the grant",
    prepare: async (world) => [redemption(await world.code())],
    check: requireOne("200", "400 invalid_grant"),
    left: ["revoked"],
  },
  {
    name: "one refresh token with 10 s of grace: the same successor for all",
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
      return against(refreshment(token), form("/oauth2/revoke", { token, client_id: "public" }));
    },
    check: requireEnd,
    left: ["revoked"],
  },
  {
    name: "approval and denial of one form: one decision, and the others get 409 (OAuth 2.1 §4.1.2)",
    options: { login: "picker" },
    async prepare(world) {
      // An approval in an earlier round would answer the question.
      const { fields, cookie } = await openConsentForm(world, { prompt: "consent" });
      const decide = (decision: string) => form("/oauth2/consent", { ...fields, decision }, { cookie });
      return against(decide("approve"), decide("deny"));
    },
    check(answers, _world, shots) {
      const winner = answers.findIndex(({ status }) => status === 303);
      const isApproved = shots[winner]!.body!.endsWith("decision=approve");
      requireOne(isApproved ? "303" : "303 access_denied", "409")(answers);
      assertEquals(new URL(answers[winner]!.location!).searchParams.has("code"), isApproved);
    },
    left: ["approved", "denied"],
  },
  {
    name: "one unknown client id with two redirect URIs: the first approval decides (first use)",
    options: { login: "picker", firstUse: true },
    async prepare(world) {
      const client_id = crypto.randomUUID();
      const approve = async (path: string) => {
        const redirect_uri = `http://127.0.0.1:4000/${path}`;
        const { fields, cookie } = await openConsentForm(world, { client_id, redirect_uri });
        return form("/oauth2/consent", { ...fields, decision: "approve" }, { cookie });
      };
      const [one, other] = [await approve("one"), await approve("other")];
      return [one, one, other, other];
    },
    check(answers, _world, shots) {
      const winner = answers.findIndex(({ status }) => status === 303);
      const { pathname, searchParams } = new URL(answers[winner]!.location!);
      assert(searchParams.has("code"), answers[winner]!.location!);
      assert(["/one", "/other"].includes(pathname));
      // The same form was answered already, and the other form belongs to another client now.
      for (const [index, answer] of answers.entries()) {
        const refusal = shots[index] === shots[winner] ? "409" : "400";
        assertEquals(describe(answer), index === winner ? "303" : refusal);
      }
    },
    left: ["approved"],
    // All contenders write the record of the clients' places, and a request gives up after 100 attempts.
    inTurn: true,
    // There are 200 places.
    roundsPerStore: 200,
  },
  {
    name: "update and deletion of a registration: only one of them happens (RFC 7592 §2)",
    options: registrationOptions,
    async prepare(world) {
      const client = await registered(world, {}, initialToken);
      return against(update(client, world), deletion(client, world));
    },
    check(answers, _world, shots) {
      const winner = answers.findIndex(({ status }) => status < 300);
      const success = shots[winner]!.method === "PUT" ? "200" : "204";
      requireOne(success, "401 invalid_token")(answers);
    },
  },
];
