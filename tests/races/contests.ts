/** Contests between two server processes that share a store: many contenders want what only one may have. */
import { chance } from "../chance.ts";
import { assert, assertEquals } from "@std/assert";
import type { ServerOptions } from "../../src/mod.ts";
import { initialToken, logIn, nativeUri, registered, type Registration } from "../features/registration.ts";
import { createProofKey, proof } from "../tokens/dpop.ts";
import { createBrowser, encodeForm, type Params, redirectUri, verifier, type World } from "../world.ts";
import { begin, deviceGrantType, deviceOptions } from "../features/device_login.ts";
import { openConsentForm, openDeviceConsentForm } from "./forms.ts";
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

function redemption(code: string, headers?: Readonly<Record<string, string>>): Shot {
  const fields = { code, redirect_uri: redirectUri, client_id: "public", code_verifier: verifier };
  return form("/oauth2/token", { grant_type: "authorization_code", ...fields }, headers);
}

function refreshFields(token: string, client_id: string): Params {
  return { grant_type: "refresh_token", refresh_token: token, client_id };
}

function refreshment(token: string, client_id = "public"): Shot {
  return form("/oauth2/token", refreshFields(token, client_id));
}

async function beginGrant(world: World): Promise<string> {
  const response = await world.redeem(await world.code());
  return (await response.json()).refresh_token;
}

/** Asserts that a refresh gets this refusal. */
async function requireDead(
  token: string,
  refusal: string,
  world: World,
  client_id = "public",
): Promise<void> {
  const response = await world.post("/oauth2/token", refreshFields(token, client_id));
  const { error } = await response.json();
  assertEquals(`${response.status} ${error}`, refusal);
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
 * Something ends the grant while its token is refreshed. Each refresh has success or gets this refusal, and afterwards no
 * token works that a refresh has sent or received. Every other request gets one of the other answers.
 */
function requireEnd(refusal: string, ...others: readonly string[]): Contest["check"] {
  return async (answers, world, shots) => {
    const tokens = new Set<string>();
    let clientId: string | undefined;
    for (const [index, answer] of answers.entries()) {
      const { path, body } = shots[index]!;
      const isRefresh = path === "/oauth2/token";
      const text = describe(answer);
      assert(isRefresh ? [refusal, "200"].includes(text) : others.includes(text), `${path}: ${text}`);
      if (!isRefresh) continue;
      const sent = new URLSearchParams(body);
      clientId = sent.get("client_id")!;
      tokens.add(sent.get("refresh_token")!);
      if (answer.status === 200) tokens.add(answer.body["refresh_token"]!);
    }
    for (const token of tokens) await requireDead(token, refusal, world, clientId);
  };
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

const proofKey = await createProofKey();

export const contests: readonly Contest[] = [
  {
    name: "one code: one redemption, and the replays revoke the grant",
    prepare: async (world) => [redemption(await world.code())],
    check: requireOne("200", "400 invalid_grant"),
    left: ["revoked"],
  },
  {
    name: "one refresh token without grace: one successor, and the replays revoke the grant",
    options: { lifetimes: { refreshGrace: 0 } },
    prepare: async (world) => [refreshment(await beginGrant(world))],
    async check(answers, world) {
      requireOne("200", "400 invalid_grant")(answers);
      const { body } = answers.find(({ status }) => status === 200)!;
      await requireDead(body["refresh_token"]!, "400 invalid_grant", world);
    },
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
    check: requireEnd("400 invalid_grant", "200"),
    left: ["revoked"],
  },
  {
    name:
      "refresh and sign-out: each sign-out succeeds, and no token works afterwards (RP-Initiated Logout §2)",
    options: { lifetimes: { refreshGrace: 10 } },
    async prepare(world) {
      const browser = createBrowser(world);
      const { leftFor } = await browser.open(world.authorizeUrl({ scope: "openid" }));
      const response = await world.redeem(new URL(leftFor!).searchParams.get("code")!);
      const { refresh_token, id_token } = await response.json();
      const path = `/connect/logout?${encodeForm({ id_token_hint: id_token })}`;
      const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
      return against(refreshment(refresh_token), { method: "GET", path, headers: { cookie } });
    },
    check: requireEnd("400 invalid_grant", "200"),
    // The session is over, not the grant.
    left: ["active"],
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
    name: "one pushed request opened several times: one code (RFC 9126 §4, §7.3)",
    async prepare(world) {
      const { search } = new URL(world.authorizeUrl());
      const response = await world.post("/oauth2/par", search.slice(1));
      const { request_uri } = await response.json();
      return [{
        method: "GET",
        path: `/oauth2/authorize?${encodeForm({ client_id: "public", request_uri })}`,
      }];
    },
    check(answers) {
      const [winner, ...others] = answers.filter(({ status }) => status === 303);
      assertEquals(others, []);
      assert(new URL(winner!.location!).searchParams.has("code"), winner!.location!);
      // A page says that the request was used, or that it is approved already.
      for (const answer of answers) assert(answer === winner || ["400", "409"].includes(describe(answer)));
    },
    left: ["approved"],
  },
  {
    name: "approval and denial of one device login: one decision, and the others get 409",
    options: deviceOptions,
    async prepare(world) {
      const { fields, cookie } = await openDeviceConsentForm(world, await begin(world));
      const decide = (decision: string) => form("/oauth2/consent", { ...fields, decision }, { cookie });
      return against(decide("approve"), decide("deny"));
    },
    check: requireOne("200", "409"),
    left: ["approved", "denied"],
  },
  {
    name: "one device code: one redemption, and the other polls get invalid_grant (RFC 8628 §3.5)",
    options: deviceOptions,
    async prepare(world) {
      const codes = await begin(world);
      await (await openDeviceConsentForm(world, codes)).send(world, { decision: "approve" });
      const fields = { grant_type: deviceGrantType, client_id: "tv", device_code: codes.device_code };
      return [form("/oauth2/token", fields)];
    },
    check: requireOne("200", "400 invalid_grant"),
    left: ["active"],
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
    name: "updates with one registration access token: one wins, and the others get 401 (RFC 7592 §2)",
    options: registrationOptions,
    prepare: async (world) => [update(await registered(world, {}, initialToken), world)],
    check: requireOne("200", "401 invalid_token"),
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
  {
    name: "refresh and deletion of a registration: no token outlives the client (RFC 7592 §2.3)",
    options: { ...registrationOptions, lifetimes: { refreshGrace: 10 } },
    async prepare(world) {
      const metadata = {
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
      };
      const client = await registered(world, metadata, initialToken);
      const { refresh_token } = await (await logIn(world, { client_id: client.client_id })).json();
      return against(refreshment(refresh_token, client.client_id), deletion(client, world));
    },
    async check(answers, world, shots) {
      await requireEnd("401 invalid_client", "204", "401 invalid_token")(answers, world, shots);
      assertEquals(answers.filter(({ status }) => status === 204).length, 1);
    },
    // The client is gone, not its grant.
    left: ["active"],
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
