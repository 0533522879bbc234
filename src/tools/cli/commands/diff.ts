/** `postern diff`: compares the metadata of a provider with that of a running server. */

import { defaultIssuer } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError } from "../terminal/command_error.ts";
import { compareMetadata, describeDifference, onlyTheirs } from "../learn/compare_metadata.ts";
import { fetchProvider } from "../learn/fetch_provider.ts";
import { portFlag, readServerFlags, urlFlag } from "../client/server_flags.ts";
import { loadMetadata } from "../client/server_metadata.ts";
import { printText } from "../terminal/print_text.ts";

export const diff: Command = createCommand({
  usage: "diff URL [flags]",
  summary: "Compare a provider with the running server.",
  notes: () =>
    "It compares the metadata, member by member. Endpoints below the two issuers count as equal.\n" +
    "The exit code is 0 without a difference, and 1 otherwise.",
  flags: {
    issuer: { ...urlFlag, help: `The issuer of the running server. Default: ${defaultIssuer}.` },
    port: portFlag,
    "only-theirs": { help: "Leave out what only the running server has." },
  },
  operands: 1,
  async run({ flags, operands: [url = ""] }) {
    if (!urlFlag.accepts(url)) throw new CommandError("diff needs the URL of a provider");
    const issuer = readServerFlags(flags) ?? defaultIssuer;
    const { metadata } = await fetchProvider(url);
    const all = compareMetadata(metadata, (await loadMetadata(issuer)).metadata);
    const differences = flags["only-theirs"] ? onlyTheirs(all) : all;
    if (differences.length === 0) {
      return printText(
        `${issuer} has ${all.length === 0 ? "the same metadata" : "all that the provider has"}.`,
      );
    }
    printText(differences.map(describeDifference).join("\n"));
    throw new CommandError("the metadata differs", { exitCode: 1, isReported: true });
  },
});
