/** Explains in words why a request was refused. */

import { textOf } from "../../http/answer_body.ts";
import type { Answer } from "../../http/message.ts";
import {
  type Advice,
  type Alteration,
  describeAltered,
  type Facts,
  type JournalEntry,
  type Refusal,
} from "../../oauth/journal.ts";
import { introduceRemedy } from "../../oauth/clients/client_remedy.ts";
import { redactRefusal, redactText } from "../../oauth/redaction.ts";
import { quote, visible } from "../../pages/visible.ts";
import { parseJsonObject } from "../../schema/json_object.ts";
import { describeRefusal } from "./describe_request.ts";

/**
 * Explains a refusal. The first line is the refusal. The next lines are the rule, the expected value, the received value,
 * the hooks that changed the response, and the error of the server or a hook.
 */
export function explainRefusal(
  found: Refusal,
  { fault, altered }: Pick<Partial<Facts>, "fault" | "altered"> = {},
): string {
  const { spec, expected, received, remedy, ...refusal } = redactRefusal(found);
  const changed = altered && `by ${describeAltered(altered)}`;
  const thrown = fault === undefined ? undefined : redactText(String(fault));
  return [
    describeRefusal(refusal),
    ...describeRows({ rule: spec, expected, received, changed, fault: thrown }),
    ...describeRemedy(remedy),
  ].join("\n");
}

function explainAdvice(found: Advice): string {
  const { reason, description, spec, expected, received, remedy } = redactRefusal(found);
  return [
    `advice (${reason}): ${quote(description)}`,
    ...describeRows({ rule: spec, expected, received }),
    ...describeRemedy(remedy),
  ].join("\n");
}

/** Keeps these lines whole and without indentation, so that the configuration can be pasted. */
function describeRemedy(remedy: string | undefined): readonly string[] {
  if (remedy === undefined) return [];
  return [introduceRemedy(remedy), ...remedy.split("\n").filter(Boolean).map(visible)];
}

function describeRows(rows: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(rows).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name.padEnd(9)} ${quote(text)}`]
  );
}

/** Explains the last error of the server or a hook, and the last advice. Returns `undefined` if there is neither. */
export function explainLast(entries: readonly JournalEntry[]): string | undefined {
  const refused = entries.findLast((entry) => explainEntry(entry) !== undefined);
  const advice = entries.findLast(({ facts }) => facts.advice !== undefined)?.facts.advice;
  const texts = [
    refused && explainEntry(refused),
    advice && explainAdvice(advice),
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join("\n");
}

function explainEntry({ facts, response }: JournalEntry): string | undefined {
  const { refusal, altered = [], fault } = facts;
  if (refusal !== undefined) return explainRefusal(refusal, facts);
  if (response.status < 400 || altered.length === 0) return undefined;
  // The server recorded no refusal, so a hook created the error response.
  const received = readReceived({ status: response.status, body: response.body ?? "" });
  return explainRefusal(describeUnexplained(received, altered), { fault });
}

/** The error in a JSON response. */
export interface Received {
  readonly status: number;
  /** The OAuth error code. */
  readonly error?: string | undefined;
  readonly description?: string | undefined;
}

export function readReceived({ status, body }: Pick<Answer, "status" | "body">): Received {
  const { error, error_description: description } = parseJsonObject(textOf(body)) ?? {};
  return {
    status,
    ...(typeof error === "string" ? { error } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

/** Creates a refusal for an error that the server did not record. */
export function describeUnexplained(
  { status, error = "no OAuth error", description }: Received,
  altered: readonly Alteration[],
): Refusal {
  const [reason, defaultDescription] = altered.length === 0
    ? ["unexplained", "the server recorded no reason"]
    : ["answer_changed", "the server did not make this error"];
  const received = `status ${status}${describeChange(altered)}`;
  return { error, reason, description: description ?? defaultDescription, received };
}

/** Returns the end of a sentence about changes, for example `: changed by "response"`. Empty without changes. */
export function describeChange(altered: readonly Alteration[]): string {
  return altered.length === 0 ? "" : `: changed by ${describeAltered(altered)}`;
}
