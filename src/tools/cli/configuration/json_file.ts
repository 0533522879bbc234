/** Reads a file of JSON with comments. An error names the line and the column of the mistake. */

import { basename } from "node:path";
import { splitPlace } from "../../../ground/schema/json_object.ts";
import { explaining } from "../terminal/command_error.ts";
import { JsonError, type Offsets, parseJsonc, type Position, positionOf } from "./parse_jsonc.ts";
import { readTextFile } from "./text_file.ts";

export interface JsonFile {
  readonly text: string;
  readonly value: unknown;
  /** Returns the name of the file, with the line and column of a place: `postern.json:3:14`. */
  readonly locate: (place: string) => string;
}

/** `flag` names the file in an error: `--config postern.json`. */
export async function readJsonFile(path: string, flag: string): Promise<JsonFile> {
  const text = (await readTextFile(path, flag)).replace(/^\ufeff/, "");
  const offsets: Offsets = new Map();
  const value = explaining(
    JsonError,
    ({ position, message }) => `${describePosition(path, position)}: ${message}`,
    () => parseJsonc(text, offsets),
  );
  return { text, value, locate: (place) => locateIn(text, offsets, place, path) };
}

/** Returns the name of the file with the position of the value, or of the innermost value that contains the place. */
function locateIn(text: string, offsets: Offsets, place: string, path: string): string {
  const names = splitPlace(place);
  for (let depth = names.length; depth > 0; depth--) {
    const offset = offsets.get(JSON.stringify(names.slice(0, depth)));
    if (offset !== undefined) return describePosition(path, positionOf(text, offset));
  }
  return basename(path);
}

function describePosition(path: string, { line, column }: Position): string {
  return `${basename(path)}:${line}:${column}`;
}
