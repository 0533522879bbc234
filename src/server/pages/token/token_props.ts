/** What the view of a token shows, and the lines of its header or payload. Secrets are only for a page that may show them. */

import type { TokenCheckName } from "../../../ground/schema/token_check_name.ts";
import { escapeHidden } from "../../../ground/values/hidden_characters.ts";
import { present } from "../../../ground/values/present.ts";
import { type JsonLine, splitJson } from "../../../ground/schema/json_lines.ts";

/** A value, or what the page may say about a secret. */
export interface ShownValue {
  /** Absent for a secret that the page does not show. */
  readonly text?: string;
  /** The number of characters of a secret. Absent for passwords and cookies. */
  readonly length?: number;
  /** The first characters of the SHA-256 hash of a secret. Absent for secrets that could be guessed from it. */
  readonly fingerprint?: string;
  readonly hasOuterSpace?: true;
  /** A point in time, in seconds since 1970. */
  readonly time?: number;
  readonly jwt?: DecodedJwt;
  /** The value was cut. It has this number of characters. */
  readonly cutFrom?: number;
}

export interface NamedValue extends ShownValue {
  readonly name: string;
  /** The key of the explanation, if it is not the name. */
  readonly meaning?: string;
}

/** A JWT without its signature. */
export interface DecodedJwt {
  readonly header: TokenPart;
  readonly payload: TokenPart;
}

export interface TokenPart {
  readonly lines: readonly TokenLine[];
  /** How many lines were left out, so that the page stays small. */
  readonly omitted?: number;
  /** Each value is shown as it is, so that the lines can be copied as JSON. */
  readonly isWhole: boolean;
}

export interface TokenLine {
  readonly depth: number;
  /** The line without its indentation. Hidden characters are escaped as in JSON. */
  readonly text: string;
  /** The name of the claim, with those around it: `address.locality`. Absent if the line begins none. */
  readonly path?: string;
  /** A point in time, in seconds since 1970. */
  readonly time?: number;
  /** What is known about the value, if the line does not have the whole value. */
  readonly value?: ShownValue;
}

export interface TokenProps {
  /** Unique on its page. The ids of the parts begin with it. Absent: nothing can be copied. */
  readonly id?: string;
  /** What it is, for example "ID token". */
  readonly name: string;
  /** The token. Its `text` is absent on a page without the key of the inspector, its `jwt` if it is opaque. */
  readonly token: ShownValue;
  readonly checks: readonly ShownCheck[];
  /** What the server knows about an opaque token. */
  readonly facts?: readonly NamedValue[];
  /** The name of the parameter or header that carried it, if that changes what its claims mean. */
  readonly carriedBy?: string;
  /** The time by the server's clock, in seconds. Absent in a file, which is read later. */
  readonly now?: number;
}

/** `open`: the page cannot decide it, for example because only the client knows the other value. */
export interface ShownCheck {
  readonly name: ShownCheckName;
  readonly result: "passed" | "failed" | "absent" | "open";
  readonly expected?: string;
  readonly received?: string;
  readonly rule?: string;
}

/** The checks of a token, and those of the texts that the playground takes apart. */
export type ShownCheckName =
  | TokenCheckName
  | "alive"
  | "ath"
  | "browser"
  | "client"
  | "events"
  | "jti"
  | "no_nonce"
  | "redirect_uri"
  | "response_iss"
  | "server"
  | "state"
  | "sub_or_sid";

export interface ShowJsonOptions {
  /** Returns what the page shows of a value. `name` is that of its member. */
  readonly showValue: (name: string, value: unknown) => ShownValue;
  readonly showName: (label: string) => string;
}

/** Shows each value, for the person to whom the token belongs. */
export const showsAll: ShowJsonOptions = {
  showValue: (_name, value) => ({ text: write(value) }),
  showName: (label) => label,
};

export const timeNames: ReadonlySet<string> = new Set([
  ...["exp", "iat", "nbf", "auth_time", "updated_at", "client_id_issued_at", "client_secret_expires_at"],
]);

// Of a part.
const mostLines = 100;
const deepest = 8;
const mostCharacters = 8_000;

// In seconds. Calendars have no later time.
const lastTime = 8.64e12;

// In characters.
const longestLabel = 100;
const longestValue = 500;

/** `json` must be JSON. */
export function showJson(json: string, options: ShowJsonOptions): TokenPart {
  const lines: TokenLine[] = [];
  let [left, omitted] = [mostCharacters, 0];
  for (const each of splitJson(json)) {
    const isShown = lines.length < mostLines && left > 0 && each.depth <= deepest;
    const line = isShown ? showLine(each, options) : undefined;
    left -= line?.text.length ?? 0;
    if (line === undefined || left < 0) omitted++;
    else lines.push(line);
  }
  const isWhole = omitted === 0 && lines.every(({ value }) => value === undefined);
  return { lines, isWhole, ...present({ omitted: omitted || undefined }) };
}

function showLine(
  { depth, name, path, label, value, kind, end }: JsonLine,
  options: ShowJsonOptions,
): TokenLine {
  const isLong = label.length > longestLabel;
  const shownLabel = options.showName(isLong ? `${label.slice(0, longestLabel).toWellFormed()}…": ` : label);
  const line = (text: string): TokenLine => ({
    depth,
    text: `${escapeHidden(shownLabel + text)}${end}`,
    ...present({ path: label === "" ? undefined : path }),
    ...present({ value: isLong ? { text, cutFrom: label.length } : undefined }),
  });
  if (kind !== "whole") return line(value);
  const parsed: unknown = JSON.parse(value);
  const shown = options.showValue(name, parsed);
  const { text } = shown;
  if (text === undefined) return { ...line("…"), value: shown };
  const isAsWritten = text === write(parsed);
  const written = isAsWritten ? value : typeof parsed === "string" ? JSON.stringify(text) : text;
  if (shown.cutFrom !== undefined || written.length > longestValue) {
    const cutFrom = shown.cutFrom ?? written.length;
    return { ...line(`${written.slice(0, longestValue).toWellFormed()}…`), value: { text, cutFrom } };
  }
  const isTime = timeNames.has(name) && typeof parsed === "number" && parsed > 0 && parsed < lastTime;
  return {
    ...line(written),
    ...present({ time: isTime ? parsed : undefined, value: isAsWritten ? undefined : { text } }),
  };
}

function write(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
