/** Writes how to use a misbehaviour without the pages: on the command line, in the test kit, and over HTTP. */

import { writeCall } from "../../../server/client/write_request.ts";
import { controlTokenVariable } from "../../guard/control_token.ts";
import { controlBase } from "../../guard/control_paths.ts";
import { areaOf, faultySideOf, type MisbehaviourName } from "../../../kit/faults/names.ts";
import type { MisbehaviourProps } from "./misbehaviour_page.tsx";
import type { PageCall } from "../page.ts";

export function writeExamples(name: MisbehaviourName, call: PageCall): MisbehaviourProps["examples"] {
  const area = areaOf(name);
  const isOfApi = area === "proof" || area === "access_token";
  const { program } = call;
  const api = isOfApi
    ? [{ kind: "examineApi" as const, text: `${program} ${writeExamineApi(name, area === "proof")}` }]
    : [];
  if (area === "proof") return api;
  // Only a program shows certificates.
  if (area === "certificate") return [{ kind: "kit", text: writeCertificate(name) }];
  const examine = { kind: "examine" as const, text: `${program} examine --only ${name} -- npm test` };
  if (faultySideOf(name) === "client") return [examine, { kind: "kit", text: writeExamine(name) }];
  return [
    { kind: "cli", text: `${program} start --misbehave ${name}` },
    ...api,
    ...(isOfApi ? [] : [examine]),
    { kind: "kit", text: isOfApi ? writeForgery(name) : writeMisbehave(name) },
    { kind: "http", text: writeCurl(name, call) },
  ];
}

function writeExamineApi(name: string, withDpop: boolean): string {
  const options = `--scope orders${withDpop ? " --dpop" : ""} --only ${name}`;
  return `examine-api --url http://localhost:3000/orders \\\n  ${options}`;
}

function writeExamine(name: string): string {
  return `const { rows } = await examine({ client: logIn, only: ["${name}"] });`;
}

function writeMisbehave(name: string): string {
  return `using wrong = as.misbehave("${name}");\n` +
    "const { outcome, because } = await wrong.settled(logIn());";
}

function writeForgery(name: string): string {
  return `const { token, verdict } = await as.forge("${name}");`;
}

function writeCertificate(name: string): string {
  return 'const certificate = await as.certificate("app");\n' +
    `const card = await examineApi({ as, call, certificate, only: ["${name}"] });`;
}

function writeCurl(name: string, { watched: { services, kit }, sessions }: PageCall): string {
  const { origin } = new URL(services.settings.issuer);
  return writeCall({
    url: `${origin}${controlBase(kit?.name || undefined)}/misbehaviours`,
    tokenVariable: sessions.control === undefined ? undefined : controlTokenVariable,
    json: { name, times: 1 },
  });
}
