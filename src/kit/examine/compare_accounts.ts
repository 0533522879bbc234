/** Compares the accounts of people in an application: each person gets one of their own (OpenID Connect Core §5.7). */

import type { AccountTest, Phase } from "../faults/misbehaviour.ts";
import { redeemsCode, refreshes, to, usesAccessToken } from "../faults/finds.ts";
import { readThrown, type Word } from "../faults/judge.ts";
import type { Outcome } from "../faults/outcome.ts";
import { headerOf, type Seen } from "../faults/seen.ts";
import { within as endsWithin } from "../../server/runtime/real_timer.ts";
import type { Gate } from "../mock/conditions/closed_gate.ts";
import { type EndpointName, listEndpointNames } from "../mock/endpoints.ts";
import { recordSeen } from "../mock/journal/record_seen.ts";
import type { Verdict } from "../mock/misbehaving/misbehave.ts";
import { parseJsonObject } from "../../ground/schema/json_object.ts";
import { present } from "../../ground/values/present.ts";
import { endInStep } from "./end_in_step.ts";
import type { World } from "./scenario.ts";

/** The account that a run of a client names, if it does. */
export function readAccount(ended: unknown): string | undefined {
  const { account } = Object(ended) as { readonly account?: unknown };
  return typeof account === "string" || typeof account === "number" ? `${account}` : undefined;
}

/** How often the client logs in: two people, the first one twice, and then those of the test. */
export function countLoginsOf(test: AccountTest): number {
  return 3 + (test === "at_once" ? 2 : 1);
}

/** In characters (OpenID Connect Core §2). */
const longestSub = 255;

/** The sub of the second person, if the third one resembles a certain one. */
const secondSubs: ReadonlyMap<string | undefined, string> = new Map([
  ["long", "x".repeat(longestSub)],
  ["digits", "12345678901234567890"],
  ["leading_zero", "8250317"],
]);

type Ended = { readonly account: string | undefined } | Exclude<Word, { readonly kind: "success" }>;

interface CompareTerms {
  readonly phase: Phase;
  readonly variant: string | undefined;
  /** The requests of a right run. */
  readonly usual: readonly Seen[];
  readonly within: number;
}

/**
 * Two logins of the first person and one of another show that the client names accounts, and keeps them. Then both log in
 * at the same time, or a person logs in who resembles the first one, and has another sub.
 */
export async function compareAccounts(
  test: AccountTest,
  world: Pick<World, "as" | "hasVisited" | "listSeen">,
  start: (username: string) => Promise<unknown>,
  terms: CompareTerms,
): Promise<Verdict> {
  const { as, listSeen } = world;
  const { variant, within } = terms;
  let since = 0;
  const conclude = (outcome: Outcome, because: string): Verdict => {
    return { outcome, because, requests: listSeen().slice(since).map(recordSeen) };
  };
  const person = as.people.all.find(({ claims }) => claims?.["email"] !== undefined);
  if (person === undefined) return conclude("not_applicable", "No person of the server has an email.");
  const { username: first, claims, secondFactor } = person;
  const other = "person-with-another-email";
  // A client may ask for a sign-in that only the first person has.
  const factor = present({ secondFactor });
  const second = {
    username: other,
    ...factor,
    ...present({ sub: secondSubs.get(variant) }),
    claims: { name: "Another Person", email: "another.person@example.com", email_verified: true },
  };
  as.people.add(second);
  const begin = (username: string): Promise<Ended> => {
    // For a client that opens its authorization URL with a browser of its own.
    as.nextSignIn(username);
    return start(username).then(
      (ended) => ({ account: readAccount(ended) }),
      (thrown) => readThrown(thrown, {}),
    );
  };
  const end = async (run: Promise<Ended>): Promise<Ended> =>
    await endsWithin(within, run) ? await run : { kind: "nothing", error: "it did not end in time" };
  const logIn = (username: string) => end(begin(username));
  const ends = [await logIn(first), await logIn(other), await logIn(first)];
  const error = findError(ends);
  if (error !== undefined) {
    return conclude("unknown", `The client did not succeed although the server was right: ${error}`);
  }
  const [account, otherAccount, again] = ends.map(accountOf);
  const unclear = findUnclear(account, otherAccount, again, `${claims!["email"]}`);
  if (unclear !== undefined) return conclude("unknown", `${unclear} ${nameAccounts}`);
  since = listSeen().length;
  if (test === "at_once") {
    if (world.hasVisited) return conclude("not_applicable", "The pages of a run have one browser only.");
    const together = await runAtOnce([first, other], begin, end, world, terms);
    const [one, two] = together.map(accountOf);
    const people = terms.phase === "refresh" ? "whose tokens are refreshed at once" : "who log in at once";
    if (one === otherAccount || two === account) {
      return conclude("fooled", `Of two people ${people}, one got the account of the other.`);
    }
    const failure = findError(together);
    if (failure !== undefined) {
      return conclude(
        "unknown",
        `Of two people ${people}, one failed although the server was right: ${failure}`,
      );
    }
    if (one !== account || two !== otherAccount) {
      return conclude("unknown", `Two people ${people} have other accounts than before. ${nameAccounts}`);
    }
    // After a refresh, many applications still name the account of the login, so the calls of the API decide.
    const users = terms.phase === "refresh" ? countUsers(listSeen().slice(since)) : 2;
    if (users === 2) return conclude("unharmed", `Two people ${people} have an account each.`);
    return users === 1 && countUsers(terms.usual) === 1
      ? conclude("fooled", `Of two people ${people}, the client used the new tokens of one only.`)
      : conclude(
        "unknown",
        `Two people ${people} have an account each, but nothing shows whose tokens the client uses.`,
      );
  }
  // An application may keep who has which account, so each row and each variant has a person of its own.
  const third = `similar-person-${variant ?? "verified"}`;
  const similar = test(person, variant, second);
  as.people.add({
    username: third,
    ...factor,
    ...similar,
    claims: { name: "Third Person", ...similar.claims },
  });
  const last = await logIn(third);
  if ("account" in last) {
    return last.account === account || last.account === otherAccount
      ? conclude("fooled", "A person with another sub is signed in to the account of another person.")
      : conclude("noticed", "A person with another sub is signed in to another account.");
  }
  return last.kind === "refusal"
    ? conclude("noticed", `The client refused: ${last.error}`)
    : conclude("unknown", `The client failed, but not with a refusal: ${last.error}`);
}

/**
 * The server answers the token requests of both people when both have come, those of the second person first. What they
 * send afterwards is answered in step.
 */
async function runAtOnce(
  [first, second]: readonly [string, string],
  begin: (username: string) => Promise<Ended>,
  end: (run: Promise<Ended>) => Promise<Ended>,
  { as }: Pick<World, "as">,
  { phase, usual, within }: CompareTerms,
): Promise<readonly Ended[]> {
  const requests = to("token")(usual, []);
  const find = phase === "refresh" ? refreshes : redeemsCode;
  const last = requests.findIndex((seen) => find([seen], []).length > 0) + 1;
  const gates = [as.hold("token", { count: 2 * last })];
  const [gate] = gates as [Gate];
  try {
    for (let index = 1; index < 2 * last; index++) if (index !== last) gate.release(index);
    const arrives = (count: number, seconds: number) =>
      gate.arrived(count, `${seconds}s`).then(() => true, () => false);
    const runs = [begin(first)];
    await arrives(last, within);
    runs.push(begin(second));
    // A client that lets one person wait for the answer to the other sends no request for this one.
    if (await arrives(2 * last, within / 3)) {
      const later = listLaterEndpoints(usual, requests[last - 1]).map((endpoint) => as.hold(endpoint));
      gates.push(...later);
      gate.release(2 * last);
      await endsWithin(within / 3, Promise.race([runs[1], ...later.map((each) => each.arrived())]));
      gate.release();
      await endInStep(runs, later, within / 3);
    }
    for (const each of gates) each.release();
    return await Promise.all(runs.map(end));
  } finally {
    for (const each of gates) each[Symbol.dispose]();
  }
}

/** What a run asks the server for after this request. */
function listLaterEndpoints(usual: readonly Seen[], after: Seen | undefined): readonly EndpointName[] {
  const later = after === undefined ? [] : usual.slice(usual.indexOf(after) + 1);
  return listEndpointNames().filter((name) =>
    name !== "token" && later.some(({ endpoint }) => endpoint === name)
  );
}

/** With the new tokens of how many people the client called an API after a refresh. */
function countUsers(requests: readonly Seen[]): number {
  const owners = new Map(
    refreshes(requests, []).map(({ entry: { facts, response } }) => {
      return [parseJsonObject(response.body ?? "")?.["access_token"], facts.subject] as const;
    }),
  );
  const used = usesAccessToken(requests, []).map((seen) =>
    owners.get(headerOf(seen, "authorization")?.replace(/^\S+ /, ""))
  );
  return new Set(used.filter((owner) => owner !== undefined)).size;
}

const accountOf = (ended: Ended): string | undefined => "account" in ended ? ended.account : undefined;

function findError(ends: readonly Ended[]): string | undefined {
  const [failed] = ends.flatMap((ended) => "account" in ended ? [] : ended.error ?? "it failed");
  return failed;
}

/** Says why the accounts that the runs name show nothing. */
function findUnclear(
  account: string | undefined,
  other: string | undefined,
  again: string | undefined,
  email: string,
): string | undefined {
  if ([account, other, again].includes(undefined)) return "A run names no account.";
  // What a page shows of an account, such as the email, is the same for two people although each has an account.
  if (account!.includes(email)) return "The runs name the email of the person as the account.";
  if (account !== again) return "A person who logs in twice has two accounts.";
  return account === other ? "Two people with a sub and an email of their own have one account." : undefined;
}

const nameAccounts = "Name the account of each person, and keep the accounts between the runs.";
