/** `postern mcp`: lets a coding agent use a server, by the Model Context Protocol over standard input and output. */

import process from "node:process";
import { formatCard } from "../../../kit/examine/card/format_card.ts";
import { chooseForClients } from "../../../kit/faults/choose.ts";
import type { Level } from "../../../kit/faults/misbehaviour.ts";
import { createRandomBytes, randomText } from "../../../ground/crypto/bytes.ts";
import { loadLibrary } from "../../../ground/values/library.ts";
import { present } from "../../../ground/values/present.ts";
import { type AgentLibrary, type AgentServer, createAgentServer } from "../../control/agents/agent_server.ts";
import { type AgentTool, agentTools, type Reach } from "../../control/agents/agent_tools.ts";
import { misbehaviourLevel } from "../../control/misbehaviour_routes.ts";
import { closedObject, flag, list, text } from "../../../ground/schema/schema_of.ts";
import { controlTokenVariable } from "../../guard/control_token.ts";
import { createColours } from "../terminal/colours.ts";
import { type Command, createCommand } from "../terminal/command.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import { enterFolderOfUser } from "../examine/card_files.ts";
import { examine, examineCommand } from "./examine.ts";
import type { Log } from "../start/log.ts";
import { chooseNames } from "./misbehaviours.ts";
import { sendRequest } from "../client/send_request.ts";
import { portFrom, urlFlag } from "../client/server_flags.ts";
import { startServer } from "../start/start.ts";
import { visitUrl } from "./visit.ts";
import { printNotice } from "../terminal/print_text.ts";

const sdk = "@modelcontextprotocol/server";

type Libraries = [AgentLibrary, { serveStdio(create: () => AgentServer): { close(): Promise<void> } }];

export const mcp: Command = createCommand({
  usage: "mcp [flags]",
  summary: "Let a coding agent use a server, over standard input and output.",
  flags: {
    issuer: {
      ...urlFlag,
      help: `Use this running server. ${controlTokenVariable} has its control token. Default: start one.`,
    },
    port: { ...portFrom(0), help: "The port of the server that it starts. 0: any free port. Default: 9000." },
    config: { value: "FILE", help: "The configuration of the server that it starts." },
  },
  async run({ flags: { issuer, ...own } }) {
    const [flag] = Object.keys(own);
    if (issuer !== undefined && flag !== undefined) {
      throw new CommandError(`--issuer names a server that runs; --${flag} is for one to start: give one`);
    }
    enterFolderOfUser();
    const loading = Promise.all([loadLibrary(sdk), loadLibrary(sdk, "/stdio")]) as Promise<Libraries>;
    const [library, { serveStdio }] = await loading.catch(({ message }: Error) => {
      throw failed(`${message}, or start this command with it: npx -p postern -p ${sdk} postern mcp`);
    });
    // An agent does not wait long for its first answer, and a server makes its keys first.
    const control = randomText(createRandomBytes(), 32);
    const origin = issuer ? Promise.resolve(new URL(issuer).origin) : startOwn({ ...own, control });
    const reach = createReach(origin, issuer === undefined ? control : process.env[controlTokenVariable]);
    const serving = serveStdio(() =>
      createAgentServer(library, [...agentTools, visitTool, examineTool], reach)
    );
    // What the agent has begun must not outlive it.
    process.stdin.once("end", () => serving.close().then(() => process.exit(0)));
    await origin;
  },
});

/** Standard output belongs to the protocol. */
const log: Log = {
  write: ({ level, message }) => level === "info" || printNotice(`postern: ${message}`),
  writeRequest() {},
};

async function startOwn(given: { readonly control: string }): Promise<string> {
  const flags = { store: "memory", quiet: true, ...given };
  const output = { colours: createColours(process.stderr), log };
  const { host, port, settings } = await startServer(flags, [], output).catch((error: CommandError) => {
    const use = `use that server, if it has start --control: mcp --issuer URL, with ${controlTokenVariable}`;
    throw /^Port \d+ is taken/.test(error.message) ? failed(`${error.message}, or ${use}`) : error;
  });
  printNotice(`postern: an agent uses ${settings.issuer}`);
  return `http://${host}:${port}`;
}

function createReach(origin: Promise<string>, token: string | undefined): Reach {
  const authorization = token && `Bearer ${token}`;
  return {
    fetch: (url) => sendRequest(url, {}),
    async send(method, path, body) {
      const headers = present({ authorization, "content-type": "application/json" });
      const init = { method, headers, ...present({ body: body || undefined }) };
      const response = await sendRequest(await origin + path, init);
      return { status: response.status, text: await response.text() };
    },
  };
}

/** Opens addresses of this machine, which the control plane does not. */
const visitTool: AgentTool = {
  name: "visit",
  description:
    "Opens an authorization URL, or an address that redirects to one, as a browser does: signs in, approves, " +
    "and opens the redirect URI if it is on this machine. Returns where that ends.",
  schema: closedObject({
    url: text("For example of your own client: http://localhost:3000/login."),
    username: text("Default: the first person that the server offers."),
    password: text("The password of the person, if there is one."),
    deny: flag("true: the person denies the request."),
    stop: flag("true: returns the redirect URI with the response, and does not open it."),
  }, { required: ["url"] }),
  annotations: { readOnlyHint: false, openWorldHint: true },
  call({ url, username, ...terms }) {
    return visitUrl(url as string, { ...terms, ...present({ username: username as string | undefined }) });
  },
};

/** Only the person who starts this command can allow an agent to run others. */
const examineTool: AgentTool = {
  name: "examine_command",
  description: `${examine.summary} It takes a run for each, so choose a few. ${examine.notes!("postern")}`,
  schema: closedObject({
    command: list(text(), 'The program and its arguments: ["npm", "test"].'),
    only: list(text(), "Only these misbehaviours or areas."),
    level: misbehaviourLevel,
  }, { required: ["command"] }),
  annotations: { title: "Run a program against a wrong server", destructiveHint: true, openWorldHint: true },
  showsStrangers: true,
  async call(args, _reach, { signal, report }) {
    const { command, only = [], level } = args as { command: string[]; only?: string[]; level?: Level };
    const names = chooseNames(only, level && [level], chooseForClients);
    const runs = { command, configuration: {}, does: [], signal };
    const progress = { say: report, move: report };
    const card = await examineCommand(names, { runs, flags: {}, progress });
    return card && formatCard(card, "text").split("\n");
  },
};
