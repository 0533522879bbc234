/** Colours text for a terminal. Other outputs get plain text. */

import process from "node:process";

export interface Colours {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Creates colours for a stream. NO_COLOR wins if it is not empty (https://no-color.org). */
export function createColours(stream: { readonly isTTY?: boolean }): Colours {
  const { NO_COLOR = "", FORCE_COLOR = "", TERM } = process.env;
  const wanted = NO_COLOR === "" &&
    (FORCE_COLOR === "" ? stream.isTTY === true && TERM !== "dumb" : FORCE_COLOR !== "0");
  const paint = (on: number, off: number) => (text: string) =>
    wanted ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
