/** Writes recorded requests without secrets, as text, JSON lines, a HAR file or a Mermaid diagram. HTML is elsewhere. */

import { visible } from "../../../ground/values/visible.ts";
import { escapeHidden } from "../../../ground/values/hidden_characters.ts";
import { present } from "../../../ground/values/present.ts";
import { describeOutcome, describeSender } from "./describe_request.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { requireOneOf } from "../terms/wrong_term.ts";
import { describeGrouped, groupPolls } from "./group_polls.ts";
import { formatHar } from "./har.ts";
import { describeFault, type RecordedRequest } from "./recorded_request.ts";
import type { Arrow, Participant, ParticipantKind } from "../../timeline/diagram_props.ts";
import { describeSequence } from "./describe_sequence.ts";

/**
 * The format of a timeline. `jsonl` is JSON lines, `har` is a file for the developer tools of browsers, and `html` is one
 * file that explains each request and loads nothing.
 */
export type TimelineForm = "text" | "jsonl" | "har" | "mermaid" | "html";

/** The formats that are written at once. The HTML file has its modules loaded first. */
export type TextTimelineForm = Exclude<TimelineForm, "html">;

/** Options of a timeline. */
export interface TimelineChoice<Form extends TimelineForm = TimelineForm> {
  readonly as: Form;
}

/** Options of a timeline as an HTML file. */
export interface HtmlTimelineChoice extends TimelineChoice<"html"> {
  /**
   * `true`: the file has codes, tokens and verifiers, and says so. It never has passwords, cookies and the secrets of
   * clients.
   */
  readonly secrets?: boolean;
}

type Write = (requests: readonly RecordedRequest[], dropped: number, origin: string) => string;

const forms: { readonly [form in TextTimelineForm]: Write } = {
  text: formatText,
  jsonl: formatJsonLines,
  har: formatHar,
  mermaid: formatMermaid,
};

export const timelineForms: readonly string[] = [...Object.keys(forms), "html"];

export function readTimelineChoice(
  choice: TimelineForm | TimelineChoice | HtmlTimelineChoice,
): { readonly form: TimelineForm; readonly secrets: boolean } {
  const terms = typeof choice === "object" && choice !== null ? choice : { as: choice };
  requireTerms("write the timeline", terms, types.HtmlTimelineChoice, { as: {} });
  const { as: form, secrets = false }: HtmlTimelineChoice | TimelineChoice & { readonly secrets?: never } =
    terms;
  requireOneOf("write the timeline as", form, timelineForms);
  if (secrets && form !== "html") {
    throw new TypeError(`Cannot write the timeline as ${form} with secrets: only html may have secrets`);
  }
  return { form, secrets };
}

/** `origin` is that of the URLs in a HAR file. */
export function formatTimeline(
  requests: Iterable<RecordedRequest>,
  form: TextTimelineForm,
  { origin, dropped = 0 }: { readonly origin: string; readonly dropped?: number },
): string {
  return forms[form]([...requests], dropped, origin);
}

/** A client that the server notified of a sign-out has a line, and the polls of a device that waits have one. */
function formatText(requests: readonly RecordedRequest[], dropped: number): string {
  const start = requests[0]?.at ?? 0;
  const rows = groupPolls(requests).flatMap((grouped) => {
    const { request } = grouped;
    const time = describeTime(request.at - start);
    const notifications = Object.entries(request.backChannelLogout ?? {}).map(([id, outcome]) => ({
      time,
      who: "Postern",
      outcome: visible(outcome),
      call: `${visible(id)} (back-channel logout)`,
    }));
    const who = describeSender(request);
    return [
      { time, who, outcome: describeOutcome(request), call: describeGrouped(grouped) },
      ...notifications,
    ];
  });
  const widest = (read: (row: typeof rows[number]) => string) =>
    rows.reduce((width, row) => Math.max(width, read(row).length), 0);
  const [time, who] = [widest((row) => row.time), widest((row) => row.who)];
  return [
    ...(dropped === 0 ? [] : [`(${dropped} earlier requests were dropped)`]),
    ...rows.map((row) => `${row.time.padStart(time)}  ${row.who.padEnd(who)} → ${row.call} → ${row.outcome}`),
  ].join("\n");
}

/** Formats a time, which is negative if the clock was set back or if the first request was answered later. */
function describeTime(seconds: number): string {
  return `${seconds < 0 ? "-" : "+"}${Math.abs(seconds).toFixed(3)} s`;
}

function formatJsonLines(requests: readonly RecordedRequest[]): string {
  return requests.map(({ raw: _raw, fault, ...facts }) =>
    escapeHidden(
      JSON.stringify({
        ...facts,
        ...present({ fault: fault === undefined ? undefined : describeFault(fault) }),
      }),
    )
  ).join("\n");
}

const names: Readonly<Partial<Record<ParticipantKind, string>>> = {
  browser: "Browser",
  server: "Postern",
  unknown: "Unknown client",
};

function formatMermaid(requests: readonly RecordedRequest[], dropped: number): string {
  const { participants, steps } = describeSequence(requests);
  const ids = nameParticipants(participants);
  return [
    "sequenceDiagram",
    ...participants.map(({ key, kind, name }) =>
      `  participant ${ids.get(key)} as ${escapeLabel(names[kind] ?? name ?? "")}`
    ),
    ...(dropped === 0 ? [] : [`  Note over postern: ${dropped} earlier requests were dropped`]),
    ...steps.flatMap(({ arrows }) =>
      arrows.map((arrow) =>
        `  ${ids.get(arrow.from)}${lineOf(arrow)}${ids.get(arrow.to)}: ${escapeLabel(arrow.text)}`
      )
    ),
  ].join("\n");
}

/** Returns generated ids, because the name of a client can be a keyword of Mermaid. */
function nameParticipants(participants: readonly Participant[]): ReadonlyMap<string, string> {
  const count = { client: 0, api: 0 };
  return new Map(participants.map(({ key, kind }) => {
    if (kind === "client" || kind === "api") return [key, `${kind}${++count[kind]}`];
    return [key, kind === "server" ? "postern" : kind];
  }));
}

function lineOf({ kind, isBad }: Arrow): string {
  if (kind !== "answer") return "->>";
  return isBad ? "--x" : "-->>";
}

// Characters of a label.
const maxLabelLength = 200;

/** Replaces characters by Mermaid entities if they could end the label or start a comment, a directive or HTML. */
function escapeLabel(text: string): string {
  const label = [...visible(text)].slice(0, maxLabelLength).join("").trim() || "?";
  return label.replace(
    /[^\p{L}\p{M}\p{N} .,:_/?&=()[\]+*!'@|~→…-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
