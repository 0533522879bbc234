/** Checks the audience and the times of a JWT that a client has signed: an assertion or a request object. */

import { isNumericDate } from "../../../../ground/crypto/jwt.ts";
import { formatDuration } from "../../../../ground/schema/duration.ts";
import { clockSkew } from "../../options/clock_skew.ts";
import type { Claims } from "../../../../ground/values/members.ts";
import type { Services } from "../../contracts/feature.ts";

interface ClaimProblem {
  readonly expected: string;
  readonly received?: string;
}

/**
 * Requires one accepted audience and no other, because a JWT for several servers may be meant for another one (RFC 10070
 * §4). `string`: not in a list. `listed`: the list may have others, too.
 */
export function findAudienceProblem(
  { aud }: Claims,
  accepted: readonly string[],
  form: "only" | "string" | "listed" = "only",
): ClaimProblem | undefined {
  const listed: readonly unknown[] = !Array.isArray(aud) ? [aud] : form === "string" ? [] : aud;
  const isRight = listed.some((each) => typeof each === "string" && accepted.includes(each));
  if (isRight && (listed.length === 1 || form === "listed")) return undefined;
  const expected = accepted.join(" or ");
  return {
    expected: form === "string" ? `${expected}, as a string` : expected,
    received: JSON.stringify(aud) ?? "no aud",
  };
}

// In seconds. A stolen JWT that is valid for days would be as dangerous as a stolen secret.
const longestLifetime = 3600;

interface TimeProblem extends ClaimProblem {
  /** The end of a sentence about the JWT, for example `has expired`. */
  readonly state: string;
}

/** Checks that the JWT is valid now. It must have `exp`. */
export function findTimeProblem({ exp, nbf, iat }: Claims, { now }: Services): TimeProblem | undefined {
  const time = now();
  const times = Object.entries({ exp, nbf, iat });
  const wrong = times.find(([name, claim]) =>
    !isNumericDate(claim) && (claim !== undefined || name === "exp")
  );
  if (wrong !== undefined) {
    const [name, claim] = wrong;
    const received = claim === undefined ? `no ${name}` : `${name} ${JSON.stringify(claim)}`;
    return {
      state: `has no valid ${name}`,
      expected: `${name} in seconds since 1970, before the year 10000`,
      received,
    };
  }
  const isExpired = (exp as number) <= time - clockSkew;
  const isEarly = [nbf, iat].some((claim) => isNumericDate(claim) && claim > time + clockSkew);
  if (!isExpired && !isEarly) return undefined;
  return {
    state: isExpired ? "has expired" : "is not valid yet",
    expected: (isExpired ? `exp after ${Math.floor(time)}` : `no nbf and no iat after ${Math.floor(time)}`) +
      ", which is now at the server; otherwise the clock of the client or of the server is wrong",
    received: times.flatMap(([name, claim]) => isNumericDate(claim) ? [describeTime(name, claim, time)] : [])
      .join(", "),
  };
}

/** Returns text such as "exp 1800000000, 2 min ago". */
function describeTime(name: string, time: number, now: number): string {
  const length = formatDuration(time - now);
  return `${name} ${time}, ${time > now ? `in ${length}` : `${length} ago`}`;
}

export function findLifetimeProblem(
  { exp }: Claims,
  { now }: Services,
  longest: number = longestLifetime,
): ClaimProblem | undefined {
  return (exp as number) <= now() + longest + clockSkew
    ? undefined
    : { expected: `at most ${longest} seconds` };
}

/** Checks that the JWT says when it begins and ends, and that it is valid for an hour at most. */
export function findBoundProblem({ exp, nbf }: Claims, { now }: Services): ClaimProblem | undefined {
  if (!isNumericDate(exp) || !isNumericDate(nbf)) {
    return { expected: "exp and nbf", received: isNumericDate(exp) ? "no nbf" : "no exp" };
  }
  if (nbf < now() - longestLifetime - clockSkew) {
    return {
      expected: `nbf at most ${longestLifetime} seconds ago`,
      received: describeTime("nbf", nbf, now()),
    };
  }
  return exp <= nbf + longestLifetime
    ? undefined
    : { expected: `exp at most ${longestLifetime} seconds after nbf`, received: `${exp - nbf} seconds` };
}
