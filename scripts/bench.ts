/** `deno task bench`: compares the server's speed with the limit of each runtime and with other servers. */
import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findCores } from "./bench/cores.ts";
import { describeFlags, type Flags, readFlags } from "./bench/flags.ts";
import type { Stretch } from "./bench/load.ts";
import { preparePrograms } from "./bench/prepare_programs.ts";
import type { Bench, Conditions, FiguresFile, Report, Scenario } from "./bench/scenario.ts";
import { codeFlow, dpopFlow, par } from "./bench/scenarios/code_flows.ts";
import { loading } from "./bench/scenarios/loading.ts";
import { longLoad } from "./bench/scenarios/long_load.ts";
import { memory } from "./bench/scenarios/memory.ts";
import { mockLogin } from "./bench/scenarios/mock_login.ts";
import { startUp } from "./bench/scenarios/start_up.ts";
import { stores } from "./bench/scenarios/stores.ts";
import { clientCredentials, dpopUserinfo, refresh, tokenReadings } from "./bench/scenarios/token_life.ts";
import { createServerStarter, type ServerStarter } from "./bench/server_process.ts";
import { formatTable } from "./bench/table.ts";
import { runProgram } from "./run_program.ts";
import { bun, currentNode, deno, obtainRuntime, type Runtime } from "./runtimes.ts";

/** In the order they run. */
const scenarios: readonly Scenario[] = [
  ...[startUp, loading, mockLogin, codeFlow, refresh, ...tokenReadings, clientCredentials],
  ...[dpopFlow, dpopUserinfo, par, stores, longLoad, memory],
];

// A number of flows, because the compilers of the runtimes make a server faster with each of the first thousands: a
// shorter time for a slower server would make it slower still.
const warmUp: Stretch = { seconds: 10, flows: 8000 };
const quickWarmUp: Stretch = { seconds: 1, flows: 2000 };

if (import.meta.main) Deno.exitCode = await main(Deno.args);

async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, scenarios);
  if (flags === undefined) return 2;
  if (flags.help) {
    console.log(describeFlags(scenarios));
    return 0;
  }
  const startedAt = performance.now();
  const runtimes = await findRuntimes(flags);
  if (runtimes.length === 0) return 1;
  await withWorkplace(async (workplace) => {
    const bench = await createBench(flags, runtimes, workplace);
    console.log(describeConditions(bench));
    const reports = await runScenarios(bench, flags.scenarios);
    if (flags.json !== undefined) await writeFigures(flags.json, bench, reports);
    console.log(`\nTook ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  });
  return 0;
}

interface Workplace {
  readonly root: string;
  /** Removed at the end. */
  readonly folder: string;
  readonly starter: ServerStarter;
}

/** Does the work, then stops all servers and removes the folder. A signal does so, too. */
async function withWorkplace(work: (workplace: Workplace) => Promise<void>): Promise<void> {
  const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
  const folder = await Deno.makeTempDir({ prefix: "postern-bench-" });
  const starter = createServerStarter(root);
  const abandon = () => {
    starter.killAll();
    try {
      Deno.removeSync(folder, { recursive: true });
    } finally {
      Deno.exit(130);
    }
  };
  const signals: readonly Deno.Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  signals.forEach((signal) => Deno.addSignalListener(signal, abandon));
  try {
    await work({ root, folder, starter });
  } finally {
    starter.killAll();
    await Deno.remove(folder, { recursive: true });
    signals.forEach((signal) => Deno.removeSignalListener(signal, abandon));
  }
}

async function createBench(
  flags: Flags,
  runtimes: readonly Runtime[],
  { root, folder, starter }: Workplace,
): Promise<Bench> {
  const count = flags.quick ? 4 : 8;
  return {
    runtimes,
    algs: flags.algs,
    stores: flags.stores,
    sharedStores: flags.sharedStores,
    connections: flags.connections,
    slices: { count, seconds: flags.seconds / count, warmUp: flags.quick ? quickWarmUp : warmUp },
    against: flags.against,
    minute: flags.quick ? 2 : 60,
    starts: flags.quick ? 3 : 7,
    cores: flags.cores ? await findCores() : undefined,
    folder,
    programs: await preparePrograms(root, folder, flags.against),
    startServer: starter.start,
    progress: (line) => console.error(`… ${line}`),
  };
}

async function runScenarios(bench: Bench, names: readonly string[]): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
    const report = await scenario.run(bench);
    reports.push(report);
    for (const table of report.tables) console.log(`\n${formatTable(table)}`);
    if (report.notes.length > 0) console.log(`\n${report.notes.join("\n")}`);
  }
  return reports;
}

async function writeFigures(file: string, bench: Bench, reports: readonly Report[]): Promise<void> {
  const { runtimes, algs, stores, connections, slices, cores, against } = bench;
  const conditions: Conditions = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${navigator.hardwareConcurrency} cores, ${
      cpus()[0]?.model
    }, ${process.platform} ${process.arch}`,
    versions: runtimes.map(({ name, version }) => ({ name, version })),
    ...{ algs, stores, connections, slices, cores, load: Deno.loadavg() },
    ...(against === undefined ? {} : { against: await readCommit(against) }),
  };
  const figures: FiguresFile = { conditions, reports };
  await Deno.writeTextFile(file, JSON.stringify(figures, null, 2) + "\n");
}

async function readCommit(folder: string): Promise<string> {
  const { success, output } = await runProgram("git", ["-C", folder, "rev-parse", "--short", "HEAD"]);
  return success ? output.trim() : "unknown";
}

async function findRuntimes({ runtimes, node }: Flags): Promise<readonly Runtime[]> {
  const found: Runtime[] = [];
  for (const name of runtimes) {
    try {
      found.push(await findRuntime(name, node));
    } catch (problem) {
      console.log(`${name}: not started: ${problem instanceof Error ? problem.message : problem}`);
    }
  }
  return found;
}

/** Finds the binary itself, so that the start of a wrapper is not measured. */
async function findRuntime(name: Runtime["name"], nodeVersion: string | undefined): Promise<Runtime> {
  if (name === "deno") return deno;
  const exactNode = {
    ...currentNode,
    version: nodeVersion ?? "",
    suits: (found: string) => found === nodeVersion,
  };
  const runtime = await obtainRuntime(name === "bun" ? bun : nodeVersion ? exactNode : currentNode);
  const { stdout } = await new Deno.Command(runtime.path, { args: ["-p", "process.execPath"] }).output();
  return { ...runtime, path: new TextDecoder().decode(stdout).trim() };
}

function describeConditions({ runtimes, connections, slices, cores }: Bench): string {
  const load = Deno.loadavg()[0]?.toFixed(1);
  return [
    `${
      runtimes.map(({ name, version }) => `${name} ${version}`).join(", ")
    }; ${process.platform} ${process.arch},`,
    `${navigator.hardwareConcurrency} cores, load ${load};`,
    `${connections} keep-alive connections, ${slices.count} slices of ${slices.seconds.toFixed(1)} s each;`,
    cores
      ? `server on core ${cores.server}, load generator on core ${cores.generator}`
      : "server and load generator share all cores",
  ].join(" ");
}
