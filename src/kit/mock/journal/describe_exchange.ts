/** Describes exchanges for pages and files: a line for a list, or everything about one exchange. */

import { sha256 } from "../../../ground/crypto/platform.ts";
import type { Alteration } from "../../../server/oauth/contracts/journal.ts";
import { redactText, redactTexts } from "../../../server/oauth/secrets/redaction.ts";
import type {
  CheckName,
  ExchangeLine,
  FactorReason,
  PkceSum,
  Remark,
  ShownExchange,
} from "../../timeline/exchange_props.ts";
import { checkAsClient, type Comparison, type ComparisonOptions, explainState } from "./check_as_client.ts";
import { copyRequest } from "./copy_request.ts";
import { timeNames } from "../../../server/pages/token/token_props.ts";
import { describeRequestMessage, describeResponseMessage } from "./describe_message.ts";
import { isFromBrowser } from "./describe_request.ts";
import { findParameter, findRedirected, readExchangeParts } from "./exchange_parts.ts";
import { findRefusal } from "./explain.ts";
import { describeFault } from "./recorded_request.ts";
import { findAuthorization, findCause, findRelated, findTurn } from "./relate.ts";
import type { JournalIndex, Past } from "./journal_index.ts";
import { listHints } from "./refusal_hints.ts";
import type { KeptEntry } from "./request_list.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { showValue } from "./show_value.ts";
import { listTags } from "./tags.ts";
import { present } from "../../../ground/values/present.ts";
import { catalogue } from "../../faults/catalogue.ts";
import { describeAction, isTolerance, levels, type Misbehaviour } from "../../faults/misbehaviour.ts";

export interface ExchangeOptions extends ComparisonOptions {
  readonly journal: JournalIndex;
}

/** `before` is the exchange before it in the same group. */
export function describeLine(
  kept: KeptEntry,
  before: KeptEntry | undefined,
  options: ExchangeOptions,
): ExchangeLine {
  const { journal } = options;
  const { follows, ...line } = journal.remember(kept, () => describeAlone(kept, options));
  const turned = before && findTurn(before, kept);
  return {
    ...line,
    ...present({
      since: before && kept.entry.receivedAt - before.entry.receivedAt,
      turned,
      // The journal may have removed the cause.
      follows: follows === undefined || journal.find(follows) === undefined ? undefined : follows,
    }),
  };
}

/** Describes what does not depend on the exchange before it. */
function describeAlone(kept: KeptEntry, options: ExchangeOptions): ExchangeLine {
  const request = kept.read();
  const { entry: { facts, receivedAt } } = kept;
  const past = options.journal.pastOf(kept);
  const comparisons = checkAsClient(kept, past, options);
  const { clientId, altered = [] } = request;
  const isClockTurned = Math.abs(kept.ahead) >= leastAhead;
  return {
    id: request.id,
    endpoint: kept.endpoint,
    method: request.method,
    target: request.api ?? request.path,
    sender: { kind: isFromBrowser(request) ? "browser" : "client", ...present({ client: clientId }) },
    at: receivedAt,
    duration: Math.max(0, request.duration),
    outcome: request.outcome,
    ...present({
      grantType: request.grantType,
      person: request.person,
      clockAhead: isClockTurned ? Math.round(kept.ahead) : undefined,
      status: request.status,
      isLost: request.lost,
      isWrong: isWrongOnPurpose(altered) || undefined,
      refusal: request.refusal ?? redactTexts(findRefusal(kept.entry)),
      advice: request.advice,
      result: describeResult(kept),
      follows: findCause(kept, past)?.entry.id,
    }),
    hints: listHints(kept, past),
    altered,
    failedChecks: comparisons.filter(({ isMet }) => isMet === false).map(({ name }) => name),
    remarks: listRemarks({ comparisons, altered, isClockTurned }),
    tags: listTags({ facts, altered }),
  };
}

function describeResult(kept: KeptEntry): ExchangeLine["result"] {
  const { entry: { facts, response: { status } } } = kept;
  if (!isFromBrowser(kept.read()) || status < 200 || status >= 400) return undefined;
  if (status < 300) return facts.question ?? "page";
  const parts = readExchangeParts(kept.entry);
  if (findRedirected(parts, "code") !== undefined) return "code";
  return findRedirected(parts, "error") === undefined ? "next" : "error";
}

export function describeExchange(kept: KeptEntry, options: ExchangeOptions): ShownExchange {
  const request = kept.read();
  const parts = readExchangeParts(kept.entry);
  const described = { entry: kept.entry, endpoint: kept.endpoint, parts };
  const past = options.journal.pastOf(kept);
  const { clientAuth, provenKey, fault, trace } = request;
  const noted = kept.entry.facts.more?.["second_factor"] as { readonly wantedBy: FactorReason } | undefined;
  return {
    ...describeLine(kept, past.flow.at(-1), options),
    ...present({
      trace,
      clientAuth,
      provenKey,
      factorReason: noted?.wantedBy,
      fault: fault === undefined ? undefined : describeFault(fault),
      pkce: sumPkce(kept, past, options),
    }),
    scope: request.scope ?? [],
    resource: request.resource ?? [],
    arrivedBy: request.arrivedBy ?? [],
    rpc: request.rpc ?? [],
    notified: Object.entries(request.backChannelLogout ?? {}).map(([client, result]) => ({ client, result })),
    related: findRelated(kept, past),
    checks: checkAsClient(kept, past, options),
    request: describeRequestMessage(described, options),
    response: describeResponseMessage(described, options, explainState(kept, past)),
    copies: copyRequest(described, request.api, options),
  };
}

// In seconds. Less is the inaccuracy of two clocks.
const leastAhead = 2;

/** Either may be that of the authorization request of the flow. */
function sumPkce(kept: KeptEntry, past: Past, options: ExchangeOptions): PkceSum | undefined {
  const own = readExchangeParts(kept.entry);
  const verifier = findParameter(own, "code_verifier");
  const opened = findAuthorization(kept, past);
  const source = verifier === undefined ? kept : opened;
  const challenge = source && findChallenge(source);
  if (verifier === undefined && challenge === undefined) return undefined;
  return present({
    verifier: verifier === undefined ? undefined : showValue(verifier, "secret", options),
    hash: verifier && sha256(verifier),
    challenge,
    challengeId: verifier && opened?.entry.id,
  });
}

function findChallenge({ entry }: KeptEntry): string | undefined {
  const parts = readExchangeParts(entry);
  const claims = parseJwt(findParameter(parts, "request") ?? "")?.claims;
  const value = claims?.["code_challenge"] ?? findParameter(parts, "code_challenge");
  return typeof value === "string" ? redactText(value.slice(0, longestChallenge)) : undefined;
}

// A valid challenge has 43 characters.
const longestChallenge = 200;

interface Answered {
  readonly comparisons: readonly Comparison[];
  readonly altered: readonly Alteration[];
  /** The server's clock was not that of the machine. */
  readonly isClockTurned: boolean;
}

/** Remarks on the misbehaviours that changed the answer, and on the other failed comparisons, the most binding first. */
export function listRemarks({ comparisons, altered, isClockTurned }: Answered): readonly Remark[] {
  const made = new Set(altered.filter(isFault).map(({ by }) => by));
  // Only a hook or the clock can make more wrong than the misbehaviours say.
  const isExplained = made.size > 0 && altered.every(({ by }) => rows.has(by));
  const others = comparisons.flatMap(({ name, isMet, fault }) =>
    isMet !== false || fault === undefined || made.has(fault) ||
      isExplained && !(isClockTurned && timeNames.has(name))
      ? []
      : [describeRemark(fault, name)]
  );
  return [...[...made].map((name) => describeRemark(name)), ...others]
    .toSorted((left, right) => levels.indexOf(left.level) - levels.indexOf(right.level));
}

const rows: ReadonlyMap<string, Misbehaviour> = catalogue;

/** A hook is no row. A change that only prepares a fault is not yet a wrong answer. */
function isFault({ seam, by }: Alteration): boolean {
  const row = rows.get(by);
  return row !== undefined && !row.prepares?.some((each) => each === seam);
}

/** An answer that is only unusual is not wrong. */
export function isWrongOnPurpose(altered: readonly Alteration[] = []): boolean {
  return altered.some((each) => isFault(each) && !isTolerance(rows.get(each.by)!.level));
}

function describeRemark(name: string, check?: CheckName): Remark {
  const row = rows.get(name)!;
  const { level, api, server, rule } = row;
  const reader = api === undefined ? "client" : "api";
  return {
    name,
    level,
    reader,
    server,
    rule,
    ...present({ check }),
    isUnusual: isTolerance(level),
    action: describeAction(row, reader === "api" ? "API" : "client"),
  };
}
