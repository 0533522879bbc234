/** What happened, for people and programs to look at: lines of text or JSON, a HAR file, or a diagram. No secrets. */

import { visible } from "../../pages/visible.ts";
import { describeValue } from "../../schema/received.ts";
import { describeAsked, describeAsker, describeOutcome } from "./explain.ts";
import { formatHar } from "./har.ts";
import { formatMermaid } from "./mermaid.ts";
import { describeFault, type RecordedRequest } from "./recorded_request.ts";

/** How the timeline is written. */
export type TimelineForm = "text" | "jsonl" | "har" | "mermaid";

export interface TimelineTerms {
  /** Of the URLs in a HAR file. */
  readonly origin: string;
  /** How many earlier ones are not there any more. */
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

/** One line for each, and for each client that it told of a sign-out: when, who, what, and how it ended. */
function formatText(requests: readonly RecordedRequest[], { dropped = 0 }: TimelineTerms): string {
  const start = requests[0]?.at ?? 0;
  const rows = requests.flatMap((request) => {
    const time = describeTime(request.at - start);
    const told = Object.entries(request.backChannelLogout ?? {}).map(([id, outcome]) => ({
      ...{ time, who: "Postern", outcome: visible(outcome) },
      asked: `${visible(id)} (back-channel logout)`,
    }));
    const who = describeAsker(request);
    return [{ time, who, asked: describeAsked(request), outcome: describeOutcome(request) }, ...told];
  });
  const widest = (read: (row: typeof rows[number]) => string) =>
    rows.reduce((width, row) => Math.max(width, read(row).length), 0);
  const [time, who] = [widest((row) => row.time), widest((row) => row.who)];
  return [
    ...(dropped === 0 ? [] : [`(${dropped} earlier requests are not kept any more)`]),
    ...rows.map((row) =>
      `${row.time.padStart(time)}  ${row.who.padEnd(who)} → ${row.asked} → ${row.outcome}`
    ),
  ].join("\n");
}

/** Negative where the clock was set back, or where a request that came earlier was answered later. */
function describeTime(seconds: number): string {
  return `${seconds < 0 ? "-" : "+"}${Math.abs(seconds).toFixed(3)} s`;
}

/** One JSON object for each. */
function formatJsonLines(requests: readonly RecordedRequest[]): string {
  return requests.map(({ raw: _raw, fault, ...facts }) =>
    JSON.stringify({ ...facts, ...(fault === undefined ? {} : { fault: describeFault(fault) }) })
  ).join("\n");
}
