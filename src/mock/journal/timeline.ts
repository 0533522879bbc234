/** Writes recorded requests as lines of text or JSON, a HAR file or a diagram, without secrets. */

import { visible } from "../../pages/visible.ts";
import { describeValue } from "../../schema/received.ts";
import { describeAsked, describeOutcome, describeSender } from "./describe_request.ts";
import { formatHar } from "./har.ts";
import { formatMermaid } from "./mermaid.ts";
import { describeFault, type RecordedRequest } from "./recorded_request.ts";

/** The form of a timeline. */
export type TimelineForm = "text" | "jsonl" | "har" | "mermaid";

export interface TimelineTerms {
  /** The origin of the URLs in a HAR file. */
  readonly origin: string;
  /** How many earlier requests were dropped. */
  readonly dropped?: number;
}

type Write = (requests: readonly RecordedRequest[], terms: TimelineTerms) => string;

const forms: { readonly [form in TimelineForm]: Write } = {
  text: formatText,
  jsonl: formatJsonLines,
  har: formatHar,
  mermaid: formatMermaid,
};

export const timelineForms: readonly string[] = Object.keys(forms);

export function formatTimeline(
  requests: Iterable<RecordedRequest>,
  form: TimelineForm,
  terms: TimelineTerms,
): string {
  if (!Object.hasOwn(forms, form)) {
    throw new TypeError(
      `Cannot write the timeline as ${describeValue(form)}: expected one of ${timelineForms.join(", ")}`,
    );
  }
  return forms[form]([...requests], terms);
}

/**
 * Writes a line with time, sender, request and outcome for each request, and for each client that a sign-out told.
 */
function formatText(requests: readonly RecordedRequest[], { dropped = 0 }: TimelineTerms): string {
  const start = requests[0]?.at ?? 0;
  const rows = requests.flatMap((request) => {
    const time = describeTime(request.at - start);
    const told = Object.entries(request.backChannelLogout ?? {}).map(([id, outcome]) => ({
      ...{ time, who: "Postern", outcome: visible(outcome) },
      asked: `${visible(id)} (back-channel logout)`,
    }));
    const who = describeSender(request);
    return [{ time, who, asked: describeAsked(request), outcome: describeOutcome(request) }, ...told];
  });
  const widest = (read: (row: typeof rows[number]) => string) =>
    rows.reduce((width, row) => Math.max(width, read(row).length), 0);
  const [time, who] = [widest((row) => row.time), widest((row) => row.who)];
  return [
    ...(dropped === 0 ? [] : [`(${dropped} earlier requests were dropped)`]),
    ...rows.map((row) =>
      `${row.time.padStart(time)}  ${row.who.padEnd(who)} → ${row.asked} → ${row.outcome}`
    ),
  ].join("\n");
}

/** The time is negative if the clock was set back, or if an earlier request was answered later. */
function describeTime(seconds: number): string {
  return `${seconds < 0 ? "-" : "+"}${Math.abs(seconds).toFixed(3)} s`;
}

/** Writes a JSON object for each request on a line of its own. */
function formatJsonLines(requests: readonly RecordedRequest[]): string {
  return requests.map(({ raw: _raw, fault, ...facts }) =>
    JSON.stringify({ ...facts, ...(fault === undefined ? {} : { fault: describeFault(fault) }) })
  ).join("\n");
}
