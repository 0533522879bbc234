/** Checks blocks that are not programs: a file that can be parsed and, if it configures Postern, is accepted. */

import { type Configuration, createConfigurationSchema, createServer } from "../../src/mod.ts";
import { existsSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import type { Block } from "./blocks.ts";

/** Throws if the text is not correct. */
export const checks: Readonly<Record<string, (block: Block) => void | Promise<void>>> = {
  json: checkJson,
  jsonc: checkJson,
  yaml({ text }) {
    for (const { errors, warnings } of parseAllDocuments(text)) {
      for (const error of [...errors, ...warnings]) throw error;
    }
  },
  properties({ text }) {
    for (const line of text.replace(/\\\n/g, "").split("\n")) {
      if (!/^\s*([#!].*)?$|^\s*[\w.\-[\]]+\s*[=:]/.test(line)) throw new Error(`not a property: ${line}`);
    }
  },
};

async function checkJson({ text, name, words }: Block): Promise<void> {
  const { $schema, ...value } = JSON.parse(withoutComments(text)) as Readonly<Record<string, unknown>>;
  // Flags of the command line complete this configuration.
  if (words.includes("by-hand")) return;
  if (typeof $schema === "string" && !$schema.includes("://") && !existsSync($schema)) {
    throw new Error(`there is no ${$schema}`);
  }
  const keys = new Set(Object.keys(createConfigurationSchema().properties ?? {}));
  const isConfiguration = /configuration\.schema\.json$/.test(`${$schema}`) ||
    /^postern.*\.jsonc?$/.test(name ?? "") ||
    (Object.keys(value).length > 0 && Object.keys(value).every((key) => keys.has(key)));
  if (isConfiguration) await createServer(value as Configuration).close();
  else if ("client_id" in value) await createServer({ clients: [value] } as unknown as Configuration).close();
}

/** Removes comments and trailing commas, but not those in a string. */
function withoutComments(text: string): string {
  return text
    .replace(/("(?:\\.|[^"\\])*")|\/\/.*$|\/\*[^]*?\*\//gm, (_all, string = "") => string)
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_all, string = "") => string);
}
