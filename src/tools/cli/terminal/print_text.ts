/** Prints texts, also those of other programs: no terminal and no log of a CI system obeys what is in them. */

import { visibleLines } from "../../../ground/values/visible.ts";

export function printText(text: string): void {
  console.log(showText(text));
}

/** Prints what a program reads, such as a token or the settings of an application. Its printable characters stay. */
export function printResult(text: string): void {
  console.log(showHidden(text));
}

/** Prints on standard error, so that standard output has only the result. */
export function printNotice(text: string): void {
  console.error(showText(text));
}

export function showText(text: string): string {
  return disarm(showHidden(text));
}

/** Shows what is hidden in a text, except tabs and the ends of its lines. */
function showHidden(text: string): string {
  return text.split("\t").map(visibleLines).join("\t");
}

/**
 * Escapes the beginnings of commands in the log of a CI system: GitHub obeys `::name::` at the begin of a line and
 * `##[name]` anywhere, Azure Pipelines and TeamCity obey `##vso[name]` and `##teamcity[name]`. JSON keeps its meaning.
 */
export function disarm(text: string): string {
  // GitHub compares as people do, and skips variation selectors.
  return text.replace(/(#\p{VS}*)#(?=[\w\p{VS}]*\[)/gu, "$1\\u0023")
    .replace(/^([^\S\n\r\u2028\u2029]*):(?=\p{VS}*:)/gmu, "$1\\u003a");
}
