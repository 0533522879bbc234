/** Finds what other requests of the journal say about a refusal. */

import type { RefusalHint } from "../../timeline/exchange_props.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { findParameter, readExchangeParts } from "./exchange_parts.ts";
import type { Past } from "./journal_index.ts";
import { findAuthorization, findChallengeOf, findFirstUse, findIssue, findTurn } from "./relate.ts";
import type { KeptEntry } from "./request_list.ts";

export function listHints(kept: KeptEntry, past: Past): readonly RefusalHint[] {
  const { refusal, advice } = kept.entry.facts;
  const { reason = "", expected } = refusal ?? advice ?? {};
  const parts = readExchangeParts(kept.entry);
  switch (reason) {
    case "verifier_wrong":
      return findChallengeOf(parts, reason, past) === undefined ? [{ kind: "challenge_unknown" }] : [];
    case "token_for_another_audience":
      return findMissingResource(kept, expected, past);
    case "code_replayed":
    case "refresh_reused":
      return findSequence(kept, past);
    case "assertion_expired":
      return findClientClock(kept, past);
    default:
      return issuedExpiry.test(reason) ? findClockTurn(kept, past) : [];
  }
}

const issuedExpiry = /^(code|token|refresh|pushed_request|inactive)_expired$/;

// In seconds. A client that waited less was not slow.
const usualDelay = 60;

function findClockTurn(kept: KeptEntry, past: Past): readonly RefusalHint[] {
  const from = findIssue(kept, readExchangeParts(kept.entry), past) ?? findAuthorization(kept, past);
  const turned = from && findTurn(from, kept);
  if (turned === undefined || turned < 0) return [];
  const passed = Math.max(0, kept.entry.receivedAt - from!.entry.receivedAt - turned);
  return [{ kind: passed < usualDelay ? "clock_alone" : "clock_turned", times: [turned, passed] }];
}

function findMissingResource(
  kept: KeptEntry,
  expected: string | undefined,
  past: Past,
): readonly RefusalHint[] {
  const issue = findIssue(kept, readExchangeParts(kept.entry), past);
  if (issue === undefined || (issue.entry.facts.resource ?? []).length > 0) return [];
  const resource = /^aud (\S+)$/.exec(expected ?? "")?.[1];
  return resource === undefined || !URL.canParse(resource)
    ? [{ kind: "resource_missing" }]
    : [{ kind: "resource_to_add", text: resource }];
}

// In seconds. If an effect of the client runs twice, its two requests arrive within this time.
const mayOverlap = 0.1;

/** Finds out whether the first request with the same code or token was answered before this one arrived. */
function findSequence(kept: KeptEntry, past: Past): readonly RefusalHint[] {
  const first = findFirstUse(kept, readExchangeParts(kept.entry), past);
  if (first === undefined) return [];
  const passed = kept.entry.receivedAt - first.entry.receivedAt - first.entry.duration;
  const isRefresh = kept.entry.facts.refusal?.reason === "refresh_reused";
  // A clock that stands says nothing about the order.
  if (passed === 0) return [];
  if (passed < 0) return isRefresh ? [{ kind: "refresh_raced" }] : [];
  if (passed < mayOverlap) return [{ kind: "used_at_once" }];
  return [{ kind: isRefresh ? "refresh_kept" : "code_kept" }];
}

// In seconds. The clocks of time zones differ by quarters of an hour.
const zoneStep = 900;
const zoneInaccuracy = 5;

/** Finds out whether the client sent an old assertion again, or creates assertions by a wrong clock. */
function findClientClock(kept: KeptEntry, past: Past): readonly RefusalHint[] {
  const assertion = findParameter(readExchangeParts(kept.entry), "client_assertion") ?? "";
  const [, , signature = ""] = assertion.split(".");
  if (signature === "") return [];
  if (past.recent.some(({ entry }) => entry.request.body?.includes(signature))) {
    return [{ kind: "assertion_sent_before" }];
  }
  const iat = parseJwt(assertion)?.claims["iat"];
  // A server whose clock was turned says nothing about the clock of the client.
  if (typeof iat !== "number" || Math.abs(kept.ahead) >= zoneInaccuracy) return [];
  const behind = kept.entry.receivedAt - iat;
  const zone = Math.round(behind / zoneStep) * zoneStep;
  if (zone === 0 || Math.abs(behind - zone) > zoneInaccuracy) return [];
  return [{ kind: zone > 0 ? "assertion_behind" : "assertion_ahead", times: [zone] }];
}
