/** `postern examine-api`: sends every faulty token to an API, and writes a card of what the API refused. */

import process from "node:process";
import { levels } from "../../../kit/faults/misbehaviour.ts";
import type { Area, MisbehaviourName } from "../../../kit/faults/names.ts";
import { keepCard } from "../../../kit/examine/card/kept_card.ts";
import { examineApi, type ExamineApiTerms } from "../../../kit/examine/examine_api.ts";
import { isRefusedBy, type RefusedBy } from "../../../kit/examine/refused_by.ts";
import { createMock, type Mock } from "../../../kit/mock/mock.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { pause } from "../../../server/runtime/real_timer.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import { portFrom, urlFlag } from "../client/server_flags.ts";
import { readConfigurationFile } from "../configuration/configuration_file.ts";
import type { FlagsRead } from "../terminal/flags.ts";
import { cardFlags, enterFolderOfUser, publishCard, readCardTerms } from "../examine/card_files.ts";
import { chooseNames, levelFlag, onlyFlag, readLevels } from "./misbehaviours.ts";
import { present } from "../../../ground/values/present.ts";
import { printNotice } from "../terminal/print_text.ts";

const table = {
  url: { ...urlFlag, help: "The URL of the API, which the right token may read." },
  method: {
    value: "METHOD",
    help: "The method of the requests. Default: GET.",
    accepts: (text: string) => /^[A-Z]+$/.test(text),
    expected: "a method in capitals, such as GET",
  },
  scope: {
    value: "SCOPE",
    separator: " ",
    help: "The scope that the request needs (several with spaces).",
  },
  audience: { value: "AUDIENCE", help: "The aud that names the API. Default: the issuer." },
  claims: {
    value: "JSON",
    help: 'Claims that the API needs in each token, such as \'{"acr":"mfa"}\'.',
    accepts: (text: string) => parseJsonObject(text) !== undefined,
    expected: 'a JSON object, such as \'{"acr":"mfa"}\'',
  },
  dpop: { help: "Bind all tokens to a key by DPoP, and send faulty proofs, too." },
  "refused-by": {
    value: "HOW",
    separator: ",",
    help: "What also counts as a refusal: redirect, status:NUMBER or body:TEXT (several with commas).",
    accepts: (text: string) => splitRefusedBy(text).every(isRefusedBy),
    expected: "redirect, status:NUMBER or body:TEXT, or several with commas",
  },
  port: { ...portFrom(0), help: "The port of the server that issues the tokens. Default: 9000." },
  wait: {
    value: "SECONDS",
    help: "How long to wait for the API to accept the right token. Default: 10.",
    accepts: (text: string) => /^\d{1,4}$/.test(text),
    expected: "a number of seconds",
  },
  config: { value: "FILE", help: "Clients, people and more, as for start. Default: the demo configuration." },
  only: onlyFlag,
  level: levelFlag,
  ...cardFlags,
} as const;

/** The text after `body:` may have commas, too. */
function splitRefusedBy(text: string): readonly RefusedBy[] {
  return text.split(/,(?=redirect(?:,|$)|status:|body:)/) as RefusedBy[];
}

type FlagValues = FlagsRead<typeof table>["flags"];

export const examineApiCommand: Command = createCommand({
  usage: "examine-api --url URL [flags]",
  summary: "Send faulty tokens to an API, and say which of them the API accepted.",
  notes: (program) =>
    `Example: ${program} examine-api --url http://localhost:3000/orders --scope orders --level must\n\n` +
    "The command starts a server, and your API must accept its tokens: the issuer is http://localhost:9000, or the one\n" +
    "of --port. The exit code is 1 if the API accepted a token that it must refuse, or the other way round.",
  flags: table,
  async run({ flags }) {
    const { url } = flags;
    if (url === undefined) throw new CommandError("examine-api needs --url, the URL of the API");
    enterFolderOfUser();
    const terms = await readCardTerms(flags);
    const only = readOnly(flags);
    const as = await openServer(flags);
    let hasFailed = true;
    try {
      const card = keepCard(await examineFrom(as, url, only, flags));
      const report = await publishCard(card, terms, flags);
      hasFailed = report.rows.some(({ isFailure }) => isFailure);
    } finally {
      await as.close();
    }
    process.exit(hasFailed ? 1 : 0);
  },
});

function readOnly({ only, level }: FlagValues): Pick<ExamineApiTerms, "only" | "level"> {
  const names = only?.split(",") ?? [];
  const chosen = readLevels(level) ?? levels;
  chooseNames(names, chosen);
  return {
    level: chosen,
    ...present({ only: names.length === 0 ? undefined : names as (MisbehaviourName | Area)[] }),
  };
}

async function openServer({ config, port = "9000" }: FlagValues): Promise<Mock> {
  const { configuration } = await readConfigurationFile(config);
  const { issuer: _issuer, login: _login, ...others } = configuration;
  const as = await createMock({ time: () => Date.now() / 1000, ...others });
  try {
    await as.listen({ port: Number(port) });
    return as;
  } catch (cause) {
    await as.close();
    throw failed(`cannot listen on port ${port}: ${(cause as Error).message}`, cause);
  }
}

async function examineFrom(
  as: Mock,
  url: string,
  only: Pick<ExamineApiTerms, "only" | "level">,
  { method = "GET", scope, audience, claims, dpop, "refused-by": refusedBy, wait = "10" }: FlagValues,
) {
  printNotice(`The server is ${as.issuer}. Waiting until ${url} accepts its tokens.`);
  const terms: ExamineApiTerms = {
    as,
    call: async (token, proof) => {
      const headers: Record<string, string> = proof === undefined
        ? { authorization: `Bearer ${token}` }
        : { authorization: `DPoP ${token}`, dpop: proof };
      const answer = await fetch(url, { method, headers, redirect: "manual" });
      // Read at once, because an answer that is not read keeps its connection.
      return new Response(await answer.text() || null, { status: answer.status, headers: answer.headers });
    },
    // Without it, the audience would be the only configured resource.
    audience: audience ?? as.issuer,
    ...present({ claims: claims === undefined ? undefined : parseJsonObject(claims) }),
    ...present({ scope, dpop: dpop ? { url, method } : undefined }),
    ...present({ refusedBy: refusedBy === undefined ? undefined : splitRefusedBy(refusedBy) }),
    ...only,
  };
  const deadline = performance.now() + Number(wait) * 1000;
  while (true) {
    try {
      return await examineApi(terms);
    } catch (error) {
      // Other errors, such as an unknown scope, stay.
      const isWaiting = error instanceof Error && error.name === "Error" && performance.now() < deadline;
      if (!isWaiting) throw failed((error as Error).message, error);
      await pause(0.25);
    }
  }
}
