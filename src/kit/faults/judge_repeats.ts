/** Judges a client by its logins at right servers: whether each has a new value, and what they show. */

import { fewestToCount } from "./count_bits.ts";
import type { Judgement } from "./judge.ts";
import {
  isProtected,
  isRepeated,
  listLogins,
  type Login,
  loginParameters,
  type LoginValue,
} from "./logins.ts";
import type { FindShown, RightRequests } from "./shown_values.ts";

/** `logins` redeemed a code each, while the server was right. */
export function judgeRepeats(name: LoginValue, logins: readonly Login[]): Judgement {
  const parameter = loginParameters[name];
  const having = logins.filter((login) => login[name] !== undefined);
  if (having.length < 2) {
    return conclude(
      "not_reached",
      `The client did not redeem a code in two logins with a ${parameter}.`,
      logins,
    );
  }
  const repeating = having.filter((login) => isRepeated(name, login, logins));
  if (repeating.length === 0) {
    const because = `Each of the ${having.length} logins had a ${parameter} of its own.`;
    return conclude("unharmed", because, having);
  }
  const unprotected = repeating.find((login) => name !== "state" || !isProtected(login, logins));
  if (unprotected === undefined) {
    const because = "Logins had the same state, but each had a code_verifier or a nonce of its own.";
    return conclude("unharmed", because, repeating);
  }
  const same = repeating.filter((login) => login[name] === unprotected[name]);
  const because = `${same.length} logins that redeemed a code had the same ${parameter}.` +
    (name === "state" ? " At least one of them had no code_verifier or nonce of its own." : "");
  return conclude("fooled", because, same);
}

// A thorough examination has a thousand.
const mostShown = 20;

/** Judges what a client shows of itself, while the server is right. */
export function judgeShown(find: FindShown, runs: RightRequests): Judgement {
  const shown = find(runs);
  if (shown !== undefined) {
    const outcome = shown.isUnseen ? "not_reached" : shown.isExcused ? "unharmed" : "fooled";
    return { outcome, because: shown.because, evidence: shown.requests };
  }
  return conclude("unharmed", "The requests to a right server do not show this.", runs.flatMap(listLogins));
}

/** Judges what many more logins show. Some of them may have failed. */
export function judgeCounted(find: FindShown, usual: RightRequests, more: RightRequests): Judgement {
  const { length } = more.flatMap(listLogins);
  if (length >= fewestToCount) return judgeShown(find, [...usual, ...more]);
  return conclude("unknown", `Only ${length} of ${more.length} logins succeeded, too few to count.`, []);
}

function conclude(
  outcome: Judgement["outcome"],
  because: string,
  logins: readonly Login[],
): Judgement {
  return { outcome, because, evidence: logins.slice(0, mostShown).flatMap(({ requests }) => requests) };
}
