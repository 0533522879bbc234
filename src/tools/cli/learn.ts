/** `postern learn`: writes a configuration that looks like a provider. */

import { defaultIssuer } from "../../server/oauth/clients/reached_from_elsewhere.ts";
import type { Command } from "./command.ts";
import { CommandError } from "./command_error.ts";
import { explainingSetUp } from "./configuration_file.ts";
import { readFlags } from "./flags.ts";
import { readJsonFile } from "./json_file.ts";
import { fetchProvider, isMetadata } from "./learn/fetch_provider.ts";
import { isHar, learnHar } from "./learn/learn_har.ts";
import { learnMetadata, type LearnOptions, type Provider } from "./learn/learn_metadata.ts";
import { describeConfigured, type Learned, writeLearned } from "./learn/write_learned.ts";
import { nameProgram } from "./program.ts";
import { quotePath } from "./quote_path.ts";
import { portFrom, readServerFlags } from "./server_flags.ts";
import { writeNewFile } from "./write_new_file.ts";

// Not .json, because editors report the comments in such a file as mistakes.
const defaultFile = "postern.jsonc";

const table = {
  port: { ...portFrom(1), help: "The port of the issuer in the written file. Default: 9000." },
} as const;

export const learn: Command = {
  usage: "learn URL|FILE [file] [flags]",
  summary: "Write a configuration that looks like a provider.",
  notes: () =>
    "URL is the issuer of a provider, or the address of its metadata. FILE is saved metadata, or a HAR of one login.\n" +
    `The written file is ${defaultFile}, or the given one. A file that exists stays as it is.`,
  flags: table,
  async run(args) {
    const { flags, operands: [source, file = defaultFile] } = readFlags(args, table, { operands: 2 });
    if (source === undefined) throw new CommandError("learn needs the URL of a provider, or a file");
    const origin = readServerFlags(flags) ?? defaultIssuer;
    const options = { origin, usual: await describeConfigured({ issuer: defaultIssuer }) };
    const learned = /^https?:/.test(source)
      ? learnProvider(await fetchProvider(source), options)
      : await learnFile(source, options);
    const { text, notes } = await writeLearned(learned, options.usual).catch((error: unknown) =>
      explainingSetUp({ locate: () => "what was learned", flags: {} }, () => {
        throw error;
      })
    );
    await writeNewFile(file, text, "Name another file: learn SOURCE other.jsonc");
    console.log([
      `${file} is written. Each line says where its value comes from.`,
      ...notes.length === 0 ? [] : [
        "",
        "What a server with this file does not do as the provider:",
        "",
        ...notes.map((note) => `- ${note}`),
      ],
      "",
      "Start the server:",
      "",
      `  ${nameProgram()} start --config ${quotePath(file)}${
        flags.port === undefined ? "" : ` --port ${flags.port}`
      }`,
    ].join("\n"));
  },
};

function learnProvider(provider: Provider, options: LearnOptions): Learned {
  return { parts: learnMetadata(provider, options), leftOut: [], metadata: provider.metadata };
}

async function learnFile(path: string, options: LearnOptions): Promise<Learned> {
  const { value } = await readJsonFile(path, "learn");
  if (isMetadata(value)) return learnProvider({ metadata: value }, options);
  if (isHar(value)) return learnHar(value, options);
  throw new CommandError(`${path} is neither metadata of a provider nor a HAR`);
}
