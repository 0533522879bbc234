/** Quotes what a client or an API threw: its own words, and then those of its causes. */

import { describeValue } from "../../ground/schema/received.ts";
import { tagOf } from "../../ground/schema/json_object.ts";
import { attempt } from "../../ground/values/attempt.ts";

/** What a thrown value says about itself. A member that cannot be read counts as absent. */
interface ThrownParts {
  /** Empty for a value that is no error. */
  readonly name: string;
  readonly message: string;
  readonly code: string;
}

// An error may be its own cause.
const mostCauses = 4;
const mostErrors = 3;
/** In characters. A client may quote megabytes. A card shows less, and its JSON has all of it. */
const longestError = 5000;

/** Returns text such as "Error: the login failed (cause: OAuthError: invalid_grant: The code was used)". */
export function describeThrown(thrown: unknown): string {
  return describeError(thrown, mostCauses) ?? describeOther(thrown);
}

export function readThrownParts(thrown: unknown): ThrownParts {
  return {
    name: isError(thrown) ? readText(thrown, "name") : "",
    message: readText(thrown, "message"),
    code: readText(thrown, "code"),
  };
}

export function listCauses(thrown: unknown, causes: number = mostCauses): readonly unknown[] {
  const cause = causes === 0 ? undefined : read(thrown, "cause");
  return cause === undefined ? [thrown] : [thrown, ...listCauses(cause, causes - 1)];
}

/**
 * Whether the first frame of its stack is in a file of a program, and not in the runtime. An error without a stack, which
 * another process has told, shows nothing.
 */
export function isThrownByProgram(thrown: unknown): boolean {
  // Chromium has no frames of its own functions. Its messages name them.
  if (/^Failed to (?:construct|execute) '/.test(readText(thrown, "message"))) return false;
  const frame = /^ +at .*$/m.exec(readText(thrown, "stack"))?.[0] ?? "";
  return /\d:\d+\)?$/.test(frame) && !/^ +at async |\b(?:node|ext|bun):|native/.test(frame);
}

/** Returns `undefined` for a value without words of its own, such as a response that is the cause of an error. */
function describeError(thrown: unknown, causes: number): string | undefined {
  if (typeof thrown === "string") return thrown === "" ? undefined : thrown.slice(0, longestError);
  const { name, message, code } = readThrownParts(thrown);
  // Libraries keep the error of the server (RFC 6749 §5.2) in members.
  const members = ["error", "error_description"].map((member) => readText(thrown, member));
  const words = [message, ...members.filter((text) => !message.includes(text))].filter(Boolean);
  const own = [name, ...(words.length === 0 && name !== "" ? [code] : words)].filter(Boolean).join(": ")
    .slice(0, longestError);
  if (own === "") return undefined;
  const below = causes === 0 ? [] : [...listErrors(thrown), read(thrown, "cause")]
    .map((each) => describeError(each, causes - 1))
    // A library often repeats the words of the error that it wraps.
    .filter((text) => text !== undefined && !own.includes(text.replace(/^\w+: /, "")));
  return below.length === 0 ? own : `${own} (cause: ${below.join("; ")})`;
}

function listErrors(thrown: unknown): readonly unknown[] {
  const errors = read(thrown, "errors");
  return isError(thrown) && Array.isArray(errors) ? errors.slice(0, mostErrors) : [];
}

function describeOther(thrown: unknown): string {
  const text = attempt(() => describeValue(thrown)) ?? "an object that cannot be read";
  return /^an? /.test(text) ? text : `the value ${text}`;
}

/** An error of another realm, such as the context of a test runner, has another class. */
function isError(value: unknown): boolean {
  return attempt(() => value instanceof Error || tagOf(value) === "Error") ?? false;
}

function readText(value: unknown, name: string): string {
  const found = read(value, name);
  return typeof found === "string" ? found : "";
}

/** A getter of a foreign object may throw. */
function read(value: unknown, name: string): unknown {
  return attempt(() => Reflect.get(Object(value), name));
}
