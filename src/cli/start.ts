/** `postern start`: reads flags and configuration, and runs a server. */

import process from "node:process";
import { warnOfClock } from "./warn_of_clock.ts";
import { createColours } from "./colours.ts";
import type { Command } from "./command.ts";
import { CommandError } from "./command_error.ts";
import { needsTestKit, readControlFlag, readMisbehaveFlag, requireFitForControl } from "./control.ts";
import { lookAlikeNames } from "../misbehaviours/look_alikes/names.ts";
import { planDashboard } from "./dashboard.ts";
import { createLog } from "./log.ts";
import { chooseStore, openStore } from "./open_store.ts";
import { createMetrics, readMetricsFlag } from "./metrics/plan_metrics.ts";
import { type Plan, readPlan } from "./plan.ts";
import { runServer, type RunTerms } from "./run_server.ts";
import { readStartFlags, type StartFlags, startFlags } from "./start_flags.ts";
import type { OwnTls } from "./tls/own_tls.ts";
import { readTlsFiles } from "./tls_files.ts";
import { present } from "../present.ts";

export const start: Command = {
  usage: "start [flags]",
  summary: "Start a server.",
  flags: startFlags,
  async run(args) {
    const flags = readStartFlags(args);
    const colours = createColours(process.stdout);
    const log = createLog(flags.log === "json" ? "json" : "text", colours);
    try {
      await runWith(flags, { colours, log });
    } catch (error) {
      if (flags.log !== "json" || !(error instanceof CommandError)) throw error;
      // A program that reads the log expects an object in each line.
      log.write({ level: "error", message: error.message });
      throw new CommandError(error.message, { exitCode: error.exitCode, cause: error, isReported: true });
    }
  },
};

async function runWith(
  typed: StartFlags,
  { colours, log }: Pick<RunTerms, "colours" | "log">,
): Promise<void> {
  const control = readControlFlag(typed.control, process.env);
  const store = chooseStore(typed.store, process.env);
  const flags = { ...typed, store, ...present({ control }) };
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
  const dashboard = planDashboard(flags, plan, process.env);
  const metricsFlag = readMetricsFlag(flags.metrics, plan, process.env);
  const ownTls = flags.tls ? await openTls(plan, flags) : undefined;
  const warn = (message: string) => log.write({ level: "warn", message });
  const opened = await openStore(store, warn);
  await warnOfClock(opened, () => Date.now() / 1000, warn);
  await runServer(plan, {
    log,
    colours,
    dashboard,
    flags,
    misbehave,
    like,
    store: opened,
    metrics: metricsFlag === undefined ? undefined : createMetrics(metricsFlag, plan),
    tls: ownTls?.tls ?? tlsFiles,
    ownTls,
  });
}

async function openTls(
  { settings: { issuer, also } }: Plan,
  { "tls-name": name }: StartFlags,
): Promise<OwnTls> {
  const { openOwnTls } = await import("./tls/own_tls.ts");
  return await openOwnTls({ issuer, also, name });
}
