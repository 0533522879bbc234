/** `deno task bench`: compares the server's speed with the limit of each runtime and with other servers. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findCores } from "./bench/cores.ts";
import type { Bench, Scenario } from "./bench/scenario.ts";
import { codeFlow } from "./bench/scenarios/code_flow.ts";
import { mockLogin } from "./bench/scenarios/mock_login.ts";
import { startUp } from "./bench/scenarios/start_up.ts";
import { tokenLife } from "./bench/scenarios/token_life.ts";
import { createServerStarter } from "./bench/server_process.ts";
import { preparePrograms } from "./bench/prepare_programs.ts";
import { formatTable } from "./bench/table.ts";
import { bun, currentNode, deno, obtainRuntime, type Runtime } from "./runtimes.ts";

type RuntimeName = Runtime["name"];

/** In the order they run. */
const scenarios: readonly Scenario[] = [startUp, mockLogin, codeFlow, ...tokenLife];

const allRuntimes = ["deno", "node", "bun"] as const satisfies readonly RuntimeName[];
const allAlgs = ["ES256", "EdDSA", "RS256"] as const;
const allStores = ["memory", "sqlite"] as const;

const help = `Usage: deno task bench [flags]

  --quick                about two minutes: ES256 only, fewer and shorter slices
  --runtime deno,node    which runtimes (${allRuntimes.join(", ")})
  --alg ES256            which algorithms (${allAlgs.join(", ")}); all for code_flow, the first for the rest
  --store memory         which stores (${allStores.join(", ")})
  --scenario code_flow   which measurements, of these:
${scenarios.map(({ name, describes }) => `                         ${name}: ${describes}`).join("\n")}
  --seconds 6            how long each server is under load in all
  --connections 16       how many keep-alive connections
  --node 26.10.0         this Node from npm instead of the one on the path
  --no-cores             do not keep server and load generator on cores of their own
  --json FILE            write every figure to a file
`;

if (import.meta.main) Deno.exitCode = await main(Deno.args);

async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags === undefined) return 2;
  if (flags.help) {
    console.log(help);
    return 0;
  }
  const startedAt = performance.now();
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
    const runtimes: Runtime[] = [];
    for (const name of flags.runtimes) {
      try {
        runtimes.push(await findRuntime(name, flags.node));
      } catch (problem) {
        console.log(`${name}: not started: ${problem instanceof Error ? problem.message : problem}`);
      }
    }
    if (runtimes.length === 0) return 1;
    const sliceCount = flags.quick ? 4 : 8;
    const bench: Bench = {
      runtimes,
      algs: flags.algs,
      stores: flags.stores,
      connections: flags.connections,
      slices: {
        count: sliceCount,
        seconds: flags.seconds / sliceCount,
        warmUp: flags.quick ? 0.5 : 1.2,
      },
      starts: flags.quick ? 3 : 7,
      cores: flags.cores ? await findCores() : undefined,
      folder,
      programs: await preparePrograms(root, folder),
      startServer: starter.start,
      progress: (line) => console.error(`… ${line}`),
    };
    console.log(describeConditions(bench));
    const reports = [];
    for (const scenario of scenarios.filter(({ name }) => flags.scenarios.includes(name))) {
      const report = await scenario.run(bench);
      reports.push(report);
      for (const table of report.tables) console.log(`\n${formatTable(table)}`);
      if (report.notes.length > 0) console.log(`\n${report.notes.join("\n")}`);
    }
    if (flags.json) {
      const { algs, stores, connections, slices, cores } = bench;
      const versions = runtimes.map(({ name, version }) => ({ name, version }));
      const conditions = { versions, algs, stores, connections, slices, cores, load: Deno.loadavg() };
      await Deno.writeTextFile(flags.json, JSON.stringify({ conditions, reports }, null, 2) + "\n");
    }
    console.log(`\nTook ${Math.round((performance.now() - startedAt) / 1000)} s.`);
    return 0;
  } finally {
    starter.killAll();
    await Deno.remove(folder, { recursive: true });
    signals.forEach((signal) => Deno.removeSignalListener(signal, abandon));
  }
}

/** The binary itself, so that the start of a wrapper is not measured. */
async function findRuntime(name: RuntimeName, nodeVersion: string | undefined): Promise<Runtime> {
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

interface Flags {
  readonly help: boolean;
  readonly quick: boolean;
  readonly cores: boolean;
  readonly runtimes: readonly RuntimeName[];
  readonly algs: readonly string[];
  readonly stores: readonly string[];
  readonly scenarios: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  readonly node: string | undefined;
  readonly json: string | undefined;
}

/** Prints what is wrong and returns `undefined` when a flag cannot be read. */
function readFlags(args: readonly string[]): Flags | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        help: { type: "boolean", short: "h", default: false },
        quick: { type: "boolean", default: false },
        cores: { type: "boolean", default: true },
        runtime: { type: "string" },
        alg: { type: "string" },
        store: { type: "string" },
        scenario: { type: "string" },
        seconds: { type: "string" },
        connections: { type: "string" },
        node: { type: "string" },
        json: { type: "string" },
      },
    });
    return {
      help: values.help,
      quick: values.quick,
      cores: values.cores,
      runtimes: readChoice("runtime", values.runtime, allRuntimes, allRuntimes),
      algs: readChoice("alg", values.alg, allAlgs, values.quick ? ["ES256"] : allAlgs),
      stores: readChoice("store", values.store, allStores, allStores),
      scenarios: readChoice("scenario", values.scenario, scenarios.map(({ name }) => name)),
      seconds: readNumber("seconds", values.seconds, values.quick ? 1.6 : 6, 0.5, 120),
      connections: readNumber("connections", values.connections, 16, 1, 256),
      node: values.node,
      json: values.json,
    };
  } catch (problem) {
    console.error(`${problem instanceof Error ? problem.message : problem}\n\n${help}`);
    return undefined;
  }
}

function readChoice<T extends string>(
  flag: string,
  text: string | undefined,
  all: readonly T[],
  otherwise: readonly T[] = all,
): readonly T[] {
  if (text === undefined) return otherwise;
  return text.split(",").map((word) => {
    const found = all.find((one) => one.toLowerCase() === word.trim().toLowerCase());
    if (found === undefined) throw new Error(`--${flag} ${word}: expected one or more of ${all.join(", ")}`);
    return found;
  });
}

function readNumber(
  flag: string,
  text: string | undefined,
  otherwise: number,
  least: number,
  most: number,
): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!(value >= least && value <= most)) {
    throw new Error(`--${flag} ${text}: expected a number from ${least} to ${most}`);
  }
  return value;
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
