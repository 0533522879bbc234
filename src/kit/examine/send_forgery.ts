/** Sends an API each variant of a faulty token, and judges its answers. */

import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { present } from "../../ground/values/present.ts";
import { catalogue } from "../faults/catalogue.ts";
import { keptKeys } from "../faults/judge.ts";
import { loadedOften } from "../faults/mends.ts";
import type { Misbehaviour } from "../faults/misbehaviour.ts";
import type { ForgeryName, MisbehaviourName } from "../faults/names.ts";
import {
  type ApiOutcome,
  describeApiAnswer,
  describeForgery,
  errorsOf,
  leaveOut,
  needsJwt,
  type Sent,
} from "./api_outcome.ts";
import type { ApiRequests } from "./api_requests.ts";
import { runVariants } from "./run_variants.ts";
import { sendAfterUse } from "./send_after_use.ts";

/** Whether the server publishes the key of the faulty token, besides its own. */
export function publishesKeys(name: MisbehaviourName): boolean {
  return catalogue.get(name)!.prepares?.includes("key_set") === true;
}

/** How often the API has to load the keys during the row, because they change. */
export function loadsOf(name: MisbehaviourName): number {
  return catalogue.get(name)!.api?.loads ?? 0;
}

export async function sendForgery(
  name: ForgeryName,
  entry: Misbehaviour,
  requests: ApiRequests,
): Promise<ApiOutcome> {
  const { as } = requests;
  const { opaque, claim, endsAfterUse, isForIssuer, namesOtherServer } = entry.api!;
  if (!opaque && !isJwt(await requests.readSample())) return leaveOut(needsJwt);
  if (isForIssuer && await isOwnName(as.issuer, requests)) return leaveOut(namedAsIssuer);
  if (endsAfterUse) return await sendAfterUse(entry, requests);
  if (claim !== undefined && requests.claims?.[claim] === undefined) return leaveOut(needsNo(claim));
  const { length: loadsBefore } = as.requests.jwks;
  const earlier = await sendEarlier(name, entry, requests);
  if (earlier !== undefined) return earlier;
  const changing = loadsOf(name) === 0 ? undefined : as.misbehave(name, { probability: 0 });
  let asksOtherIssuer = false;
  try {
    const judged = await runVariants(name, async (variant): Promise<ApiOutcome> => {
      const forgery = await as.forge(name, { ...requests.tokenOptions, ...present({ variant }) });
      for (const token of forgery.first) await requests.sendRightly(token);
      const sent = await requests.sendRightly(forgery.token);
      asksOtherIssuer ||= forgery.issuerRequests.length > 0;
      const answered = describeForgery(entry, sent, forgery.requests);
      const loads = as.requests.jwks.length - loadsBefore;
      return judgeManyLoads(entry, answered, loads) ??
        await judgeLength(entry, answered, { sent, length: forgery.token.length }, requests) ??
        judgeKeys(name, answered, loads, requests);
    });
    const hasOneIssuer = namesOtherServer && !asksOtherIssuer;
    return hasOneIssuer && judged.outcome === "noticed" ? leaveOut(oneIssuer) : judged;
  } finally {
    changing?.[Symbol.dispose]();
  }
}

/** Sends the tokens before the last one. Returns the outcome of the first one that the API does not refuse. */
async function sendEarlier(
  name: ForgeryName,
  entry: Misbehaviour,
  { as, tokenOptions, sendRightly }: ApiRequests,
): Promise<ApiOutcome | undefined> {
  const { times = 1 } = entry.api!;
  for (let sent = 1; sent < times; sent++) {
    const { token } = await as.forge(name, tokenOptions);
    const earlier = describeApiAnswer(entry, await sendRightly(token));
    if (earlier.outcome !== "noticed") return earlier;
  }
  return undefined;
}

function judgeManyLoads(
  { api }: Misbehaviour,
  { outcome }: ApiOutcome,
  loads: number,
): ApiOutcome | undefined {
  const { times = 1 } = api!;
  if (times === 1 || outcome !== "noticed" || loads <= mostLoads) return undefined;
  return { outcome: "fooled", because: `${loadedOften}${loads} times for ${times} tokens.` };
}

async function judgeLength(
  { api }: Misbehaviour,
  { outcome }: ApiOutcome,
  { sent, length }: { readonly sent: Sent; readonly length: number },
  requests: ApiRequests,
): Promise<ApiOutcome | undefined> {
  const mayBeTooLong = api!.mayBeTooLong && outcome !== "fooled" && !namesError(sent);
  if (!mayBeTooLong || await acceptsLength(length, requests)) return undefined;
  return { outcome: "not_reached", because: tooLong };
}

/** An API that has not loaded the key of the token, or has old keys, shows nothing by its refusal. */
function judgeKeys(
  name: ForgeryName,
  judged: ApiOutcome,
  loads: number,
  { as }: ApiRequests,
): ApiOutcome {
  const { outcome } = judged;
  const needed = loadsOf(name);
  // An API that answered too late is examined again, so it may have loaded the keys before.
  const hasLoadedKey = as.requests.jwks.some(({ altered = [] }) => altered.some(({ by }) => by === name));
  const isBlind = publishesKeys(name) && !hasLoadedKey;
  // An API that accepts a token without its key has verified nothing, and one with the key may keep it for a time.
  const isOfOldKeys = outcome === "noticed" || outcome === "broke" ||
    outcome === "fooled" && needed > 1 && !isBlind;
  if (loads < needed && isOfOldKeys) return { outcome: "unknown", because: `The API ${keptKeys}` };
  return needed === 0 && isBlind && outcome === "noticed"
    ? { outcome: "unknown", because: unseenKey }
    : judged;
}

async function isOwnName(audience: string, { readSample }: ApiRequests): Promise<boolean> {
  return [parseJwt(await readSample())?.claims["aud"]].flat().includes(audience);
}

/** Whether the API accepts a right token of this length, which a claim fills. */
async function acceptsLength(length: number, { mint, findRefusal }: ApiRequests): Promise<boolean> {
  const mintPadded = (padding: string) => mint({ "https://as.test/padding": padding });
  const { length: least } = await mintPadded("");
  // Four characters of a JWT are three octets.
  const token = await mintPadded("x".repeat(Math.floor((length - least) * 3 / 4)));
  return await findRefusal(token) === undefined;
}

/** An HTTP server that takes no such header writes no error code for a token, so the API itself has refused. */
function namesError(sent: Sent): boolean {
  return "response" in sent && errorsOf(sent.response).length > 0;
}

function isJwt(token: string): boolean {
  return token.split(".").length === 3;
}

// A key may be new, so a few loads are right.
const mostLoads = 5;

const needsNo = (claim: string): string =>
  `The API is examined without ${claim} among the claims that it needs.`;

const namedAsIssuer = "The API is examined with the issuer as its aud, so the issuer is its name.";

const unseenKey = "The API has not loaded the key of this token, which the server publishes.";

const oneIssuer = "The API loads the keys of one issuer only, so it cannot mix them up.";

const tooLong = "The API, or its HTTP server, accepts no token of this length, not even a right one.";
