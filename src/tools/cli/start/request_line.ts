/** Describes a request in one line, with the reason for a refusal below. A view of the journal. */

import type { Advice, Facts, JournalEntry, Refusal } from "../../../server/oauth/contracts/journal.ts";
import { redactFacts, redactText } from "../../../server/oauth/secrets/redaction.ts";
import { quote, visible } from "../../../ground/values/visible.ts";
import type { Colours } from "../terminal/colours.ts";
import { introduceRemedy, listRows } from "../../../kit/mock/journal/explain.ts";
import { outcomeOf } from "../../../kit/mock/journal/outcome_of.ts";
import { describeAltered } from "../../../kit/mock/journal/describe_request.ts";
import { readResource } from "../../../kit/mock/journal/recorded_request.ts";

const indent = " ".repeat(10);

/** Browsers request the icon and the static files with every page, so these have no line if they succeed. */
export function isWorthALine({ request: { path }, response: { status } }: JournalEntry): boolean {
  return path !== "/favicon.ico" && !(status < 400 && /\/static\/[^/]+$/.test(path));
}

/** The parts that differ in length come last, so that every path begins in the same column. */
export function describeRequest(entry: JournalEntry, colours: Colours): string {
  const { request: { method, path }, response: { status }, receivedAt, duration } = entry;
  const { api: target = path } = readResource(entry.facts);
  // The other parts of the line have no secrets.
  const facts = redactFacts(entry.facts);
  const { refusal, advice, altered } = facts;
  const time = describeTime(new Date(receivedAt * 1000));
  const names = describeNames(facts);
  const isOk = outcomeOf(entry) === "ok";
  const line = [
    colours.dim(time),
    (isOk ? colours.green : colours.red)(describeStatus(status)),
    colours.dim(describeDuration(duration).padStart(6)),
    // The longest usual method is OPTIONS.
    `${method.padEnd(7)} ${quote(redactText(target)).padEnd(names.length === 0 ? 0 : 23)}`,
    ...names,
  ].join("  ");
  const fault = status >= 500 && facts.fault !== undefined ? describeFault(facts.fault).split("\n") : [];
  return [
    line,
    ...(refusal === undefined ? [] : isOk
      // A client that polls gets the same answer every few seconds.
      ? [indent + colours.dim(`${refusal.error}: ${refusal.description}`)]
      : describeNotice(colours.red(`✗ ${refusal.error}`), refusal, colours.dim)),
    ...(advice === undefined ? [] : describeNotice(colours.yellow("! advice"), advice, colours.dim)),
    ...(altered === undefined
      ? []
      : [`${indent}${colours.yellow("~ changed by")} ${quote(describeAltered(altered))}`]),
    ...fault.map((text) => `${indent}  ${visible(text)}`),
  ].join("\n");
}

/** Like the beginning of `toTimeString`, which takes longer than the rest of the line. */
function describeTime(at: Date): string {
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()];
  return parts.map((part) => `${part}`.padStart(2, "0")).join(":");
}

/** Returns three characters. The status is 0 if the control plane has accepted a request that its caller answers. */
function describeStatus(status: number): string {
  return status === 0 ? "ok " : `${status}`;
}

function describeNames(facts: Partial<Facts>): readonly string[] {
  const { clientId, clientIsUnknown, grantType, subject, subjectIsNew } = facts;
  const [client, grant, person] = [clientId, grantType, subject].map((name) => name && quote(name));
  return [
    clientIsUnknown ? `${client} (unknown)` : client,
    grant,
    subjectIsNew ? `${person} (new)` : person,
  ].filter((name) => name !== undefined);
}

function describeNotice(title: string, notice: Refusal | Advice, dim: Colours["dim"]): readonly string[] {
  const { reason, description } = notice;
  return [
    `${indent}${title} (${reason}) ${quote(description)}`,
    ...listRows(notice).map(([name, text]) => `${indent}  ${dim(name)} ${text}`),
    ...describeRemedy(notice, dim),
  ];
}

/** What the server gives up stands before the configuration, so that the weaker way is never read alone. */
function describeRemedy(
  { instead, remedy }: Refusal | Advice,
  dim: Colours["dim"],
): readonly string[] {
  const cost = instead === undefined ? [] : [`${indent}  ${dim("instead".padEnd(9))} ${instead}`];
  if (remedy === undefined) return cost;
  const lines = remedy.split("\n").filter(Boolean).map((line) => `${indent}  ${visible(line)}`);
  return [...cost, `${indent}  ${dim(introduceRemedy(remedy))}`, ...lines];
}

/** Describes a bug of the server with its stack, so that the user can report it. */
export function describeFault(fault: unknown): string {
  return redactText(fault instanceof Error ? fault.stack ?? fault.message : String(fault));
}

/** Returns at most six characters, such as `999 ms`, `12.3 s` and `3600 s`. */
function describeDuration(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  if (milliseconds < 1000) return `${milliseconds} ms`;
  return `${seconds.toFixed(seconds < 99 ? 1 : 0)} s`;
}
