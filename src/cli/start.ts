/** `postern start`: a server on a socket, from flags and a configuration file. */

import { basename } from "node:path";
import process from "node:process";
import { type Configuration, configurationSchema } from "../configuration.ts";
import { gatherSlots } from "../oauth/feature.ts";
import { defaultFeatures } from "../features/mod.ts";
import type { Settings } from "../oauth/settings.ts";
import { acceptsFirstUse, readSettings } from "../options.ts";
import { isLoopbackHost } from "../runtime/host.ts";
import { CannotListen, serve } from "../runtime/serve.ts";
import { createServer, type Server } from "../server.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { type ApplicationForm, applicationForms } from "./application.ts";
import { describeServer } from "./banner.ts";
import { createColours } from "./colours.ts";
import { type Command, CommandError } from "./command.ts";
import { explainingSetUp, readConfigurationFile } from "./configuration_file.ts";
import { type FlagsRead, readFlags } from "./flags.ts";
import { openBrowser } from "./open_browser.ts";
import { describeRequest } from "./request_line.ts";
import { watchFile } from "./watch_file.ts";

const defaultPort = 9000;
const algorithms = configurationSchema.properties?.["alg"]?.enum ?? [];

const table = {
  port: {
    value: "PORT",
    words: "Where to listen. Default: the issuer's port, or 9000; 0 takes a free one.",
    pattern: /^([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$/,
    expected: "a number from 0 to 65535",
  },
  host: { value: "HOST", words: "The address to listen on. Default: localhost, for this machine only." },
  issuer: { value: "URL", words: "What clients know this server as. Default: http://localhost:PORT." },
  store: {
    value: "STORE",
    words: "memory, or sqlite:FILE to keep everything. Default: memory.",
    pattern: /^(memory|sqlite:.+)$/,
    expected: "memory or sqlite:FILE",
  },
  config: { value: "FILE", words: "Clients, people and more, as JSON. Flags win over it." },
  alg: {
    value: "ALG",
    words: `What signs tokens: ${algorithms.join(", ")}. Default: RS256.`,
    pattern: new RegExp(`^(${algorithms.join("|")})$`),
    expected: `one of ${algorithms.join(", ")}`,
  },
  login: {
    value: "HOW",
    words: "picker asks people; auto signs in and consents by itself, auto:bob as bob. Default: picker.",
    pattern: /^(picker|auto(:.+)?)$/,
    expected: "picker, auto or auto:person",
  },
  print: {
    value: "FORM",
    words: `What to paste into an application: ${applicationForms.join(", ")}. Default: env.`,
    pattern: new RegExp(`^(${applicationForms.join("|")})$`),
    expected: `one of ${applicationForms.join(", ")}`,
  },
  open: { words: "Open the front page in the browser." },
  watch: { words: "Take over the configuration file whenever it changes." },
  quiet: { words: "No line for each request." },
  "expose-demo": {
    words: "Let other machines in although demo clients, demo people or first use are on.",
  },
} as const;

type StartFlags = FlagsRead<typeof table>["flags"];

export const start: Command = {
  usage: "start [flags]",
  summary: "Start a server (what postern does when no command is named).",
  flags: table,
  async run(args) {
    const { flags } = readFlags(args, table);
    const plan = await readPlan(flags);
    await serveUntilStopped(plan, await openStore(flags.store ?? "memory"));
  },
};

/** Everything that is known before anything is opened. */
interface Plan {
  readonly flags: StartFlags;
  readonly host: string;
  readonly port: number;
  readonly configuration: Configuration;
  readonly settings: Settings;
}

async function readPlan(flags: StartFlags): Promise<Plan> {
  if (flags.watch && flags.config === undefined) {
    throw new CommandError("--watch needs a file to watch: --config FILE", 2);
  }
  const file = flags.config === undefined ? {} : await readConfigurationFile(flags.config);
  const host = (flags.host ?? "localhost").replace(/^\[(.*)\]$/, "$1");
  const known = flags.issuer ?? file.issuer;
  const port = await choosePort(flags.port, known, host);
  return readConfiguration(flags, file, { host, port });
}

function readConfiguration(
  flags: StartFlags,
  file: Configuration,
  { host, port }: { readonly host: string; readonly port: number },
): Plan {
  const { issuer, login, alg } = flags;
  const given = { issuer, login, alg };
  const configuration = {
    issuer: `http://localhost:${port}`,
    ...file,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as Configuration;
  const sources = { ...(flags.config === undefined ? {} : { file: flags.config }), flags: given };
  const settings = explainingSetUp(sources, () => {
    const features = defaultFeatures({ firstUse: acceptsFirstUse(configuration) });
    return readSettings(configuration, gatherSlots(features));
  });
  const plan = { flags, host, port, configuration, settings };
  if (!isLoopbackHost(host)) requireFitForStrangers(plan, issuer ?? file.issuer);
  return plan;
}

async function choosePort(
  flag: string | undefined,
  issuer: string | undefined,
  host: string,
): Promise<number> {
  if (flag === "0") return await findFreePort(host);
  if (flag !== undefined) return Number(flag);
  if (issuer === undefined || !URL.canParse(issuer)) return defaultPort;
  const { protocol, port } = new URL(issuer);
  // Nothing but this program can answer at an http issuer; what answers at an https one stands in front of it.
  return protocol === "http:" ? Number(port || 80) : defaultPort;
}

async function findFreePort(host: string): Promise<number> {
  const { createServer } = await import("node:net");
  const probe = createServer();
  try {
    return await new Promise((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(0, host === "localhost" ? "127.0.0.1" : host, () => {
        const address = probe.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  } catch (error) {
    throw new CommandError(`Cannot listen on ${host}: ${(error as Error).message}`, 1, { cause: error });
  } finally {
    probe.close();
  }
}

/** What is handy on one's own machine lets everybody in elsewhere. */
function requireFitForStrangers(
  { flags, host, configuration, settings }: Plan,
  issuer: string | undefined,
): void {
  if (issuer === undefined) {
    throw new CommandError(
      `--host ${host} lets other machines in, so --issuer must say the URL they use: https://…, ` +
        "or http://localhost:PORT when a container maps that port",
      2,
    );
  }
  if (flags["expose-demo"]) return;
  const open = [
    ...(configuration.clients === undefined ? ["the demo clients"] : []),
    ...(configuration.people === undefined ? ["the demo people"] : []),
    ...(acceptsFirstUse(configuration) ? ["first use of any client_id"] : []),
  ];
  if (!settings.demo && open.length === 0) return;
  throw new CommandError(
    `--host ${host} lets other machines in, and ${list(open)} would let everybody in: ` +
      `configure "clients" and "people" (--config FILE), or say --expose-demo`,
    2,
  );
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

async function openStore(name: string): Promise<Store> {
  if (name === "memory") return memoryStore();
  const { sqliteStore } = await import("../store/sqlite.ts");
  try {
    return await sqliteStore(name.slice("sqlite:".length));
  } catch (error) {
    const needsNode = "SQLite needs Node 22.13 or later, Deno, or Bun";
    const message = (error as Error).message;
    throw new CommandError(
      message.includes(needsNode)
        ? `--store ${name}: ${needsNode}; this is Node ${process.versions.node}. --store memory works here`
        : `--store ${name}: ${message}`,
      1,
      { cause: error },
    );
  }
}

async function serveUntilStopped(first: Plan, store: Store): Promise<void> {
  const { flags, host, port } = first;
  const colours = createColours(process.stdout);
  const launch = (configuration: Configuration): Server =>
    createServer({
      ...configuration,
      store,
      ...(flags.quiet ? {} : { journal: (entry) => console.log(describeRequest(entry, colours)) }),
    });

  let server = launch(first.configuration);
  const retired = new Set<Promise<void>>();
  const served = await serve({
    host,
    port,
    fetch: (request, connection) => server.fetch(request, connection),
  })
    .catch(async (error) => {
      await store.close();
      if (error instanceof CannotListen) throw new CommandError(error.message, 1, { cause: error });
      throw error;
    });
  const stopWatching = flags.watch && flags.config !== undefined ? watchFile(flags.config, reload) : () => {};
  stopOnSignal(async () => {
    stopWatching();
    await served.close();
    await Promise.all([server.close(), ...retired]);
    await store.close();
  });
  console.log(describe(first));
  if (flags.open) openBrowser(first.settings.issuer, (problem) => console.error(`postern: ${problem}`));

  function describe({ settings, configuration }: Plan): string {
    const at = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
    return describeServer({
      settings,
      configuration,
      acceptsFirstUse: acceptsFirstUse(configuration),
      listensAt: at,
      store: flags.store ?? "memory",
      form: (flags.print ?? "env") as ApplicationForm,
      exposed: !isLoopbackHost(host),
    }, colours);
  }

  async function reload(path: string): Promise<void> {
    try {
      const file = await readConfigurationFile(path);
      const { configuration, settings } = readConfiguration(flags, file, { host, port });
      const next = launch(configuration);
      // What is running finishes where it began: the store is the same for both.
      const retiring = server.close().finally(() => retired.delete(retiring));
      retired.add(retiring);
      server = next;
      const counts = `${settings.clients.size} clients, ${settings.people.all.length} people`;
      console.log(colours.green(`${basename(path)} has changed, and is taken over: ${counts}`));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      console.error(colours.red(`${basename(path)} has changed, and is not taken over. ${error.message}`));
    }
  }
}

// Seconds. A terminal and a task runner both pass on the same Ctrl-C.
const echo = 0.3;

function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    process.on(signal, async () => {
      const now = performance.now() / 1000;
      if (stoppingSince !== undefined) {
        // Whoever asks twice does not want to wait.
        if (now - stoppingSince > echo) process.exit(code);
        return;
      }
      stoppingSince = now;
      await stop();
      process.exit(0);
    });
  }
}
