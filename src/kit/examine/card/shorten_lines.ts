/** Cuts what a client or an API said to what a person reads. The JSON form of a card has the whole. */

import { sayCount } from "../../../ground/values/say_count.ts";

// In characters, and in lines.
const longestLine = 300;
const longestEnd = 100;
const mostLines = 30;

/** The end of a long line stays, because the cause of an error is often there. */
export function shortenLines(text: string): string {
  const lines = text.split("\n");
  const more = lines.length - mostLines;
  return [
    ...lines.slice(0, mostLines).map(shortenLine),
    ...(more > 0 ? [`… and ${sayCount(more, "more line")}`] : []),
  ].join("\n");
}

function shortenLine(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine - longestEnd)} … ${line.slice(-longestEnd)}`;
}
