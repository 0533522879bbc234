/** Reads and writes the card files of `postern examine` and `postern examine-api`. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname, isAbsolute, relative, resolve } from "node:path";
import process from "node:process";
import type { CardForm, FormatCardTerms } from "../../../kit/examine/card/card_form.ts";
import { formatBrief } from "../../../kit/examine/card/format_brief.ts";
import { formatCard } from "../../../kit/examine/card/format_card.ts";
import { type KeptCard, readCard } from "../../../kit/examine/card/kept_card.ts";
import { formatText } from "../../../kit/examine/card/format_text.ts";
import { createReport, type Report } from "../../../kit/examine/card/report.ts";
import { findLoginLine, type SourceLine } from "../../../kit/examine/card/source_lines.ts";
import { appendSummary, findRootFolder, printAnnotations, writesForGithub } from "./github.ts";
import { CommandError, explaining } from "../terminal/command_error.ts";
import type { Flag, GivenFlags } from "../terminal/flags.ts";
import { findCheckout } from "../terminal/program.ts";
import { explainMissingFile, readTextFile } from "../configuration/text_file.ts";
import { present } from "../../../ground/values/present.ts";
import { readExceptionsFile, usualExceptionsFile, writeExceptions } from "./exceptions_file.ts";
import { printNotice, printText } from "../terminal/print_text.ts";

const formsByEnding: Readonly<Record<string, CardForm>> = {
  ".html": "html",
  ".json": "json",
  ".md": "markdown",
  ".sarif": "sarif",
  ".txt": "text",
  ".xml": "junit",
};
const endings = Object.keys(formsByEnding).join(", ");

type FileFlagName = "card" | "baseline" | "exceptions" | "driver";
type SwitchName = "write-exceptions" | "requests" | "github";

/** What the user gave of the flags that both examinations have. */
type CardFlags = GivenFlags<FileFlagName, SwitchName>;

export const cardFlags:
  & Readonly<Record<FileFlagName, Flag & { readonly value: string }>>
  & Readonly<Record<SwitchName, { readonly help: string }>> = {
    card: {
      value: "FILES",
      separator: ",",
      help: `Write the card to these files (several with commas). Their endings choose the form: ${endings}.`,
      accepts: (text) => text.split(",").every((file) => Object.hasOwn(formsByEnding, extname(file))),
      expected: `files that end with ${endings}`,
    },
    baseline: { value: "FILE", help: "An earlier card (.json). Then only what got worse is a failure." },
    exceptions: {
      value: "FILE",
      help: `Rows that may fail for a time. Default: ${usualExceptionsFile}, if it is in this folder.`,
    },
    driver: {
      value: "FILE",
      help: "The file of your test, with :LINE if you like: the place of results in .sarif. " +
        "Default: the file in the command.",
    },
    "write-exceptions": {
      help: "Write the rows that failed into a new file of exceptions, for you to complete.",
    },
    github: { help: "Print annotations, and write the summary of the job. Default: in GitHub Actions only." },
    requests: { help: "Print the whole card, with the requests of every row." },
  };

/** Reads the files that say which rows may fail, before anything runs. */
export async function readCardTerms(
  flags: CardFlags,
  command: readonly string[] = [],
): Promise<FormatCardTerms> {
  const baseline = await readCardFile("baseline", flags.baseline);
  const driver = findDriver(flags.driver, command);
  if (driver === undefined && (flags.card?.includes(".sarif") || writesForGithub(flags.github))) {
    printNotice("Alerts and annotations have no line: --driver FILE names the file of your test.");
  }
  return { ...present({ baseline, driver }), exceptions: await readExceptionsFile(flags) };
}

/** Finds the file that the user names, or the first one of the project in the command. */
function findDriver(given: string | undefined, command: readonly string[]): SourceLine | undefined {
  const [, named, line] = /^(.+?)(?::(\d+))?$/.exec(given ?? "") ?? [];
  if (named !== undefined && !isFile(named)) throw new CommandError(`--driver: ${explainMissingFile(named)}`);
  const isOfProject = (path: string) =>
    !/^\.\.|node_modules/.test(relative(".", path)) && !isAbsolute(relative(".", path));
  // A word may be a whole command of a shell.
  const words = command.flatMap((word) => [word, ...word.split(/\s+/)]);
  const path = named ?? words.find((word) => isOfProject(word) && isFile(word));
  if (path === undefined) return undefined;
  const file = relative(findRootFolder(), path).replaceAll("\\", "/");
  return {
    file: file.startsWith("..") ? resolve(path) : file,
    ...present({ line: line ? Number(line) : findLoginLine(readFileSync(path, "utf8")) }),
  };
}

function isFile(path: string): boolean {
  // The first call does not throw for a word that can be no path.
  return existsSync(path) && statSync(path).isFile();
}

/** Prints the card, and writes what the flags ask for. */
export async function publishCard(card: KeptCard, terms: FormatCardTerms, flags: CardFlags): Promise<Report> {
  const report = createReport(card, terms);
  // A terminal gets what needs a reader.
  const isBrief = process.stdout.isTTY === true && !flags.requests;
  printText(isBrief ? formatBrief(report) : formatText(report, { requests: flags.requests === true }));
  for (const file of flags.card?.split(",") ?? []) {
    const text = formatCard(card, formsByEnding[extname(file)]!, terms);
    await writeFile(file, text).catch((cause) => {
      throw new CommandError(`--card ${file}: ${cause.message}`, { cause });
    });
    printNotice(`The card is in ${file}.`);
  }
  if (writesForGithub(flags.github)) {
    printAnnotations(report, terms.driver);
    await appendSummary(formatCard(card, "markdown", terms));
  }
  await writeExceptions(flags, report);
  return report;
}

/** `deno task` runs in the folder of this checkout, and the files belong to the folder of the user. */
export function enterFolderOfUser(): void {
  const { INIT_CWD } = process.env;
  if (INIT_CWD !== undefined && process.cwd() === findCheckout()) process.chdir(INIT_CWD);
}

/** `flag` is the one that names the file. */
export async function readCardFile(flag: string, path: string | undefined): Promise<KeptCard | undefined> {
  if (path === undefined) return undefined;
  const text = await readTextFile(path, `--${flag}`);
  return explaining(Error, ({ message }) => `--${flag} ${path}: ${message}`, () => readCard(text));
}
