/** Finds the earlier exchanges that explain an exchange: where its values came from, and what ended them. */

import { sha256 } from "../../crypto/bytes.ts";
import type { RefusalHint, RelatedExchange, Relation } from "../../pages/inspector/exchange_props.ts";
import {
  type ExchangeParts,
  findHeader,
  findParameter,
  flowOf,
  readExchangeParts,
} from "./exchange_parts.ts";
import type { KeptEntry } from "./request_list.ts";

/** The values that the server issues, by the names of the parameters that carry them. */
const issuedNames: readonly string[] = [
  ...["code", "refresh_token", "token", "access_token", "request_uri", "id_token_hint", "device_code"],
];

/** The reasons that say that an earlier request ended a code, a token or a grant. */
const endedReasons =
  /^(code_revoked|code_grant_ended|refresh_revoked|refresh_grant_ended|token_ended|token_unknown|inactive_(revoked|grant|unknown|replaced))$/;

/** The reasons that say that a value was used before. */
const usedReasons = /(_replayed|_reused|_used|_revoked|_ended|already_\w+)$/;

const authenticationReasons = /^(secret_|method_not_registered|public_client_sent_secret|assertion_|basic_)/;

// A journal may have 10,000 entries, and a page is shown in a few milliseconds.
const mostSearched = 2_000;

/** `all` are the entries of the journal, in the order of their responses. */
export function findRelated(kept: KeptEntry, all: readonly KeptEntry[]): readonly RelatedExchange[] {
  const position = all.indexOf(kept);
  const earlier = all.slice(Math.max(0, position - mostSearched), Math.max(0, position));
  const parts = readExchangeParts(kept.entry);
  const reason = (kept.entry.facts.refusal ?? kept.entry.facts.advice)?.reason ?? "";
  const found: readonly (readonly [Relation, KeptEntry | undefined])[] = [
    ["verifier_of", findChallengeOf(parts, reason, earlier)],
    ["used_first", usedReasons.test(reason) ? findFirstUse(kept, parts, earlier) : undefined],
    ["ended", endedReasons.test(reason) ? findEnd(kept, earlier) : undefined],
    ["issued", findIssue(kept, parts, earlier)],
    ["authorization", findAuthorization(kept, earlier)],
    ["other_login", findOtherLogin(kept, earlier)],
    ["same_client", authenticationReasons.test(reason) ? findAuthenticated(kept, earlier) : undefined],
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
    ...{ relation, id, before: kept.entry.receivedAt - receivedAt },
    ...(turned === undefined ? {} : { turned }),
    ...(relation === "used_first" && kept.entry.receivedAt < receivedAt + duration ? { overlaps: true } : {}),
  };
}

// In seconds. Less is the inaccuracy of two clocks.
const leastTurn = 2;

/** Returns how many seconds the server's clock was turned between two exchanges. A clock that stands was not turned. */
export function findTurn(from: KeptEntry, to: KeptEntry): number | undefined {
  const turned = to.ahead - from.ahead;
  const stands = from.entry.receivedAt === to.entry.receivedAt;
  return stands || Math.abs(turned) < leastTurn ? undefined : Math.round(turned);
}

/** Returns the values of the request that the server may have issued. */
function listPresented({ entry: { request } }: KeptEntry, parts: ExchangeParts): readonly string[] {
  const named = issuedNames.map((name) => findParameter(parts, name));
  const bearer = /^(?:Bearer|DPoP) +(\S+)$/i.exec(findHeader(request, "authorization") ?? "")?.[1];
  return [...named, bearer].flatMap((value) => {
    // The end of the value, because other text may have the start percent-encoded.
    const tail = /[\w.~-]{12,}$/.exec(value ?? "")?.[0];
    return tail === undefined ? [] : [tail];
  });
}

function findIssue(
  kept: KeptEntry,
  parts: ExchangeParts,
  earlier: readonly KeptEntry[],
): KeptEntry | undefined {
  const presented = listPresented(kept, parts);
  if (presented.length === 0) return undefined;
  return earlier.findLast(({ entry: { response } }) => {
    const location = findHeader(response, "location") ?? "";
    return presented.some((value) => location.includes(value) || response.body?.includes(value));
  });
}

/** Finds the first request to the same endpoint with the same code or token. */
function findFirstUse(
  kept: KeptEntry,
  parts: ExchangeParts,
  earlier: readonly KeptEntry[],
): KeptEntry | undefined {
  const presented = listPresented(kept, parts);
  return earlier.find(({ endpoint, entry: { request } }) =>
    endpoint === kept.endpoint && presented.some((value) => request.body?.includes(value))
  );
}

/** Finds the earlier refusal that ended the code or the token of a refused exchange. */
export function findCause(kept: KeptEntry, all: readonly KeptEntry[]): KeptEntry | undefined {
  const { refusal, advice } = kept.entry.facts;
  if (!endedReasons.test((refusal ?? advice)?.reason ?? "")) return undefined;
  const end = findEnd(kept, all.slice(0, Math.max(0, all.indexOf(kept))));
  return end?.entry.facts.refusal === undefined ? undefined : end;
}

/** Returns what the journal knows about a refusal that the server does not say. */
export function listHints(kept: KeptEntry, all: readonly KeptEntry[]): readonly RefusalHint[] {
  const reason = kept.entry.facts.refusal?.reason;
  const earlier = all.slice(0, Math.max(0, all.indexOf(kept)));
  const parts = readExchangeParts(kept.entry);
  if (reason === "verifier_wrong") {
    return findChallengeOf(parts, reason, earlier) === undefined ? ["challenge_unknown"] : [];
  }
  if (reason !== "token_for_another_audience") return [];
  const issue = findIssue(kept, parts, earlier);
  return issue !== undefined && (issue.entry.facts.resource ?? []).length === 0 ? ["resource_missing"] : [];
}

const endingReasons: ReadonlySet<string> = new Set(["code_replayed", "refresh_reused", "user_denied"]);

/** Finds the last exchange of the flow, or the last sign-out, that ended the grant. */
function findEnd(kept: KeptEntry, earlier: readonly KeptEntry[]): KeptEntry | undefined {
  const flow = flowOf(kept);
  return earlier.findLast(({ endpoint, entry: { facts, response } }) =>
    flow !== undefined && facts.flow === flow &&
      (endingReasons.has(facts.refusal?.reason ?? "") || endpoint === "revoke" && response.status === 200) ||
    endpoint === "logout" && facts.refusal === undefined
  );
}

/** Finds the authorization request of the flow: the pushed one, or the one that the browser opened. */
export function findAuthorization(kept: KeptEntry, earlier: readonly KeptEntry[]): KeptEntry | undefined {
  const flow = flowOf(kept);
  if (flow === undefined || kept.endpoint === "par") return undefined;
  return earlier.find(({ endpoint, entry: { facts } }) =>
    facts.flow === flow && (endpoint === "par" || endpoint === "authorize")
  );
}

/** Finds the authorization request whose code_challenge is the hash of this verifier. */
function findChallengeOf(
  parts: ExchangeParts,
  reason: string,
  earlier: readonly KeptEntry[],
): KeptEntry | undefined {
  const verifier = findParameter(parts, "code_verifier");
  if (reason !== "verifier_wrong" || verifier === undefined) return undefined;
  const challenge = sha256(verifier);
  return earlier.findLast(({ endpoint, entry: { request } }) =>
    (endpoint === "par" || endpoint === "authorize") &&
    (request.query.includes(challenge) || request.body?.includes(challenge))
  );
}

/** Finds a login of the same client that began after this one, and may have overwritten what the client keeps. */
function findOtherLogin(kept: KeptEntry, earlier: readonly KeptEntry[]): KeptEntry | undefined {
  const { clientId, grantType } = kept.entry.facts;
  const flow = flowOf(kept);
  if (grantType !== "authorization_code" || flow === undefined || clientId === undefined) return undefined;
  const own = findAuthorization(kept, earlier);
  if (own === undefined) return undefined;
  return earlier.slice(earlier.indexOf(own) + 1).findLast(({ endpoint, entry: { facts } }) =>
    (endpoint === "par" || endpoint === "authorize") && facts.clientId === clientId && facts.flow !== flow
  );
}

/** Finds the last request for which the same client was authenticated. */
function findAuthenticated(kept: KeptEntry, earlier: readonly KeptEntry[]): KeptEntry | undefined {
  const { clientId } = kept.entry.facts;
  return earlier.findLast(({ entry: { facts, response } }) =>
    clientId !== undefined && facts.clientId === clientId && facts.clientAuth !== undefined &&
    facts.clientAuth !== "none" && response.status < 400
  );
}
