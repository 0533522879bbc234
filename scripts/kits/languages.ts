/** The languages that have a kit. Each row is what `deno task kits` makes for it. */
import { go } from "./go.ts";
import { java } from "./java.ts";
import type { Model } from "./model.ts";
import { python } from "./python.ts";

export interface Language {
  /** The folder of the generated files. */
  readonly folder: string;
  /** How the names of all generated files there end, and of no others: `generated.go`. */
  readonly ending: string;
  /** Where the build of the kit takes the server from. Git ignores the file. */
  readonly serverCopy: string;
  /** Returns the texts of the generated files by their names in the folder. */
  write(model: Model): ReadonlyMap<string, string>;
}

export const languages: readonly Language[] = [python, java, go];

/** Each generated file says so in its first comment. */
export const notice = "`deno task kits` makes this file from the rows of the control plane: do not edit it.";
