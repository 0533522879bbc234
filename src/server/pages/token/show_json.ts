/** Makes the lines of a token's header or payload, with what a page may show of each value. */

import { hiddenCharacters } from "../../schema/hidden_characters.ts";
import { type JsonLine, splitJson } from "../../schema/json_lines.ts";
import type { ShownValue, TokenLine, TokenPart } from "./token_props.ts";

export interface ShowJsonTerms {
  /** Returns what the page shows of a value. `name` is that of its member. */
  readonly showValue: (name: string, value: unknown) => ShownValue;
  readonly showName: (label: string) => string;
}

/** Shows each value, for the person to whom the token belongs. */
export const showsAll: ShowJsonTerms = {
  showValue: (_name, value) => ({ text: write(value) }),
  showName: (label) => label,
};

/** The names of points in time. */
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
export function showJson(json: string, terms: ShowJsonTerms): TokenPart {
  const lines: TokenLine[] = [];
  let [left, omitted] = [mostCharacters, 0];
  for (const each of splitJson(json)) {
    const isShown = lines.length < mostLines && left > 0 && each.depth <= deepest;
    const line = isShown ? showLine(each, terms) : undefined;
    left -= line?.text.length ?? 0;
    if (line === undefined || left < 0) omitted++;
    else lines.push(line);
  }
  const isWhole = omitted === 0 && lines.every(({ value }) => value === undefined);
  return { lines, isWhole, ...(omitted === 0 ? {} : { omitted }) };
}

function showLine({ depth, name, path, label, value, kind, end }: JsonLine, terms: ShowJsonTerms): TokenLine {
  const isLong = label.length > longestLabel;
  const shownLabel = terms.showName(isLong ? `${label.slice(0, longestLabel).toWellFormed()}…": ` : label);
  const line = (text: string): TokenLine => ({
    depth,
    text: `${escapeHidden(shownLabel + text)}${end}`,
    ...(label === "" ? {} : { path }),
    ...(isLong ? { value: { text, cutFrom: label.length } } : {}),
  });
  if (kind !== "whole") return line(value);
  const parsed: unknown = JSON.parse(value);
  const shown = terms.showValue(name, parsed);
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
    ...(isTime ? { time: parsed } : {}),
    ...(isAsWritten ? {} : { value: { text } }),
  };
}

function write(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** JSON may escape every character, so the line stays JSON with the same meaning. */
function escapeHidden(text: string): string {
  return text.replace(
    hiddenCharacters,
    (character) =>
      [...Array(character.length).keys()].map((at) =>
        `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
      ).join(""),
  );
}
