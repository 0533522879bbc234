/** Explains in words why a request was refused. */

import { textOf } from "../../../ground/http/body.ts";
import type { Answer } from "../../../ground/http/message.ts";
import type { Advice, Alteration, JournalEntry, Refusal } from "../../../server/oauth/contracts/journal.ts";
import { redactText, redactTexts } from "../../../server/oauth/secrets/redaction.ts";
import { quote, visible } from "../../../ground/values/visible.ts";
import { present } from "../../../ground/values/present.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { describeAltered, describeRefusal } from "./describe_request.ts";

interface Circumstances {
  readonly fault?: unknown;
  readonly altered?: readonly Alteration[] | undefined;
  readonly earlier?: Refusal | undefined;
}

export function explainRefusal(
  found: Refusal,
  { fault, altered, earlier }: Circumstances = {},
): string {
  const refusal = redactTexts(found);
  const changed = altered && `by ${describeAltered(altered)}`;
  const thrown = fault === undefined ? undefined : redactText(String(fault));
  const before = earlier && describeRefusal(redactTexts(earlier));
  return explainNotice(describeRefusal(refusal), refusal, { changed, fault: thrown, earlier: before });
}

function explainAdvice(found: Advice): string {
  const advice = redactTexts(found);
  return explainNotice(`advice (${advice.reason}): ${quote(advice.description)}`, advice);
}

/** What helps after a refusal. */
export type Help = Omit<Advice, "reason" | "description">;

export function explainNotice(title: string, notice: Help, more: Rows = {}): string {
  return [
    title,
    ...listRows(notice, more).map(([name, text]) => `${name} ${text}`),
    ...describeRemedy(notice),
  ].join("\n");
}

type Rows = Readonly<Record<string, string | undefined>>;

/** Lists the rows below a refusal. What the client does stands first, also where the configuration could be changed. */
export function listRows(
  { change: fix, looksLike, spec: rule, expected, received }: Help,
  more: Rows = {},
): readonly (readonly [name: string, text: string])[] {
  const looks = looksLike && `like ${looksLike}`;
  return Object.entries({ fix, looks, rule, expected, received, ...more }).flatMap(([name, text]) =>
    // These are no texts of the request, and half of one would be no help.
    text === undefined
      ? []
      : [[name.padEnd(9), ["fix", "looks"].includes(name) ? visible(text) : quote(text)]]
  );
}

/** Keeps these lines whole and without indentation, so that the configuration can be pasted. */
function describeRemedy({ instead, remedy }: Help): readonly string[] {
  const cost = instead === undefined ? [] : [`${"instead".padEnd(9)} ${visible(instead)}`];
  if (remedy === undefined) return cost;
  return [...cost, introduceRemedy(remedy), ...remedy.split("\n").filter(Boolean).map(visible)];
}

export function explainLast(entries: readonly JournalEntry[]): string | undefined {
  const advice = entries.findLast(({ facts }) => facts.advice !== undefined)?.facts.advice;
  const texts = [explainLastRefusal(entries), advice && explainAdvice(advice)];
  return texts.filter((text) => text !== undefined).join("\n") || undefined;
}

/** The first refusal is often the cause of the last one, because a client may go on after an error. */
function explainLastRefusal(entries: readonly JournalEntry[]): string | undefined {
  const refusals = entries.map(findRefusal);
  const lastAt = refusals.findLastIndex((each) => each !== undefined);
  const last = refusals[lastAt];
  if (last === undefined) return undefined;
  const successAt = entries.findLastIndex((entry, at) =>
    at < lastAt && refusals[at] === undefined && helpedClient(entry)
  );
  const earlier = refusals.slice(successAt + 1).find((each) =>
    each !== undefined && describeRefusal(each) !== describeRefusal(last)
  );
  const { refusal, fault, altered } = entries[lastAt]!.facts;
  return explainRefusal(last, {
    fault,
    // If a hook created the error, `last` already names the hook.
    altered: refusal && altered,
    earlier,
  });
}

/** Metadata, keys and pages do not count, because a client can read them after a refusal. */
function helpedClient({ facts: { subject, question, grantType } }: JournalEntry): boolean {
  return subject !== undefined && question === undefined || grantType !== undefined;
}

/** Returns the refusal of the server, or one that says that a hook or a misbehaviour made the error. */
export function findRefusal({ facts, response }: JournalEntry): Refusal | undefined {
  const { refusal, altered = [] } = facts;
  if (refusal !== undefined || response.status < 400 || altered.length === 0) return refusal;
  return describeUnexplained(readReceived({ status: response.status, body: response.body ?? "" }), altered);
}

export interface Received {
  readonly status: number;
  readonly error?: string | undefined;
  readonly description?: string | undefined;
}

export function readReceived({ status, body }: Pick<Answer, "status" | "body">): Received {
  const { error, error_description: description } = parseJsonObject(textOf(body)) ?? {};
  return {
    status,
    ...present({ error: typeof error === "string" ? error : undefined }),
    ...present({ description: typeof description === "string" ? description : undefined }),
  };
}

const unexplained = {
  reason: "unexplained",
  description: "the server recorded no reason",
  change: "The server recorded no reason for this error.",
};

const answerChanged = {
  reason: "answer_changed",
  description: "the server did not make this error",
  change: "Remove the hook or the misbehaviour: without it, the server would have answered otherwise.",
};

export function describeUnexplained(
  { status, error = "no OAuth error", description }: Received,
  altered: readonly Alteration[],
): Refusal {
  const { description: unknown, ...refusal } = altered.length === 0 ? unexplained : answerChanged;
  const received = `status ${status}${describeChange(altered)}`;
  return { error, ...refusal, description: description ?? unknown, received };
}

/** The end of a sentence, for example `: changed by "response"`. Empty without changes. */
export function describeChange(altered: readonly Alteration[]): string {
  return altered.length === 0 ? "" : `: changed by ${describeAltered(altered)}`;
}

export function introduceRemedy(remedy: string): string {
  const hasFirstUse = remedy.includes('"firstUse": true');
  return hasFirstUse
    ? "this configuration would allow it (leave firstUse out if only these clients may come):"
    : "add this to the configuration (to the entry of the client, if it has one):";
}
