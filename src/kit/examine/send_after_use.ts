/** Sends an API a token that it accepts at first, and again after its end. */

import { pause } from "../../server/runtime/real_timer.ts";
import type { Misbehaviour } from "../faults/misbehaviour.ts";
import { type ApiOutcome, describeApiAnswer, leaveOut } from "./api_outcome.ts";
import type { ApiRequests } from "./api_requests.ts";

/** Finds the leeway of the API, and sends a token that it accepts at first, and that ends by this leeway. */
export async function sendAfterUse(entry: Misbehaviour, requests: ApiRequests): Promise<ApiOutcome> {
  const { as: { clock }, findRefusal } = requests;
  const { refused, accepted } = await findLeeway(requests);
  if (refused === undefined) return leaveOut(acceptsExpired);
  if (accepted === undefined) return { outcome: "unknown", because: endsTooSoon };
  // On a busy machine, time has gone by since the token that the API accepted.
  for (const margin of [1, 5]) {
    const end = Math.floor(clock.now) + accepted + margin;
    const token = await mintUntil(end, requests);
    if (await findRefusal(token) === undefined) {
      return await sendAgain(entry, token, { end, refused }, requests);
    }
  }
  return { outcome: "unknown", because: endsTooSoon };
}

/**
 * Finds two ends, in seconds from now: the API accepts a token with one of them, and refuses one that ends a second earlier.
 * `refused` is absent if it accepts all tokens, `accepted` if it refuses the first one, which lasts longest.
 */
async function findLeeway(
  requests: ApiRequests,
): Promise<{ readonly refused?: number | undefined; readonly accepted?: number | undefined }> {
  const isRefused = (end: number) => refusesUntil(Math.floor(requests.as.clock.now) + end, requests);
  let [refused, accepted]: readonly (number | undefined)[] = [];
  for (const end of likelyEnds) {
    if (await isRefused(end)) {
      refused = end;
      break;
    }
    accepted = end;
  }
  if (refused === undefined || accepted === undefined) return { refused, accepted };
  while (accepted - refused > 1) {
    const middle = Math.floor((refused + accepted) / 2);
    if (await isRefused(middle)) refused = middle;
    else accepted = middle;
  }
  return { refused, accepted };
}

/** Sends the token after its end. */
async function sendAgain(
  entry: Misbehaviour,
  token: string,
  { end, refused }: { readonly end: number; readonly refused: number },
  requests: ApiRequests,
): Promise<ApiOutcome> {
  const { clock } = requests.as;
  const before = clock.now;
  const isFrozen = clock.frozen;
  try {
    // The token that was refused before may have come late, so that its leeway is longer.
    for (const seconds of [end - refused - before, ...longer]) {
      if (isFrozen) clock.advance(seconds);
      else await pause(seconds);
      // Another token with this end shows that the time has come for the API, too.
      if (await refusesUntil(end, requests)) {
        return describeApiAnswer(entry, await requests.sendRightly(token));
      }
    }
    return { outcome: "unknown", because: anotherClock };
  } finally {
    if (isFrozen) clock.set(before);
  }
}

/** A right token apart from its end. Two with the same end differ in their `jti` only. */
function mintUntil(end: number, { mint }: ApiRequests): Promise<string> {
  return mint({ iat: end - hour, exp: end });
}

/** An API that fails or is late has not refused. */
async function refusesUntil(end: number, requests: ApiRequests): Promise<boolean> {
  return (await requests.judgeRight(await mintUntil(end, requests))).outcome === "broke";
}

// In seconds. An API with a greater leeway is judged by the row about expired tokens.
const hour = 3600;
// Between these are the leeways of most APIs: none, or up to ten seconds, a minute or five minutes.
const likelyEnds: readonly number[] = [60, 1, -10, -60, -300, -hour];
const longer: readonly number[] = [1, 2, 4];

const acceptsExpired =
  "The API accepts a token that expired an hour ago, so nothing shows when a token ends for it.";

const endsTooSoon = "The API does not accept a token that is about to expire.";

const anotherClock = "The clock of the API is another one, so the token did not expire for it.";
