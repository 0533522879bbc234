/** Checks the audience and the times of a JWT that a client has signed: an assertion or a request object. */

import { isNumericDate } from "../../crypto/jwt.ts";
import type { Claims } from "../members.ts";
import type { Services } from "../services.ts";

/** A rule that the claims break. */
export interface ClaimProblem {
  readonly expected: string;
  readonly received?: string;
}

/** Requires one of the audiences, and no other: a JWT for several servers may be meant for another one (RFC 10070 §4). */
export function findAudienceProblem({ aud }: Claims, accepted: readonly string[]): ClaimProblem | undefined {
  const audience = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (typeof audience === "string" && accepted.includes(audience)) return undefined;
  return { expected: accepted.join(" or "), received: JSON.stringify(aud) ?? "no aud" };
}

// In seconds. A stolen JWT that is valid for days would be as dangerous as a stolen secret.
const longestLifetime = 3600;

/** The seconds that the clocks of the client and the server may differ. */
export const clientSkew = 60;

/** Checks that the JWT is valid now. It must have `exp`. */
export function findTimeProblem({ exp, nbf, iat }: Claims, { now }: Services): ClaimProblem | undefined {
  const isEarly = [nbf, iat].some((time) =>
    time !== undefined && (!isNumericDate(time) || time > now() + clientSkew)
  );
  if (isNumericDate(exp) && exp > now() - clientSkew && !isEarly) return undefined;
  const times = Object.entries({ exp, nbf, iat }).filter(([, time]) => time !== undefined);
  return {
    expected: `exp after ${Math.floor(now())}, and no nbf or iat in the future`,
    received: times.map(([name, time]) => describeTime(name, time, now())).join(", ") || "no exp",
  };
}

/** Returns text such as "exp 1800000000, 120 seconds ago". */
function describeTime(name: string, time: unknown, now: number): string {
  if (!isNumericDate(time)) return `${name} ${JSON.stringify(time)}`;
  const later = Math.round(time - now);
  return `${name} ${time}, ${later > 0 ? `in ${later} seconds` : `${-later} seconds ago`}`;
}

/** Checks that the JWT is not valid for too long. */
export function findLifetimeProblem({ exp }: Claims, { now }: Services): ClaimProblem | undefined {
  return (exp as number) <= now() + longestLifetime + clientSkew
    ? undefined
    : { expected: `at most ${longestLifetime} seconds` };
}
