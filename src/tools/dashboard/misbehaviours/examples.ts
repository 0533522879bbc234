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
  const options = `--scope orders${area === "proof" ? " --dpop" : ""} --only ${name}`;
  const command = `${program} examine-api --url http://localhost:3000/orders \\\n  ${options}`;
  const api = isOfApi ? [{ kind: "examineApi" as const, text: command }] : [];
  if (area === "proof") return api;
  const ofKit = (...lines: readonly string[]) => ({ kind: "kit" as const, text: lines.join("\n") });
  // Only a program shows certificates.
  if (area === "certificate") {
    return [ofKit(
      'const certificate = await as.certificate("app");',
      `const card = await examineApi({ as, call, certificate, only: ["${name}"] });`,
    )];
  }
  const examine = { kind: "examine" as const, text: `${program} examine --only ${name} -- npm test` };
  if (faultySideOf(name) === "client") {
    return [examine, ofKit(`const { rows } = await examine({ client: logIn, only: ["${name}"] });`)];
  }
  return [
    { kind: "cli", text: `${program} start --misbehave ${name}` },
    ...(isOfApi ? api : [examine]),
    isOfApi ? ofKit(`const { token, verdict } = await as.forge("${name}");`) : ofKit(
      `using wrong = as.misbehave("${name}");`,
      "const { outcome, because } = await wrong.settled(logIn());",
    ),
    { kind: "http", text: writeCurl(name, call) },
  ];
}

function writeCurl(name: string, { watched: { services, kit }, sessions }: PageCall): string {
  const { origin } = new URL(services.settings.issuer);
  return writeCall({
    url: `${origin}${controlBase(kit?.name || undefined)}/misbehaviours`,
    tokenVariable: sessions.control === undefined ? undefined : controlTokenVariable,
    json: { name, times: 1 },
  });
}
