/** Compares the accounts of people in an application: one email may belong to several people (OpenID Connect Core §5.7). */

import type { Misbehaviour } from "../faults/misbehaviour.ts";
import { readThrown, type Word } from "../faults/judge.ts";
import type { Outcome } from "../faults/outcome.ts";
import { within as endsWithin } from "../../server/runtime/real_timer.ts";
import { recordSeen } from "../mock/journal/record_seen.ts";
import type { Verdict } from "../mock/misbehaving/misbehave.ts";
import type { World } from "./scenario.ts";

/** The account that a run of a client names, if it does. */
export function readAccount(ended: unknown): string | undefined {
  const { account } = Object(ended) as { readonly account?: unknown };
  return typeof account === "string" || typeof account === "number" ? `${account}` : undefined;
}

type Ended = Word | { readonly kind: "account"; readonly account: string | undefined };

/**
 * Two logins of the first person and one of another show that the client names accounts, and keeps them. Then a person
 * signs in who has the email of the first one, another sub and no other claim in common.
 */
export async function compareAccounts(
  sharing: NonNullable<Misbehaviour["sharesEmail"]>,
  { as, listSeen }: Pick<World, "as" | "listSeen">,
  start: () => Promise<unknown>,
  { variant, within }: { readonly variant: string | undefined; readonly within: number },
): Promise<Verdict> {
  const person = as.people.all.find(({ claims }) => claims?.["email"] !== undefined);
  const conclude = (outcome: Outcome, because: string, since = 0): Verdict => {
    return { outcome, because, requests: listSeen().slice(since).map(recordSeen) };
  };
  if (person === undefined) return conclude("not_applicable", "No person of the server has an email.");
  const { username, claims = {} } = person;
  const email = claims["email"];
  const another = "person-with-another-email";
  // An application may keep who has which account, so each row and each variant has a person of its own.
  const second = `person-with-the-same-email-${variant ?? "verified"}`;
  as.people.add({
    username: another,
    claims: { name: "Another Person", email: "another.person@example.com", email_verified: true },
  });
  as.people.add({
    username: second,
    claims: { name: "Second Person", email, ...sharing(variant) },
  });
  const logIn = async (name: string): Promise<Ended> => {
    as.nextSignIn(name);
    const ended = start().then(
      (value): Ended => ({ kind: "account", account: readAccount(value) }),
      (thrown) => readThrown(thrown, {}),
    );
    return await endsWithin(within, ended)
      ? await ended
      : { kind: "nothing", error: "it did not end in time" };
  };
  const [first, other, again] = [
    await logIn(username),
    await logIn(another),
    await logIn(username),
  ];
  const failed = [first, other, again].find(({ kind }) => kind !== "account");
  if (failed !== undefined) {
    const error = "error" in failed ? failed.error : undefined;
    return conclude("unknown", `The client did not succeed although the server was right: ${error}`);
  }
  const [account, otherAccount, sameAccount] = [first, other, again].map(accountOf);
  if (account !== sameAccount || account === otherAccount || account?.includes(`${email}`)) {
    return conclude("unknown", namesNone);
  }
  const since = listSeen().length;
  const last = await logIn(second);
  if (last.kind === "refusal") return conclude("noticed", `The client refused: ${last.error}`, since);
  if (last.kind !== "account") {
    return conclude(
      "unknown",
      `The client failed, but not with a refusal: ${"error" in last && last.error}`,
      since,
    );
  }
  return accountOf(last) === account
    ? conclude(
      "fooled",
      "A person with another sub is signed in to the account of the person with this email.",
      since,
    )
    : conclude("noticed", "A person with another sub is signed in to another account.", since);
}

function accountOf(ended: Ended): string | undefined {
  return ended.kind === "account" ? ended.account : undefined;
}

// What a page shows of an account, such as the email, is the same for two people although each has an account.
const namesNone =
  "The runs do not show the accounts of people: two logins of one person must name one account, those " +
  "of two people must name two, and the account must not be the email. Keep the accounts between the runs.";
