/** `postern init`: writes a configuration file to start from, or tells coding agents about Postern. */

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import section from "../../../../static/agents.md" with { type: "text" };
import { createRandomBytes, randomText } from "../../../ground/crypto/bytes.ts";
import { createConfigurationSchema } from "../../../server/configuration_schema.ts";
import { isJsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import { createCommandWords } from "../../../ground/values/quote_word.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import firstConfiguration from "../configuration/first_configuration.jsonc" with { type: "text" };
import { findCheckout, listWordsForAnyFolder, nameProgram } from "../terminal/program.ts";
import { newConfigurationFile, readTextFile, writeNewFile } from "../configuration/text_file.ts";
import { type FormValues, writeForm } from "../forms/write_form.ts";
import { printText } from "../terminal/print_text.ts";

export const init: Command = createCommand({
  usage: "init [file] [flags]",
  summary: "Write a configuration file to start from.",
  notes: () =>
    `The file is ${newConfigurationFile}, or the given one. Its comments explain each part.\n` +
    "If there is such a file already, the command changes nothing.",
  flags: {
    agents: {
      help:
        "Instead, tell coding agents about Postern: write a section of AGENTS.md in the folder that the " +
        "argument names, or in this one. Another run replaces it.",
    },
    mcp: { help: "With --agents: also write the command mcp into .mcp.json, which starts tools for agents." },
  },
  operands: 1,
  async run({ flags, operands: [given] }) {
    if (flags.agents) return printText(await writeForAgents(given, flags.mcp));
    if (flags.mcp) throw new CommandError("--mcp needs --agents");
    const file = given ?? newConfigurationFile;
    const { quote, notes } = createCommandWords("all");
    const named = quote(file, "FILE", "this file");
    const spell = (words: string) => `${nameProgram()} ${words} --config ${named}`;
    const knownSchema = findFile(dirname(resolve(file)), "static/configuration.schema.json");
    const newSchema = `${basename(file, extname(file))}.schema.json`;
    const lines = writeForm(firstConfiguration, {
      START_COMMAND: [...notes, `${spell("start")} --watch`],
      SCHEMA: JSON.stringify(knownSchema ?? `./${newSchema}`).slice(1, -1),
      SECRET: randomText(createRandomBytes(), 32),
    });
    // The usual mode, because teams share the file, and its secret is for development only.
    await writeNewFile(file, `${lines.join("\n")}\n`, "Name another file, such as postern.dev.jsonc");
    const schemaFile = knownSchema === undefined ? join(dirname(file), newSchema) : undefined;
    if (schemaFile !== undefined) await writeSchema(schemaFile);
    printText(describeNextSteps(file, spell, notes, schemaFile));
  },
});

async function writeForAgents(folder = ".", hasMcp: true | undefined): Promise<string> {
  const found = findFile(resolve(folder), "llms.txt");
  const docs = found === undefined ? "`llms.txt` of the package postern" : `\`${found}\``;
  const words = hasMcp && [...listWordsForAnyFolder(), "mcp"];
  return await tellAgents(folder, { PROGRAM: nameProgram(), DOCS: docs }, words);
}

/** Returns the address of a file of the package that the project of the folder has, relative to the folder. */
function findFile(folder: string, name: string): string | undefined {
  const path = listAncestors(folder)
    .map((each) => join(each === findCheckout() ? each : join(each, "node_modules/postern"), name))
    .find((each) => existsSync(each));
  return path && relative(folder, path).replaceAll("\\", "/").replace(/^(?!\.\.\/)/, "./");
}

function listAncestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listAncestors(parent)];
}

async function writeSchema(path: string): Promise<void> {
  const text = `${JSON.stringify(createConfigurationSchema(), null, 2)}\n`;
  await writeFile(path, text, { flag: "wx" }).catch((error: Error & { readonly code?: string }) => {
    if (error.code === "EEXIST") return;
    throw failed(`${path} cannot be written: ${error.message}`, error);
  });
}

function describeNextSteps(
  file: string,
  spell: (words: string) => string,
  notes: readonly string[],
  schemaFile?: string,
): string {
  return [
    `${file} is written: two applications (web and app), two people (alice and bob), scopes and an API.`,
    "The secret of web is random, and for development only. Each setting is explained in the file.",
    ...schemaFile === undefined
      ? []
      : [`${schemaFile} is beside it, so that editors check the file and complete its keys.`],
    "",
    "Start the server, in a POSIX shell or PowerShell. It applies each change of the file:",
    "",
    ...notes.map((note) => `  ${note}`),
    `  ${spell("start")} --watch`,
    "",
    "In another terminal, get a token for alice:",
    "",
    `  ${spell("token alice")}`,
  ].join("\n");
}

const start = "<!-- postern: begin -->", end = "<!-- postern: end -->";

/** Returns what it has written. `mcp` is the command of the MCP server. Without it, only AGENTS.md changes. */
async function tellAgents(folder: string, values: FormValues, mcp?: string[]): Promise<string> {
  if (!existsSync(folder)) throw new CommandError(`there is no folder ${folder}`);
  const text = [start, ...writeForm(section, { ...values, mcp: mcp !== undefined }), end].join("\n");
  const notes = join(folder, "AGENTS.md"), servers = join(folder, ".mcp.json");
  const readOld = (path: string) => existsSync(path) ? readTextFile(path, path) : "";
  const old = await readOld(notes), from = old.indexOf(start), to = old.lastIndexOf(end);
  const entry = mcp && { postern: { command: mcp[0], args: mcp.slice(1) } };
  const added = entry && addServer(await readOld(servers), entry, servers);
  const more = from !== -1 && to > from
    ? old.slice(0, from) + text + old.slice(to + end.length)
    : `${old && `${old}\n`}${text}\n`;
  await writeFile(notes, more);
  if (added !== undefined) await writeFile(servers, added);
  const ofMcp = entry && `\n\n${servers} has this server:\n\n${JSON.stringify(entry, null, 2)}`;
  return `${notes} has this section:\n\n${text}${ofMcp ?? ""}`;
}

/** Returns the text with the server, in place of one with the same name. The other members stay. */
function addServer(old: string, entry: object, path: string): string {
  const whole = parseJsonObject(old || "{}") ?? { mcpServers: old };
  const { mcpServers = {} } = whole;
  if (!isJsonObject(mcpServers)) throw new CommandError(`${path} is not JSON with an object "mcpServers"`);
  const indent = /^[ \t]+/m.exec(old)?.[0] ?? 2;
  return `${JSON.stringify({ ...whole, mcpServers: { ...mcpServers, ...entry } }, null, indent)}\n`;
}
