/** Reads the configuration file. An error names the place of the mistake. */

import { basename } from "node:path";
import { createConfigurationSchema } from "../server/configuration_schema.ts";
import type { Configuration } from "../setup/configuration.ts";
import { requireConfiguration } from "../setup/read_settings.ts";
import { SetUpMistake } from "../setup/set_up_mistake.ts";
import { CommandError } from "./command_error.ts";
import { JsonError, parseJsonc } from "./parse_jsonc.ts";
import { readTextFile } from "./read_text_file.ts";

export async function readConfigurationFile(path: string): Promise<Configuration> {
  const text = await readTextFile(path, `--config ${path}`);
  const value = parseFile(text.replace(/^\ufeff/, ""), path);
  return explainingSetUp({ file: path, flags: {} }, () => {
    const { $schema: _, ...configuration } = requireConfiguration(value, createConfigurationSchema()) as
      & Configuration
      & {
        $schema?: string;
      };
    return configuration;
  });
}

function parseFile(text: string, path: string): unknown {
  try {
    return parseJsonc(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column, message } = error;
    throw new CommandError(`${basename(path)}:${line}:${column}: ${message}`, 2, { cause: error });
  }
}

export interface SetUpSources {
  readonly file?: string;
  /** The values that flags set. The keys are the names that these values have in the file. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Turns a set-up mistake into a `CommandError` that names the flag, or the file and the place in it. */
export function explainingSetUp<T>({ file, flags }: SetUpSources, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SetUpMistake)) throw error;
    const { place, problem } = error;
    const [option = ""] = place.split(/[.[]/);
    const isFlag = Object.hasOwn(flags, option) && flags[option] !== undefined;
    const where = isFlag ? "--" : file === undefined ? "" : `${basename(file)}: `;
    throw new CommandError(where + problem, 2, { cause: error });
  }
}
