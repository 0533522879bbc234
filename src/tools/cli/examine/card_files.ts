/** Reads and writes the card files of `postern examine` and `postern examine-api`. */

import { writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { CardForm } from "../../../kit/examine/card/card_form.ts";
import { formatBrief } from "../../../kit/examine/card/format_brief.ts";
import { formatCard } from "../../../kit/examine/card/format_card.ts";
import { type KeptCard, readCard } from "../../../kit/examine/card/kept_card.ts";
import { formatText } from "../../../kit/examine/card/format_text.ts";
import type { Report } from "../../../kit/examine/card/report.ts";
import { CommandError } from "../command_error.ts";
import type { Flag } from "../flags.ts";
import { runsAsTask } from "../program.ts";
import { readTextFile } from "../read_text_file.ts";

const formsByEnding: Readonly<Record<string, CardForm>> = {
  ".html": "html",
  ".json": "json",
  ".md": "markdown",
  ".txt": "text",
  ".xml": "junit",
};
const endings = Object.keys(formsByEnding).join(", ");

export const cardFlag: Flag & { readonly value: string } = {
  value: "FILES",
  help: `Write the card to these files (several with commas). Their endings choose the form: ${endings}.`,
  accepts: (text: string) => text.split(",").every((file) => Object.hasOwn(formsByEnding, extname(file))),
  expected: `files that end with ${endings}`,
};

/** Prints what needs a reader in a terminal, and the whole card elsewhere. `requests` asks for those of every row. */
export function printCard(report: Report, { requests = false }: { readonly requests?: boolean } = {}): void {
  const isBrief = process.stdout.isTTY === true && !requests;
  console.log(isBrief ? formatBrief(report) : formatText(report, { requests }));
}

export async function writeCards(
  files: string | undefined,
  card: KeptCard,
  baseline: KeptCard | undefined,
): Promise<void> {
  for (const file of files?.split(",") ?? []) {
    await writeFile(file, formatCard(card, formsByEnding[extname(file)]!, baseline && { baseline }));
    console.error(`The card is in ${file}.`);
  }
}

/** `deno task` runs in the folder of this checkout, and the files belong to the folder of the user. */
export function enterFolderOfUser(): void {
  if (!runsAsTask()) return;
  const { INIT_CWD } = process.env;
  const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
  if (INIT_CWD !== undefined && process.cwd() === checkout) process.chdir(INIT_CWD);
}

export async function readBaseline(path: string | undefined): Promise<KeptCard | undefined> {
  if (path === undefined) return undefined;
  const text = await readTextFile(path, "--baseline");
  try {
    return readCard(text);
  } catch (cause) {
    throw new CommandError(`--baseline ${path}: ${(cause as Error).message}`, { cause });
  }
}
