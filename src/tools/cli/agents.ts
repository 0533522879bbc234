/** `postern init --agents`: tells coding agents about Postern, in the files AGENTS.md and .mcp.json of a project. */

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import section from "../../../static/agents.md" with { type: "text" };
import { isJsonObject, parseJsonObject } from "../../server/schema/json_object.ts";
import { CommandError } from "./command_error.ts";
import { readTextFile } from "./read_text_file.ts";
import { type FormValues, writeForm } from "./write_form.ts";

const start = "<!-- postern: begin -->", end = "<!-- postern: end -->";

/** Returns what it has written. `mcp` is the command of the MCP server. Without it, only AGENTS.md changes. */
export async function tellAgents(folder: string, values: FormValues, mcp?: string[]): Promise<string> {
  if (!existsSync(folder)) throw new CommandError(`there is no folder ${folder}`);
  const text = [start, ...writeForm(section, { ...values, mcp: mcp !== undefined }), end].join("\n");
  const notes = join(folder, "AGENTS.md"), servers = join(folder, ".mcp.json");
  const readOld = (path: string) => existsSync(path) ? readTextFile(path, path) : "";
  const old = await readOld(notes), marked = new RegExp(`${start}[^]*${end}`);
  const entry = mcp && { postern: { command: mcp[0], args: mcp.slice(1) } };
  const added = entry && addServer(await readOld(servers), entry, servers);
  const more = marked.test(old) ? old.replace(marked, () => text) : `${old && `${old}\n`}${text}\n`;
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
