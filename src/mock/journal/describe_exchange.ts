/** Describes exchanges for pages and files: a line for a list, or everything about one exchange. */

import { sha256 } from "../../crypto/bytes.ts";
import type { Advice, JournalEntry, Refusal } from "../../oauth/journal.ts";
import type {
  ExchangeLine,
  PkceSum,
  ShownExchange,
  ShownRefusal,
} from "../../pages/inspector/exchange_props.ts";
import { checkAsClient, type CheckTerms } from "./check_as_client.ts";
import { copyRequest } from "./copy_request.ts";
import { explainState } from "./find_sent.ts";
import { listRemarks } from "./list_remarks.ts";
import { describeRequestMessage, describeResponseMessage } from "./describe_message.ts";
import { isFromBrowser } from "./describe_request.ts";
import { findParameter, findRedirected, flowOf, readExchangeParts } from "./exchange_parts.ts";
import { describeUnexplained, readReceived } from "./explain.ts";
import { describeFault, type RecordedRequest } from "./recorded_request.ts";
import { findAuthorization, findCause, findRelated, findTurn } from "./relate.ts";
import type { JournalIndex, Past } from "./journal_index.ts";
import { listHints } from "./refusal_hints.ts";
import type { KeptEntry } from "./request_list.ts";
import { parseJwt } from "../../crypto/jwt_parts.ts";
import { showValue } from "./show_value.ts";
import { listTags } from "./tags.ts";
import { present } from "../../present.ts";

export interface ExchangeTerms extends CheckTerms {
  readonly journal: JournalIndex;
}

/** Describes an exchange in short. `before` is the exchange before it in the same lane. */
export function describeLine(
  kept: KeptEntry,
  before: KeptEntry | undefined,
  terms: ExchangeTerms,
): ExchangeLine {
  const { journal } = terms;
  const { follows, ...line } = journal.remember(kept, () => describeAlone(kept, terms));
  const turned = before && findTurn(before, kept);
  return {
    ...line,
    ...(before === undefined ? {} : { since: kept.entry.receivedAt - before.entry.receivedAt }),
    ...present({ turned }),
    // The journal may have removed the cause.
    ...(follows === undefined || journal.find(follows) === undefined ? {} : { follows }),
  };
}

/** Describes what does not depend on the exchange before it. */
function describeAlone(kept: KeptEntry, terms: ExchangeTerms): ExchangeLine {
  const request = kept.read();
  const { entry: { facts, receivedAt } } = kept;
  const refusal = findShownRefusal(kept.entry, request);
  const past = terms.journal.pastOf(kept);
  const comparisons = checkAsClient(kept, past, terms);
  const { clientId, advice, altered = [], grantType, person } = request;
  return {
    id: request.id,
    endpoint: kept.endpoint,
    ...present({ grantType }),
    method: request.method,
    target: request.api ?? request.path,
    sender: { kind: isFromBrowser(request) ? "browser" : "client", ...present({ client: clientId }) },
    ...present({ person }),
    at: receivedAt,
    duration: Math.max(0, request.duration),
    ...(Math.abs(kept.ahead) < leastAhead ? {} : { clockAhead: Math.round(kept.ahead) }),
    ...present({ status: request.status }),
    outcome: request.outcome,
    ...(request.lost ? { isLost: true } : {}),
    ...present({ refusal }),
    ...(advice === undefined ? {} : { advice: showRefusal(advice) }),
    hints: listHints(kept, past),
    altered,
    failedChecks: comparisons.filter(({ isMet }) => isMet === false).map(({ name }) => name),
    remarks: listRemarks({ comparisons, altered, isClockTurned: Math.abs(kept.ahead) >= leastAhead }),
    ...describeResult(kept),
    ...describeCause(kept, past),
    tags: listTags({ facts, altered }),
  };
}

/** Returns what the browser gets from an endpoint for people. */
function describeResult(kept: KeptEntry): Pick<ExchangeLine, "result"> {
  const { entry: { facts, response: { status } } } = kept;
  if (!isFromBrowser(kept.read()) || status < 200 || status >= 400) return {};
  if (status < 300) return { result: facts.question ?? "page" };
  const parts = readExchangeParts(kept.entry);
  if (findRedirected(parts, "code") !== undefined) return { result: "code" };
  return { result: findRedirected(parts, "error") === undefined ? "next" : "error" };
}

/** Returns the earlier refusal that ended the code or the token of this exchange. */
function describeCause(kept: KeptEntry, past: Past): Pick<ExchangeLine, "follows"> {
  const cause = findCause(kept, past);
  return cause === undefined ? {} : { follows: cause.entry.id };
}

/** Describes everything about an exchange. */
export function describeExchange(kept: KeptEntry, terms: ExchangeTerms): ShownExchange {
  const request = kept.read();
  const parts = readExchangeParts(kept.entry);
  const described = { entry: kept.entry, endpoint: kept.endpoint, parts };
  const past = terms.journal.pastOf(kept);
  const pkce = sumPkce(kept, past, terms);
  const { clientAuth, provenKey, fault, trace } = request;
  const flow = flowOf(kept);
  return {
    ...describeLine(kept, past.flow.at(-1), terms),
    ...present({ flow, trace, clientAuth }),
    scope: request.scope ?? [],
    resource: request.resource ?? [],
    arrivedBy: request.arrivedBy ?? [],
    ...present({ provenKey }),
    rpc: request.rpc ?? [],
    ...(fault === undefined ? {} : { fault: describeFault(fault) }),
    notified: Object.entries(request.backChannelLogout ?? {}).map(([client, result]) => ({ client, result })),
    related: findRelated(kept, past),
    ...present({ pkce }),
    checks: checkAsClient(kept, past, terms),
    request: describeRequestMessage(described, terms),
    response: describeResponseMessage(described, terms, explainState(kept, past)),
    showsSecrets: terms.secrets,
    copies: copyRequest(described, request.api, terms),
  };
}

// In seconds. Less is the inaccuracy of two clocks.
const leastAhead = 2;

/** Returns the refusal of the server, or one that says that a hook or a misbehaviour made the error. */
function findShownRefusal(
  { response }: JournalEntry,
  { refusal, altered = [] }: RecordedRequest,
): ShownRefusal | undefined {
  if (refusal !== undefined) return showRefusal(refusal);
  if (response.status < 400 || altered.length === 0) return undefined;
  return showRefusal(
    describeUnexplained(readReceived({ status: response.status, body: response.body ?? "" }), altered),
  );
}

function showRefusal(found: Refusal | Advice): ShownRefusal {
  const { spec, ...others } = found;
  return { ...others, ...present({ rule: spec }) };
}

/** Returns the challenge and the verifier of the flow, as far as this exchange or its authorization request has them. */
function sumPkce(kept: KeptEntry, past: Past, terms: ExchangeTerms): PkceSum | undefined {
  const own = readExchangeParts(kept.entry);
  const verifier = findParameter(own, "code_verifier");
  const opened = findAuthorization(kept, past);
  const source = verifier === undefined ? kept : opened;
  const challenge = source && findChallenge(source);
  if (verifier === undefined && challenge === undefined) return undefined;
  return {
    ...(verifier === undefined ? {} : {
      verifier: showValue(verifier, "secret", terms),
      hash: sha256(verifier),
    }),
    ...present({ challenge }),
    ...(opened === undefined || verifier === undefined ? {} : { challengeId: opened.entry.id }),
  };
}

function findChallenge({ entry }: KeptEntry): string | undefined {
  const parts = readExchangeParts(entry);
  const claims = parseJwt(findParameter(parts, "request") ?? "")?.claims;
  const value = claims?.["code_challenge"] ?? findParameter(parts, "code_challenge");
  return typeof value === "string" ? value.slice(0, longestChallenge) : undefined;
}

// A valid challenge has 43 characters.
const longestChallenge = 200;
