/** Reads and writes the card files of `postern examine` and `postern examine-api`. */

import { writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { CardForm, FormatCardTerms } from "../../../kit/examine/card/card_form.ts";
import { formatBrief } from "../../../kit/examine/card/format_brief.ts";
import { formatCard } from "../../../kit/examine/card/format_card.ts";
import { type KeptCard, readCard } from "../../../kit/examine/card/kept_card.ts";
import { formatText } from "../../../kit/examine/card/format_text.ts";
import { createReport, type Report } from "../../../kit/examine/card/report.ts";
import { CommandError } from "../command_error.ts";
import type { Flag, GivenFlags } from "../flags.ts";
import { runsAsTask } from "../program.ts";
import { readTextFile } from "../read_text_file.ts";
import { present } from "../../../server/values/present.ts";
import { readExceptionsFile, usualExceptionsFile, writeExceptions } from "./exceptions_file.ts";

const formsByEnding: Readonly<Record<string, CardForm>> = {
  ".html": "html",
  ".json": "json",
  ".md": "markdown",
  ".txt": "text",
  ".xml": "junit",
};
const endings = Object.keys(formsByEnding).join(", ");

type FileFlagName = "card" | "baseline" | "exceptions";
type SwitchName = "write-exceptions" | "requests";

/** What the user gave of the flags that both examinations have. */
type CardFlags = GivenFlags<FileFlagName, SwitchName>;

export const cardFlags:
  & Readonly<Record<FileFlagName, Flag & { readonly value: string }>>
  & Readonly<Record<SwitchName, { readonly help: string }>> = {
    card: {
      value: "FILES",
      help: `Write the card to these files (several with commas). Their endings choose the form: ${endings}.`,
      accepts: (text) => text.split(",").every((file) => Object.hasOwn(formsByEnding, extname(file))),
      expected: `files that end with ${endings}`,
    },
    baseline: { value: "FILE", help: "An earlier card (.json). Then only what got worse is a failure." },
    exceptions: {
      value: "FILE",
      help: `Rows that may fail for a time. Default: ${usualExceptionsFile}, if it is in this folder.`,
    },
    "write-exceptions": {
      help: "Write the rows that failed into a new file of exceptions, for you to complete.",
    },
    requests: { help: "Print the whole card, with the requests of every row." },
  };

/** Reads the files that say which rows may fail, before anything runs. */
export async function readCardTerms(flags: CardFlags): Promise<FormatCardTerms> {
  const baseline = await readBaseline(flags.baseline);
  return { ...present({ baseline }), exceptions: await readExceptionsFile(flags) };
}

/** Prints the card, and writes what the flags ask for. */
export async function publishCard(card: KeptCard, terms: FormatCardTerms, flags: CardFlags): Promise<Report> {
  const report = createReport(card, terms);
  // A terminal gets what needs a reader.
  const isBrief = process.stdout.isTTY === true && !flags.requests;
  console.log(isBrief ? formatBrief(report) : formatText(report, { requests: flags.requests === true }));
  for (const file of flags.card?.split(",") ?? []) {
    await writeFile(file, formatCard(card, formsByEnding[extname(file)]!, terms));
    console.error(`The card is in ${file}.`);
  }
  await writeExceptions(flags, report);
  return report;
}

/** `deno task` runs in the folder of this checkout, and the files belong to the folder of the user. */
export function enterFolderOfUser(): void {
  if (!runsAsTask()) return;
  const { INIT_CWD } = process.env;
  const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
  if (INIT_CWD !== undefined && process.cwd() === checkout) process.chdir(INIT_CWD);
}

async function readBaseline(path: string | undefined): Promise<KeptCard | undefined> {
  if (path === undefined) return undefined;
  const text = await readTextFile(path, "--baseline");
  try {
    return readCard(text);
  } catch (cause) {
    throw new CommandError(`--baseline ${path}: ${(cause as Error).message}`, { cause });
  }
}
