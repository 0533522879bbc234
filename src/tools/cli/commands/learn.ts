/** `postern learn`: writes a configuration that looks like a provider. */

import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { stat } from "node:fs/promises";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError } from "../terminal/command_error.ts";
import {
  type ConfigurationFile,
  explainingSetUp,
  readConfigurationFile,
} from "../configuration/configuration_file.ts";
import { readJsonFile } from "../configuration/json_file.ts";
import { fetchProvider, isMetadata } from "../learn/fetch_provider.ts";
import { learnAuth0 } from "../learn/learn_auth0.ts";
import {
  chooseScopes,
  createContext,
  type LearnContext,
  learnSecret,
  requirePlain,
} from "../learn/learn_parts.ts";
import { isRealm, learnRealm } from "../learn/learn_realm.ts";
import { objectOf, part, type Parts, partsOf } from "../learn/part.ts";
import { isNaviktConfiguration } from "../configuration/navikt/navikt_configuration.ts";
import { parseJsonc } from "../configuration/parse_jsonc.ts";
import { learnHar } from "../learn/learn_har.ts";
import { isHar } from "../learn/read_har.ts";
import { learnMetadata, type Provider } from "../learn/learn_metadata.ts";
import { describeConfigured, type Learned, writeLearned } from "../learn/write_learned.ts";
import { createCommandWords } from "../../../ground/values/quote_word.ts";
import { nameProgram } from "../terminal/program.ts";
import { portFrom, readServerFlags } from "../client/server_flags.ts";
import { newConfigurationFile, writeNewFile } from "../configuration/text_file.ts";
import { printText } from "../terminal/print_text.ts";

export const learn: Command = createCommand({
  usage: "learn URL|FILE [file] [flags]",
  summary: "Write a configuration that looks like a provider.",
  notes: () =>
    "URL is the issuer of a provider, or the address of its metadata. FILE is saved metadata,\n" +
    "a HAR of one login, the export of a Keycloak realm, the folder of an Auth0 export\n" +
    "(--format=directory), or a file for mock-oauth2-server.\n" +
    `The written file is ${newConfigurationFile}, or the given one. A file that exists stays as it is.`,
  flags: {
    port: { ...portFrom(1), help: "The port of the issuer in the written file. Default: 9000." },
    metadata: { value: "URL|FILE", help: "The metadata of the provider, which a HAR may lack." },
    "keep-secrets": { help: "Keep the secrets of clients that an export has. Default: random ones." },
  },
  operands: 2,
  async run({ flags, operands: [source, file = newConfigurationFile] }) {
    if (source === undefined) throw new CommandError("learn needs the URL of a provider, or a file");
    const origin = readServerFlags(flags) ?? defaultIssuer;
    const keepsSecrets = flags["keep-secrets"] ?? false;
    const usual = await describeConfigured({ issuer: defaultIssuer });
    const context = createContext({ origin, keepsSecrets, usual });
    const learned = await learnSource(source, flags.metadata, context);
    const { text, notes } = await writeLearned(learned, context).catch((error: unknown) =>
      explainingSetUp({ locate: () => "what was learned", flags: {} }, () => {
        throw error;
      })
    );
    // A program that knows only JSON may read the file.
    const isPlain = file.endsWith(".json");
    const plain = isPlain ? JSON.stringify(parseJsonc(text), null, 2) + "\n" : text;
    await writeNewFile(file, plain, "Name another file: learn SOURCE other.jsonc");
    const port = flags.port === undefined ? "" : ` --port ${flags.port}`;
    const { quote, notes: leftOut } = createCommandWords("all");
    const named = quote(file, "FILE", "the written file");
    printText([
      `${file} is written.${isPlain ? "" : " Each line says where its value comes from."}`,
      ...notes.length === 0 ? [] : [
        "",
        "What a server with this file does not do as the provider:",
        "",
        ...notes.map((note) => `- ${note}`),
      ],
      "",
      "Start the server, in a POSIX shell or PowerShell:",
      "",
      ...[...leftOut, `${nameProgram()} start --config ${named}${port}`].map((line) => `  ${line}`),
    ].join("\n"));
  },
});

/** `metadata` is that of the provider of a HAR: a URL or a file. */
async function learnSource(
  source: string,
  metadata: string | undefined,
  context: LearnContext,
): Promise<Learned> {
  if (metadata === undefined) {
    if (isUrl(source)) return learnProvider(await fetchProvider(source), context);
    if (await isFolder(source)) return { parts: await learnAuth0(source, context) };
  }
  const { value } = await readJsonFile(source, "learn");
  if (isHar(value)) {
    return learnHar(value, context, metadata === undefined ? undefined : await loadProvider(metadata));
  }
  if (metadata !== undefined) throw new CommandError(`--metadata completes a HAR, and ${source} is none`);
  if (isMetadata(value)) return learnProvider({ metadata: value }, context);
  if (isRealm(value)) return { parts: learnRealm(value, context) };
  if (isNaviktConfiguration(value)) {
    return { parts: learnNavikt(await readConfigurationFile(source), context) };
  }
  throw new CommandError(
    `${source} is no metadata of a provider, no HAR, no realm of Keycloak and no file for mock-oauth2-server`,
  );
}

function isUrl(source: string): boolean {
  return /^https?:/.test(source);
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isDirectory(), () => false);
}

async function loadProvider(source: string): Promise<Provider> {
  if (isUrl(source)) return await fetchProvider(source);
  const { value } = await readJsonFile(source, "--metadata");
  if (isMetadata(value)) return { metadata: value };
  throw new CommandError(`${source} is no metadata of a provider`);
}

function learnProvider(provider: Provider, context: LearnContext): Learned {
  return { parts: learnMetadata(provider, context), metadata: provider.metadata };
}

function learnNavikt(
  { configuration, notCarriedOver = [], issuerPath = "/default" }: ConfigurationFile,
  context: LearnContext,
): Parts {
  const from = "From the file for mock-oauth2-server.";
  for (const { place, instead } of notCarriedOver) {
    context.leaveOut("A part of the file has no equivalent.", [place, instead]);
  }
  const { clients, issuer = context.origin + issuerPath, scopes = {}, ...others } = configuration;
  const names = chooseScopes(Object.keys(scopes), context);
  const items = clients?.map(({ client_secret: secret, ...client }) => ({
    members: { ...partsOf(client, from), client_secret: secret ? learnSecret(secret, context) : undefined },
    from,
  }));
  return {
    issuer: part(requirePlain(issuer), from),
    scopes: objectOf(partsOf(Object.fromEntries(names.map((name) => [name, scopes[name]])), from), from),
    ...partsOf(others, from),
    clients: items && { items, from },
  };
}
