/** The configuration file, and how a mistake in it is told: by the place where it stands. */

import { basename } from "node:path";
import type { Configuration } from "../configuration.ts";
import { requireConfiguration } from "../options.ts";
import { CommandError } from "./command_error.ts";
import { findJsonError } from "./json_error.ts";
import { readTextFile } from "./read_text_file.ts";

export async function readConfigurationFile(path: string): Promise<Configuration> {
  const text = await readTextFile(path, `--config ${path}`);
  const value = parseJson(text.replace(/^\ufeff/, ""), path);
  return explainingSetUp({ file: path, flags: {} }, () => {
    const { $schema: _, ...configuration } = requireConfiguration(value) as Configuration & {
      $schema?: string;
    };
    return configuration;
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column, expected } = findJsonError(text) ?? { line: 1, column: 1, expected: "JSON" };
    throw new CommandError(`${basename(path)}:${line}:${column}: expected ${expected}`, 2, { cause });
  }
}

export interface SetUpSources {
  readonly file?: string;
  /** What the flags set, by the name it has in the file. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Turns the `TypeError` of a set-up mistake into one line that names the flag, or the file and the place in it. */
export function explainingSetUp<T>({ file, flags }: SetUpSources, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const mistake = /^Cannot create server: (.*)$/s.exec(error instanceof TypeError ? error.message : "")
      ?.[1];
    if (mistake === undefined) throw error;
    const [place = ""] = mistake.split(/[\s.[]/);
    if (Object.hasOwn(flags, place) && flags[place] !== undefined) {
      throw new CommandError(`--${mistake}`, 2, { cause: error });
    }
    throw new CommandError(file === undefined ? mistake : `${basename(file)}: ${mistake}`, 2, {
      cause: error,
    });
  }
}
