/** Describes a request as a JSON object for `--log json`, without secrets. A view of the journal. */

import { type Advice, type JournalEntry, outcomeOf, type Refusal } from "../../server/oauth/journal.ts";
import { redactFacts, redactText } from "../../server/oauth/redaction.ts";
import { quote, visibleLines } from "../../server/pages/visible.ts";

type Members = Readonly<Record<string, unknown>>;

/** Returns the members after the time. A member without a value is absent. */
export function recordRequest(entry: JournalEntry): Members {
  const { id, request, response: { status }, duration, trace } = entry;
  // The other members have no secrets.
  const path = quote(redactText(request.path)), facts = redactFacts(entry.facts);
  const { refusal, advice, altered, fault } = facts;
  const outcome = outcomeOf(entry);
  const reason = refusal === undefined ? "" : ` ${refusal.error} (${refusal.reason})`;
  return {
    level: outcome === "failed" ? "error" : outcome === "refused" || advice !== undefined ? "warn" : "info",
    message: `${request.method} ${path} ${status}${reason}`,
    method: request.method,
    path,
    status,
    duration_ms: Math.round(duration * 1_000_000) / 1000,
    outcome,
    ...(refusal === undefined ? {} : describe(refusal)),
    ...(advice === undefined ? {} : { advice: describe(advice) }),
    ...quoted({ client_id: facts.clientId, subject: facts.subject, grant_type: facts.grantType }),
    ...(facts.clientIsUnknown ? { client_is_unknown: true } : {}),
    ...(facts.subjectIsNew ? { subject_is_new: true } : {}),
    ...quoted({ flow: facts.flow, request_id: id, trace_id: trace?.traceId, parent_id: trace?.parentId }),
    ...(altered === undefined ? {} : { altered_by: altered.map(({ by }) => quote(by)) }),
    ...(status >= 500 && fault !== undefined ? { fault: describeFault(fault) } : {}),
  };
}

// Characters. A remedy that is cut could not be pasted.
const longestRemedy = 1000;

function describe({ description, spec, expected, received, remedy, ...names }: Refusal | Advice): Members {
  return {
    ...names,
    ...quoted({ description, rule: spec, expected, received }),
    ...(remedy === undefined || remedy.length > longestRemedy ? {} : { remedy: visibleLines(remedy) }),
  };
}

/** Returns the members that have a value. Text of a request is cut after some hundred characters. */
function quoted(members: Readonly<Record<string, string | undefined>>): Members {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, text]) => text === undefined ? [] : [[name, quote(text)]]),
  );
}

function describeFault(fault: unknown): string {
  return redactText(fault instanceof Error ? fault.stack ?? fault.message : String(fault));
}
