/** Contests between two server processes that share a store: many contenders want what only one may have. */
import { assertEquals } from "@std/assert";
import type { ServerOptions } from "../../src/mod.ts";
import { encodeForm, type Params, redirectUri, verifier, type World } from "../world.ts";
import { appCode, secret } from "../server/features/second_factor.ts";
import { openCodeForm, openConsentForm } from "./forms.ts";
import type { Answer, Shot } from "./server_process.ts";

/** There is one for each kind of conditional put. The explorer plays the races of all requests. */
export interface Contest {
  readonly name: string;
  readonly options?: ServerOptions;
  /** Prepares one round on a third server, and returns what each contender sends. */
  prepare(world: World): Promise<Shot>;
  /** Asserts that the answers of one round are right. */
  check(answers: readonly Answer[]): void;
  /** The status that each grant has after all rounds. */
  readonly left: string;
  /** How many grants each round leaves. Default: 1. */
  readonly grants?: number;
}

function form(path: string, fields: Params, headers: Readonly<Record<string, string>> = {}): Shot {
  return {
    method: "POST",
    path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: encodeForm(fields),
  };
}

/** The answers as texts, each with its number: the status and, if there is one, the error in the JSON. */
function countAnswers(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, body: { error } } of answers) {
    const text = error === undefined ? `${status}` : `${status} ${error}`;
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}

/** One contender has success, and all others get this refusal. */
function requireOne(success: string, ...refusals: readonly string[]): (answers: readonly Answer[]) => void {
  return (answers) => {
    const { [success]: successes, ...others } = countAnswers(answers);
    assertEquals(successes, 1);
    assertEquals(Object.keys(others).filter((each) => !refusals.includes(each)), []);
  };
}

/** How many rounds of the second factor have begun in a world. */
const begun = new WeakMap<World, number>();

export const contests: readonly Contest[] = [
  {
    name: "one code: one redemption, and the replays revoke the grant",
    async prepare(world) {
      const fields = { redirect_uri: redirectUri, client_id: "public", code_verifier: verifier };
      const code = await world.code();
      return form("/oauth2/token", { grant_type: "authorization_code", code, ...fields });
    },
    check: requireOne("200", "400 invalid_grant"),
    left: "revoked",
  },
  {
    name: "one refresh token with 10 s of grace: the same successor for all",
    options: { lifetimes: { refreshGrace: 10 } },
    async prepare(world) {
      const response = await world.redeem(await world.code());
      const { refresh_token } = await response.json();
      return form("/oauth2/token", { grant_type: "refresh_token", refresh_token, client_id: "public" });
    },
    check(answers) {
      assertEquals(countAnswers(answers), { "200": answers.length });
      assertEquals(new Set(answers.map(({ body }) => body["refresh_token"])).size, 1);
    },
    left: "active",
  },
  {
    name: "one form: one approval, and the others get 409 (OAuth 2.1 §4.1.2)",
    options: { login: "picker" },
    async prepare(world) {
      // An approval in an earlier round would answer the question.
      const { fields, cookie } = await openConsentForm(world, { prompt: "consent" });
      return form("/oauth2/consent", { ...fields, decision: "approve" }, { cookie });
    },
    check: requireOne("303", "409"),
    left: "approved",
  },
  {
    name:
      "one code of the second factor: one login, and the others are told that it has been used (RFC 6238 §5.2)",
    options: {
      login: "picker",
      people: Array.from({ length: 100 }, (_none, at) => ({
        username: `person-${at}`,
        secondFactor: { kind: "totp", secret },
      })),
    },
    async prepare(world) {
      // A person of its own for each round, because the clock stands still and a code works once.
      const round = begun.get(world) ?? 0;
      begun.set(world, round + 1);
      const person = `person-${round}`;
      // The consent is remembered, so that the code is all that the next login needs.
      await (await openConsentForm(world, {}, person)).send(world, { decision: "approve" });
      const { fields, cookie } = await openCodeForm(world, person);
      return form("/oauth2/second_factor", { ...fields, code: appCode(world.clock.now) }, { cookie });
    },
    // A form that arrives after the login is one of a request that has been answered.
    check: requireOne("303", "400", "409"),
    left: "approved",
    grants: 2,
  },
];
