/** `postern start`: reads flags and configuration, and runs a server. */

import process from "node:process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { createColours } from "../terminal/colours.ts";
import type { Command } from "../terminal/command.ts";
import { CommandError, explaining, failed } from "../terminal/command_error.ts";
import { needsTestKit, readMisbehaveFlag, requireFitForControl } from "./control.ts";
import { lookAlikeNames } from "../../../kit/faults/look_alikes/providers.ts";
import { planDashboard } from "./dashboard.ts";
import { createLog } from "./log.ts";
import { isStoreName, openStore, storeForms } from "../../../server/store/open_store.ts";
import type { Store } from "../../../server/store/store.ts";
import { hidePassword } from "../../../ground/values/hide_password.ts";
import { planMetrics } from "../metrics/plan_metrics.ts";
import { type Plan, readPlan } from "./plan.ts";
import { planProxy } from "../proxy/plan_proxy.ts";
import { planSnapshot } from "./snapshot_file.ts";
import { type RunOptions, runServer } from "./run_server.ts";
import { readStartFlags, type StartFlags, startFlags } from "./start_flags.ts";
import type { OwnTls } from "../tls/own_tls.ts";
import { nameVariable, namingVariables, readVariables } from "../configuration/variables.ts";
import { clockSkew } from "../../../server/oauth/options/clock_skew.ts";
import { formatDuration } from "../../../ground/schema/duration.ts";
import type { TlsOptions } from "../../../server/runtime/listener.ts";
import { readTextFile } from "../configuration/text_file.ts";

export const start: Command = {
  usage: "start [flags]",
  summary: "Start a server.",
  flags: startFlags,
  notes: () => `Each flag has an environment variable (${nameVariable("trust-proxy")}): use it for secrets.`,
  async run(args) {
    const typed = readStartFlags(args);
    const isJson = (typed.log ?? process.env[nameVariable("log")]) === "json";
    const colours = createColours(process.stdout);
    const log = createLog(isJson ? "json" : "text", colours);
    try {
      await runWith(typed, { colours, log });
    } catch (error) {
      if (!isJson || !(error instanceof CommandError)) throw error;
      // A program that reads the log expects an object in each line.
      log.write({ level: "error", message: error.message });
      throw new CommandError(error.message, { exitCode: error.exitCode, cause: error, isReported: true });
    }
  },
};

type Output = Pick<RunOptions, "colours" | "log">;

async function runWith(typed: StartFlags, output: Output): Promise<void> {
  const { flags, taken, warnings } = await readVariables(typed, startFlags, process.env);
  for (const message of warnings) output.log.write({ level: "warn", message });
  await namingVariables(typed, taken, async () => {
    requireConsistent(flags, typed);
    await startServer({ store: "memory", ...flags }, taken.map(({ variable }) => variable), output);
  });
}

/** `--no-inspector` contradicts a key that was typed, and not one of the environment, which several servers may share. */
function requireConsistent(
  { log, print, from, "no-inspector": hasNoInspector }: StartFlags,
  typed: StartFlags,
): void {
  if (log === "json" && (print ?? from) !== undefined) {
    const flag = print === undefined ? "from" : "print";
    throw new CommandError(`--log json has no place for the settings of --${flag}: give one`);
  }
  if (from !== undefined && print !== undefined && print !== "env") {
    throw new CommandError(`--from ${from} is for --print env, not for --print ${print}`);
  }
  if (hasNoInspector && typed["inspector-key"] !== undefined) {
    throw new CommandError("--inspector-key opens the inspector that --no-inspector removes: give one");
  }
}

export async function startServer(
  flags: StartFlags & { readonly store: string },
  variables: readonly string[],
  { colours, log }: Output,
): Promise<Plan> {
  const misbehave = readMisbehaveFlag(flags.misbehave);
  const like = lookAlikeNames.find((each) => each === flags.like);
  const tlsFiles = await readTlsFiles(flags);
  const plan = await readPlan(flags);
  if (flags.from !== undefined && plan.settings.also.length === 0) {
    throw new CommandError(
      `--from ${flags.from} needs --also: the name by which that program reaches this server, such as http://postern:9000`,
    );
  }
  if (needsTestKit(flags)) requireFitForControl(flags, plan);
  const proxy = await planProxy(flags, like, plan);
  const snapshot = await planSnapshot(flags, plan.settings.issuer);
  const dashboard = planDashboard(flags, plan);
  const metrics = flags.metrics === undefined ? undefined : planMetrics(flags.metrics, plan);
  const ownTls = flags.tls ? await openTls(plan, flags) : undefined;
  const warn = (message: string) => log.write({ level: "warn", message });
  warnOfPlainHttp(plan, warn);
  const store = await openNamedStore(flags.store, warn);
  await warnOfClock(store, () => Date.now() / 1000, warn);
  await runServer(plan, {
    log,
    colours,
    dashboard,
    flags,
    variables,
    misbehave,
    like,
    proxy,
    snapshot,
    tls: ownTls?.tls ?? tlsFiles,
    ownTls,
    store,
    metrics,
  });
  return plan;
}

/** `warn` gets problems that do not keep the store from working. */
async function openNamedStore(name: string, warn: (problem: string) => void): Promise<Store> {
  if (!isStoreName(name)) throw new CommandError(`--store must be ${storeForms}`);
  try {
    return await openStore(name, warn);
  } catch (error) {
    const needsNode = "SQLite needs Node 22.13 or later, Deno, or Bun";
    const message = (error as Error).message;
    const shown = hidePassword(name);
    throw failed(
      message.includes(needsNode)
        ? `--store ${name}: ${needsNode}; this is Node ${process.versions.node}. --store memory works here, and so does the executable`
        : message.includes(shown)
        ? message
        : `--store ${shown}: ${message}`,
      error,
    );
  }
}

function warnOfPlainHttp(
  { settings: { issuer }, configuration: { profile, clients = [] } }: Plan,
  warn: (message: string) => void,
): void {
  const isProfiled = profile !== undefined || clients.some((client) => client.profile !== undefined);
  if (!isProfiled || issuer.startsWith("https:")) return;
  warn("FAPI 2.0 needs TLS: use http for tests on this machine only. Add --tls");
}

async function openTls(
  { settings: { issuer, also } }: Plan,
  { "tls-name": name }: StartFlags,
): Promise<OwnTls> {
  const { openOwnTls } = await import("../tls/own_tls.ts");
  return await openOwnTls({ issuer, also, name });
}

const consequence =
  `if the clocks of two servers on this store differ by more than ${clockSkew} seconds, they may ` +
  "refuse each other's codes, forms and tokens";

/** The server starts nevertheless, because no record depends on the clock of the store. */
export async function warnOfClock(
  store: Pick<Store, "clock">,
  now: () => number,
  warn: (message: string) => void,
): Promise<void> {
  if (store.clock === undefined) return;
  const asked = now();
  const time = await store.clock().catch(() => null);
  if (time === null) return;
  if (time === undefined) {
    return warn(
      "Could not compare the clock of this machine with the clock of the store, because the store does not tell " +
        `its time. Set the clocks of all servers on this store by NTP: ${consequence}`,
    );
  }
  // The store has read its clock at some time between the question and the answer.
  const answered = now();
  const ahead = time > answered ? time - answered : 0;
  const behind = time < asked ? asked - time : 0;
  const difference = Math.max(ahead, behind);
  if (difference <= clockSkew) return;
  warn(
    `The clock of this machine is ${formatDuration(difference)} ${ahead > 0 ? "behind" : "ahead of"} ` +
      `the clock of the store. Set both by NTP: ${consequence}`,
  );
}

/** Resolves to `undefined` if neither flag was given. Refuses flags of `--tls` that contradict them. */
export async function readTlsFiles(flags: StartFlags): Promise<TlsOptions | undefined> {
  const { "tls-cert": certificateFile, "tls-key": keyFile } = flags;
  if (flags["tls-name"] !== undefined && !flags.tls) throw new CommandError("--tls-name needs --tls too");
  if (flags.tls && (certificateFile ?? keyFile) !== undefined) {
    throw new CommandError("--tls makes its own certificate: leave out --tls-cert and --tls-key, or --tls");
  }
  if (certificateFile === undefined && keyFile === undefined) return undefined;
  if (certificateFile === undefined) throw new CommandError("--tls-key needs --tls-cert FILE too");
  if (keyFile === undefined) throw new CommandError("--tls-cert needs --tls-key FILE too");
  const cert = await readPem(`--tls-cert ${certificateFile}`, certificateFile, "CERTIFICATE");
  const key = await readPem(`--tls-key ${keyFile}`, keyFile, "PRIVATE KEY");
  const certificate = explaining(
    Error,
    () => `--tls-cert ${certificateFile}: this is not a certificate`,
    () => new X509Certificate(cert),
  );
  const privateKey = explaining(
    Error,
    () => `--tls-key ${keyFile}: this is not a private key, or it has a passphrase`,
    () => createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CommandError(`--tls-key ${keyFile}: this key does not belong to ${certificateFile}`);
  }
  return { cert, key };
}

/** Returns only the PEM blocks with this label, because tools write other blocks and text around them. */
async function readPem(flag: string, path: string, label: "CERTIFICATE" | "PRIVATE KEY"): Promise<string> {
  const text = await readTextFile(path, flag);
  const blocks = text.split(/(?=-----BEGIN )/).flatMap((part) =>
    /^-----BEGIN ([A-Z0-9 ]+)-----[^]*?-----END \1-----/.exec(part)?.[0] ?? []
  );
  const matching = blocks.filter((block) => block.split("-----")[1]!.endsWith(label));
  if (matching.length === 0) throw new CommandError(`${flag}: it has no PEM block ${label}`);
  return `${matching.join("\n")}\n`;
}
