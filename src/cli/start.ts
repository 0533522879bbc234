/** `postern start`: a server on a socket, from flags and a configuration file. */

import { basename } from "node:path";
import process from "node:process";
import { configurationSchema } from "../configuration_schema.ts";
import { controlTokenForm, isControlToken } from "../control/control_token.ts";
import type { Journal } from "../oauth/journal.ts";
import type { TlsTerms } from "../runtime/listener.ts";
import { CannotListen, serve } from "../runtime/serve.ts";
import { readIpAddress, trustProxies } from "../runtime/trusted_proxies.ts";
import { createPlainServer, type PlainServer } from "../server.ts";
import type { Configuration } from "../setup/configuration.ts";
import { acceptsFirstUse } from "../setup/server_options.ts";
import { memoryStore } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { type ApplicationForm, applicationForms } from "./application.ts";
import { describeServer } from "./banner.ts";
import { createColours } from "./colours.ts";
import type { Command } from "./command.ts";
import { CommandError } from "./command_error.ts";
import {
  controlTokenVariable,
  launchControlled,
  readControlFlag,
  requireFitForControl,
  showControl,
} from "./control.ts";
import { type FlagsRead, oneOf, readFlags } from "./flags.ts";
import { openBrowser } from "./open_browser.ts";
import { type Plan, readPlan } from "./plan.ts";
import { describeRequest, isWorthALine } from "./request_line.ts";
import { readTlsFiles } from "./tls_files.ts";
import { watchFile } from "./watch_file.ts";

const algorithms = configurationSchema.properties?.["alg"]?.enum ?? [];

const table = {
  port: {
    value: "PORT",
    words: "Where to listen. Default: the issuer's port, or 9000; 0 takes a free one.",
    accepts: (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65535,
    expected: "a number from 0 to 65535",
  },
  host: { value: "HOST", words: "The address to listen on. Default: localhost, for this machine only." },
  "trust-proxy": {
    value: "ADDRESS",
    words:
      "Believe Forwarded or X-Forwarded-For of the proxy at this IP address, to count failed sign-ins for " +
      "each person's own address; several with commas.",
    accepts: (text: string) => text.split(",").every((each) => readIpAddress(each) !== undefined),
    expected: "an IP address, or several with commas",
  },
  issuer: { value: "URL", words: "What clients know this server as. Default: http://localhost:PORT." },
  "tls-cert": {
    value: "FILE",
    words: "Serve https with this certificate (PEM); the issuer is https://localhost:PORT by default then.",
  },
  "tls-key": { value: "FILE", words: "The private key of that certificate (PEM, without a passphrase)." },
  store: {
    value: "STORE",
    words: "memory, or sqlite:FILE to keep everything. Default: memory.",
    accepts: (text: string) => /^(memory|sqlite:.+)$/.test(text),
    expected: "memory or sqlite:FILE",
  },
  config: { value: "FILE", words: "Clients, people and more, as JSON. Flags win over it." },
  alg: {
    value: "ALG",
    words: `What signs tokens: ${algorithms.join(", ")}. Default: RS256.`,
    ...oneOf(algorithms),
  },
  login: {
    value: "HOW",
    words: "picker asks people; auto signs in and consents by itself, auto:bob as bob. Default: picker.",
    accepts: (text: string) => /^(picker|auto(:.+)?)$/.test(text),
    expected: "picker, auto or auto:person",
  },
  print: {
    value: "FORM",
    words: `What to paste into an application: ${applicationForms.join(", ")}. Default: env.`,
    ...oneOf(applicationForms),
  },
  open: { words: "Open the front page in the browser." },
  watch: { words: "Take over the configuration file whenever it changes." },
  control: {
    value: "[TOKEN]",
    optional: true,
    words: "Let tests in any language drive this server, below /_postern; with TOKEN, or the environment's " +
      `${controlTokenVariable}, only those that send it.`,
    accepts: isControlToken,
    expected: `a token of ${controlTokenForm}`,
    secret: true,
  },
  quiet: { words: "No line for each request." },
  "expose-demo": {
    words: "Let other machines in although demo clients, demo people or first use are on.",
  },
} as const;

export const start: Command = {
  usage: "start [flags]",
  summary: "Start a server.",
  flags: table,
  async run(args) {
    const { flags: written } = readFlags(args, table);
    const control = readControlFlag(written.control, process.env);
    const flags = { ...written, ...(control === undefined ? {} : { control }) };
    const tls = await readTlsFiles(flags);
    const plan = await readPlan(flags);
    if (flags.control !== undefined) requireFitForControl(flags, plan);
    await serveUntilStopped(plan, { flags, tls, store: await openStore(flags.store ?? "memory") });
  },
};

async function openStore(name: string): Promise<Store> {
  if (name === "memory") return memoryStore();
  const { sqliteStore } = await import("../store/sqlite.ts");
  try {
    return await sqliteStore(name.slice("sqlite:".length), {
      warn: (problem) => console.error(`postern: ${problem}`),
    });
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

type Running = Pick<PlainServer, "answer" | "close">;

async function serveUntilStopped(
  first: Plan,
  { flags, tls, store }: {
    readonly flags: FlagsRead<typeof table>["flags"];
    readonly tls: TlsTerms | undefined;
    readonly store: Store;
  },
): Promise<void> {
  const { host, port } = first;
  const colours = createColours(process.stdout);
  const heard: { readonly journal?: Journal } = flags.quiet
    ? {}
    : { journal: (entry) => isWorthALine(entry) && console.log(describeRequest(entry, colours)) };
  const launch = (configuration: Configuration): Running =>
    createPlainServer({ ...configuration, store, ...heard });
  const { control } = flags;
  const token = control === true ? undefined : control;

  let server = control === undefined
    ? launch(first.configuration)
    : await launchControlled(first, { token, ...heard });
  const retired = new Set<Promise<void>>();
  const served = await serve({
    host,
    port,
    answer: trustProxies((request) => server.answer(request), flags["trust-proxy"]?.split(",") ?? []),
    ...(tls === undefined ? {} : { tls }),
    ...(control === undefined ? {} : { cuts: true, drainTimeout: controlDrainTimeout }),
  })
    .catch(async (error) => {
      await store.close();
      if (error instanceof CannotListen) throw new CommandError(error.message, 1, { cause: error });
      throw error;
    });
  const stopWatching = flags.watch && flags.config !== undefined ? watchFile(flags.config, reload) : () => {};
  stopOnSignal(async () => {
    stopWatching();
    try {
      // Together: a request that a gate holds ends with its server, and half a request with the port.
      await Promise.all([served.close(), server.close(), ...retired]);
    } finally {
      await store.close();
    }
  });
  console.log(describe(first));
  if (flags.open) {
    const problem = await openBrowser(first.settings.issuer);
    if (problem !== undefined) console.error(`postern: ${problem}`);
  }

  function describe({ settings, configuration, isReached }: Plan): string {
    const at = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
    return describeServer({
      settings,
      configuration,
      acceptsFirstUse: acceptsFirstUse(configuration),
      listensAt: at,
      store: flags.store ?? "memory",
      ...(control === undefined
        ? {}
        : { control: showControl(first, { listensAt: at, secure: tls !== undefined, token }) }),
      form: (flags.print ?? "env") as ApplicationForm,
      isReached,
    }, colours);
  }

  /** Another one may be at an address where nobody listens, and what was issued names the old one. */
  function requireSameIssuer(issuer: string, path: string): void {
    const { issuer: running } = first.settings;
    if (issuer === running) return;
    throw new CommandError(
      `${basename(path)}: the issuer changed from ${running} to ${issuer}: restart to take that over`,
      2,
    );
  }

  async function reload(path: string): Promise<void> {
    try {
      const { configuration, settings } = await readPlan({ ...flags, port: `${port}` });
      requireSameIssuer(settings.issuer, path);
      const next = launch(configuration);
      // What is running finishes where it began: the store is the same for both.
      const retiring = server.close().finally(() => retired.delete(retiring));
      retired.add(retiring);
      server = next;
      const counts = `${settings.clients.size} clients, ${settings.people.all.length} people`;
      console.log(colours.green(`${basename(path)} has changed, and is taken over: ${counts}`));
    } catch (error) {
      // Whatever is wrong with the new one, the old one is running.
      const { message } = error as Error;
      console.error(colours.red(`${basename(path)} has changed, and is not taken over. ${message}`));
    }
  }
}

// Seconds. After three the test kit reports a running request as an error, so a request that still waits for its
// body is cut off before that.
const controlDrainTimeout = 2;

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
      try {
        await stop();
      } catch (error) {
        console.error(`postern: ${(error as Error).message}`);
        process.exit(1);
      }
      process.exit(0);
    });
  }
}
