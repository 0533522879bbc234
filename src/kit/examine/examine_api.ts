/** Examines an API: sends it every faulty token, proof and certificate, and writes a card of what it refused. */

import types from "../../../static/other_terms.json" with { type: "json" };
import { catalogue } from "../faults/catalogue.ts";
import { chooseMisbehaviours } from "../faults/choose.ts";
import type { ForgeryName, MisbehaviourName } from "../faults/names.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { requireTerms } from "../mock/terms/known_options.ts";
import { requireFunction } from "../mock/terms/wrong_term.ts";
import type { ApiOutcome } from "./api_outcome.ts";
import { type ApiRequests, createApiRequests } from "./api_requests.ts";
import { describeRow } from "./card_row.ts";
import type { Card } from "./examine.ts";
import type { ExamineApiTerms } from "./examine_api_terms.ts";
import { loadsOf, publishesKeys, sendForgery } from "./send_forgery.ts";
import { sendCertificate, sendProofs } from "./send_proofs.ts";
import { sendSimilarSubjects } from "./send_similar_subjects.ts";

export type { ExamineApiTerms } from "./examine_api_terms.ts";

const doing = "examine an API";
/** A certificate may have more members than `certificate()` returns. */
const shownCertificate: Schema = {
  type: "object",
  required: ["thumbprint"],
  properties: { thumbprint: { type: "string" } },
};

/** The right token has to pass at first, and after every few rows: the refusals of an API that refuses it prove nothing. */
export async function examineApi(terms: ExamineApiTerms): Promise<Card> {
  requireTerms(doing, terms, types.ExamineApiTerms, { certificate: shownCertificate });
  requireFunction(doing, terms.call, "a function as call, which sends a token to the API");
  const { only, level: levels, dpop, certificate } = terms;
  if (dpop !== undefined && certificate !== undefined) {
    throw new TypeError(
      `Cannot ${doing} with both dpop and certificate, because a token is bound to one key: leave out one of them`,
    );
  }
  const names = chooseMisbehaviours({ only, levels }, `Cannot ${doing}`)
    .filter((name) => catalogue.get(name)!.api !== undefined);
  if (names.length === 0) throw new TypeError(`Cannot ${doing}: no chosen misbehaviour is about APIs`);
  // An API loads the keys once.
  const publishing = names.filter((name) => publishesKeys(name) && loadsOf(name) === 0)
    .map((name) => terms.as.misbehave(name, { probability: 0 }));
  try {
    const requests = createApiRequests(terms, doing);
    const refusal = await findRefusalNow(requests);
    if (refusal !== undefined) {
      throw new Error(
        `Cannot ${doing}, because it does not accept the right token: ${refusal}${adviceOn(refusal)}`,
      );
    }
    const found = await examineRows(names, requests);
    const rows = names.map((name) => describeRow(name, { requests: [], ...found.get(name)! }));
    return { phases: ["call_api"], rows };
  } finally {
    for (const each of publishing) each[Symbol.dispose]();
  }
}

/**
 * The rows for which the keys change come early, because an API may wait for a time before it loads them again. Before them comes
 * the token that only one published key must fit, and last the many tokens for which an API may load no keys.
 */
function rankOf(name: MisbehaviourName): number {
  if (name === "access_token.kid_missing") return 0;
  return catalogue.get(name)!.api?.times !== undefined ? 3 : loadsOf(name) > 0 ? 1 : 2;
}

/** A refusal counts if the API then accepts a token: after at most three rows, and at once after a row that can break it. */
async function examineRows(
  names: readonly MisbehaviourName[],
  requests: ApiRequests,
): Promise<ReadonlyMap<MisbehaviourName, ApiOutcome>> {
  const rows = new Map<MisbehaviourName, ApiOutcome>();
  let unproven: MisbehaviourName[] = [];

  /** Sends a right token. If the API refuses it, each refusal is tried again between two right tokens. */
  async function prove(): Promise<void> {
    const waiting = unproven;
    unproven = [];
    let refusal = waiting.length > 0 ? await findRefusalNow(requests) : undefined;
    if (refusal === undefined) return;
    const last = waiting.at(-1);
    for (const name of waiting) {
      const found = rows.get(name)!;
      // A later row may have broken the API.
      if (isFooled(name) && name !== last) continue;
      if (waiting.length > 1 && !isFooled(name)) refusal = await findRefusalNow(requests);
      if (refusal === undefined) await examineAlone(name);
      else rows.set(name, judgeBroken(name, found, refusal));
    }
  }

  function isFooled(name: MisbehaviourName): boolean {
    return rows.get(name)!.outcome === "fooled";
  }

  async function examineAlone(name: MisbehaviourName): Promise<void> {
    await examineNext(name);
    await prove();
  }

  async function examineNext(name: MisbehaviourName): Promise<void> {
    const found = await sendFault(name, requests);
    rows.set(name, found);
    const { outcome, requests: proving = [] } = found;
    if (outcome === "not_applicable" || outcome === "hung" || proving.length > 0) return;
    // The token of such a row is right.
    if (outcome === "tolerated" && !mayBreak(name)) unproven = [];
    else unproven.push(name);
    // What the API answers now says why it accepts the next tokens no more.
    if (isFooled(name) && !unproven.every(isFooled)) await prove();
  }

  for (const name of names.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (unproven.length === mostUnproven || mayBreak(name)) await prove();
    await (mayBreak(name) ? examineAlone(name) : examineNext(name));
  }
  await prove();
  return rows;
}

const mostUnproven = 3;

/** An API may fail, load keys too often, or keep old ones. */
function mayBreak(name: MisbehaviourName): boolean {
  const { mustNotFail, times } = catalogue.get(name)!.api!;
  return mustNotFail === true || times !== undefined || loadsOf(name) > 0;
}

function judgeBroken(name: MisbehaviourName, found: ApiOutcome, refusal: string): ApiOutcome {
  const because = `Afterwards the API does not accept the right token: ${refusal}`;
  // An API that accepted the faulty token was wrong then, however it answers now.
  if (found.outcome === "fooled") return { ...found, because: `${found.because} ${because}` };
  return { outcome: catalogue.get(name)!.api!.mustNotFail ? "broke" : "unknown", because };
}

async function sendFault(name: MisbehaviourName, requests: ApiRequests): Promise<ApiOutcome> {
  const entry = catalogue.get(name)!;
  if (entry.proofs !== undefined) return await sendProofs(name, entry, requests);
  if (entry.certificate !== undefined) return await sendCertificate(name, entry, requests);
  const send = entry.api!.isOfAnotherPerson ? sendSimilarSubjects : sendForgery;
  return await send(name as ForgeryName, entry, requests);
}

/** Sends a new right token. Returns a sentence if the API does not accept it. */
async function findRefusalNow({ mint, findRefusal }: ApiRequests): Promise<string | undefined> {
  return await findRefusal(await mint());
}

/** RFC 9470 §3. The tokens are minted, so that no person can sign in otherwise. */
function adviceOn(refusal: string): string {
  if (!refusal.includes("insufficient_user_authentication")) return "";
  return '. Give the claims that the API needs as claims (on the command line --claims), such as {"acr":"mfa"}';
}
