/** `postern trust`: prints how programs and systems trust the authority of `start --tls`. It installs nothing. */

import { existsSync } from "node:fs";
import process from "node:process";
import { type Command, createCommand } from "../terminal/command.ts";
import { failed } from "../terminal/command_error.ts";
import { nameProgram } from "../terminal/program.ts";
import { findAuthority, tlsNameFlag } from "../tls/authority_place.ts";
import { readCertificate } from "../tls/open_authority.ts";
import { describeTrust } from "../tls/trust_text.ts";
import { printResult, printText } from "../terminal/print_text.ts";

export const trust: Command = createCommand({
  usage: "trust [flags]",
  summary: "Print how programs trust the authority of start --tls.",
  notes: () => "It prints commands for each system and for well-known programs, and changes nothing itself.",
  flags: {
    "tls-name": { ...tlsNameFlag, help: "The authority of start --tls --tls-name NAME." },
    path: { help: "Print the path of the certificate only." },
  },
  async run({ flags: { path, "tls-name": name } }) {
    const place = findAuthority(name, process);
    const { folder, certFile } = place;
    if (!existsSync(folder)) {
      throw failed(
        `there is no authority in ${folder} yet: "${nameProgram()} start ${place.flags}" makes it`,
      );
    }
    const certificate = await readCertificate(place, Date.now() / 1000);
    const alias = name === undefined ? "postern" : `postern-${name.toLowerCase()}`;
    // A program reads the path.
    if (path) return printResult(certFile);
    printText(describeTrust({ place, certificate, alias, platform: process.platform }));
  },
});
