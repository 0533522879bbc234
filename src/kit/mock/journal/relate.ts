/** Finds the earlier exchanges that explain an exchange: where its values came from, and what ended them. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import { findHeader } from "../../../server/oauth/contracts/journal.ts";
import type { RelatedExchange, Relation } from "../../timeline/exchange_props.ts";
import { type ExchangeParts, findParameter, flowOf, readExchangeParts } from "./exchange_parts.ts";
import type { Past } from "./journal_index.ts";
import type { KeptEntry } from "./request_list.ts";
import { present } from "../../../ground/values/present.ts";

/** The values that the server issues, by the names of the parameters that carry them. */
const issuedNames: readonly string[] = [
  ...["code", "refresh_token", "token", "access_token", "request_uri", "id_token_hint", "device_code"],
  ...["subject_token", "actor_token", "assertion"],
];

const endedReasons =
  /^(code_revoked|code_grant_ended|refresh_revoked|refresh_grant_ended|token_ended|token_unknown|exchanged_ended|inactive_(revoked|grant|unknown|replaced))$/;

const usedReasons = /_(replayed|reused|used|revoked|ended)$|already_/;

const authenticationReasons = /^(secret_|method_not_registered|public_client_sent_secret|assertion_|basic_)/;

export function findRelated(kept: KeptEntry, past: Past): readonly RelatedExchange[] {
  const parts = readExchangeParts(kept.entry);
  const reason = (kept.entry.facts.refusal ?? kept.entry.facts.advice)?.reason ?? "";
  // The login says nothing about wrong credentials of its client.
  const found: readonly (readonly [Relation, KeptEntry | undefined])[] = authenticationReasons.test(reason)
    ? [["same_client", findAuthenticated(kept, past)]]
    : [
      ["verifier_of", findChallengeOf(parts, reason, past)],
      ["used_first", usedReasons.test(reason) ? findFirstUse(kept, parts, past) : undefined],
      ["ended", endedReasons.test(reason) ? findEnd(kept, past.recent) : undefined],
      ["issued", findIssue(kept, parts, past)],
      ["step_up_of", findStepUp(kept, parts, past)],
      ["authorization", findAuthorization(kept, past)],
      ["other_login", findOtherLogin(kept, past)],
    ];
  const seen = new Set<string>();
  return found.flatMap(([relation, other]) => {
    if (other === undefined || seen.has(other.entry.id)) return [];
    seen.add(other.entry.id);
    return [relate(relation, other, kept)];
  });
}

function relate(relation: Relation, other: KeptEntry, kept: KeptEntry): RelatedExchange {
  const { id, receivedAt, duration } = other.entry;
  const turned = findTurn(other, kept);
  return {
    relation,
    id,
    before: kept.entry.receivedAt - receivedAt,
    ...present({
      turned,
      overlaps: relation === "used_first" && kept.entry.receivedAt < receivedAt + duration ? true : undefined,
    }),
  };
}

// In seconds. Less is the inaccuracy of two clocks.
const leastTurn = 2;

/** Returns seconds. A clock that stands was not turned. */
export function findTurn(from: KeptEntry, to: KeptEntry): number | undefined {
  const turned = to.ahead - from.ahead;
  const stands = from.entry.receivedAt === to.entry.receivedAt;
  return stands || Math.abs(turned) < leastTurn ? undefined : Math.round(turned);
}

function listPresented({ entry: { request } }: KeptEntry, parts: ExchangeParts): readonly string[] {
  const named = issuedNames.map((name) => findParameter(parts, name));
  const bearer = /^(?:Bearer|DPoP) +(\S+)$/i.exec(findHeader(request, "authorization") ?? "")?.[1];
  return [...named, bearer].flatMap((value) => {
    // The end of the value, because other text may have the start percent-encoded.
    const tail = (value ?? "").replace(/^.*[^\w.~-]/s, "");
    return tail.length < 12 ? [] : [tail];
  });
}

export function findIssue(kept: KeptEntry, parts: ExchangeParts, past: Past): KeptEntry | undefined {
  const presented = listPresented(kept, parts);
  if (presented.length === 0) return undefined;
  const hasIssued = ({ entry: { response } }: KeptEntry) => {
    const location = findHeader(response, "location") ?? "";
    return presented.some((value) => location.includes(value) || response.body?.includes(value));
  };
  return past.flow.findLast(hasIssued) ?? past.recent.findLast(hasIssued);
}

/** Finds the first request to the same endpoint with the same code or token. */
export function findFirstUse(kept: KeptEntry, parts: ExchangeParts, past: Past): KeptEntry | undefined {
  const presented = listPresented(kept, parts);
  const hasUsed = ({ endpoint, entry: { request } }: KeptEntry) =>
    endpoint === kept.endpoint && presented.some((value) => request.body?.includes(value));
  return past.flow.find(hasUsed) ?? past.recent.find(hasUsed);
}

export function findCause(kept: KeptEntry, past: Past): KeptEntry | undefined {
  const { refusal, advice } = kept.entry.facts;
  if (!endedReasons.test((refusal ?? advice)?.reason ?? "")) return undefined;
  const end = findEnd(kept, past.flow);
  return end?.entry.facts.refusal === undefined ? undefined : end;
}

/** The reason of an entry about a login or a sign-in that a person has ended on a page of the dashboard. */
export const endedByHand = "ended_by_hand";

const endingReasons: ReadonlySet<string> = new Set(["code_replayed", "refresh_reused", "user_denied"]);

/** Two facts may be the same if one of them is not known. */
function isSame(left: string | undefined, right: string | undefined): boolean {
  return left === undefined || right === undefined || left === right;
}

/** Finds the last exchange of the flow, or the last sign-out, that ended the grant. */
function findEnd(kept: KeptEntry, earlier: readonly KeptEntry[]): KeptEntry | undefined {
  const flow = flowOf(kept);
  return earlier.findLast(({ endpoint, entry: { facts, response } }) =>
    flow !== undefined && facts.flow === flow &&
      (endingReasons.has(facts.refusal?.reason ?? "") || endpoint === "revoke" && response.status === 200) ||
    endpoint === "logout" && facts.refusal === undefined ||
    facts.advice?.reason === endedByHand && (facts.flow ?? flow) === flow &&
      isSame(facts.clientId, kept.entry.facts.clientId) && isSame(facts.subject, kept.entry.facts.subject)
  );
}

/** Finds the authorization request of the flow: the pushed one, or the one that the browser opened. */
export function findAuthorization(kept: KeptEntry, { flow }: Pick<Past, "flow">): KeptEntry | undefined {
  if (kept.endpoint === "par") return undefined;
  return flow.find(isAuthorization);
}

export function isAuthorization({ endpoint }: KeptEntry): boolean {
  return endpoint === "par" || endpoint === "authorize";
}

/** Finds the challenge of an API that the login answers: the last call of the client, which wanted this sign-in (RFC 9470 §4). */
function findStepUp(kept: KeptEntry, parts: ExchangeParts, { recent }: Past): KeptEntry | undefined {
  const { clientId } = kept.entry.facts;
  const asked = ["acr_values", "max_age"].flatMap((name) =>
    findParameter(parts, name)?.split(" ").map((value) => [name, value] as const) ?? []
  );
  if (asked.length === 0 || clientId === undefined) return undefined;
  const called = recent.findLast(({ endpoint, entry: { facts } }) =>
    endpoint === "resource" && facts.clientId === clientId
  );
  if (called?.entry.facts.refusal?.error !== "insufficient_user_authentication") return undefined;
  const challenge = findHeader(called.entry.response, "www-authenticate") ?? "";
  const wanted = (name: string) => challenge.split(` ${name}="`)[1]?.split('"')[0]?.split(" ");
  return asked.some(([name, value]) => wanted(name)?.includes(value)) ? called : undefined;
}

export function findChallengeOf(parts: ExchangeParts, reason: string, past: Past): KeptEntry | undefined {
  const verifier = findParameter(parts, "code_verifier");
  if (reason !== "verifier_wrong" || verifier === undefined) return undefined;
  return past.findChallenge(sha256(verifier));
}

/** Finds a login of the same client that began after this one, and may have overwritten what the client keeps. */
function findOtherLogin(kept: KeptEntry, past: Past): KeptEntry | undefined {
  const { clientId, grantType } = kept.entry.facts;
  const flow = flowOf(kept);
  if (grantType !== "authorization_code" || flow === undefined || clientId === undefined) return undefined;
  const own = findAuthorization(kept, past);
  if (own === undefined) return undefined;
  const { recent } = past;
  return recent.slice(recent.indexOf(own) + 1).findLast((each) =>
    isAuthorization(each) && each.entry.facts.clientId === clientId && each.entry.facts.flow !== flow
  );
}

function findAuthenticated(kept: KeptEntry, { recent }: Past): KeptEntry | undefined {
  const { clientId } = kept.entry.facts;
  return recent.findLast(({ entry: { facts, response } }) =>
    clientId !== undefined && facts.clientId === clientId && facts.clientAuth !== undefined &&
    facts.clientAuth !== "none" && response.status < 400
  );
}
