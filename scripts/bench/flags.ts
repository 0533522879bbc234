/** The flags of `deno task bench`. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Runtime } from "../runtimes.ts";
import type { Scenario } from "./scenario.ts";

type RuntimeName = Runtime["name"];

const allRuntimes = ["deno", "node", "bun"] as const satisfies readonly RuntimeName[];
const allAlgs = ["ES256", "EdDSA", "RS256"] as const;
const allStores = ["memory", "sqlite", "postgres", "redis"] as const;
/** The stores that need no server. All scenarios but "stores" measure these only. */
const localStores: readonly string[] = ["memory", "sqlite"];

export function describeFlags(scenarios: readonly Scenario[]): string {
  return `Usage: deno task bench [flags]

  --quick                about two minutes: ES256 only, fewer and shorter slices
  --runtime deno,node    which runtimes (${allRuntimes.join(", ")})
  --alg ES256            which algorithms (${allAlgs.join(", ")}); all for code_flow, the first for the rest
  --store memory         which stores (${allStores.join(", ")})
  --scenario code_flow   which measurements, of these:
${scenarios.map(({ name, describes }) => `                         ${name}: ${describes}`).join("\n")}
  --seconds 6            how long each server is under load in all
  --connections 16       how many keep-alive connections
  --against FOLDER       a checkout of another commit, built by its own task: "before" in the tables
  --node 26.10.0         this Node from npm instead of the one on the path
  --no-cores             do not keep the server and the load generator on separate cores
  --json FILE            write every figure to a file
`;
}

export interface Flags {
  readonly help: boolean;
  readonly quick: boolean;
  readonly cores: boolean;
  readonly runtimes: readonly RuntimeName[];
  readonly algs: readonly string[];
  readonly stores: readonly string[];
  /** The stores of the scenario "stores". */
  readonly sharedStores: readonly string[];
  readonly scenarios: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  readonly against: string | undefined;
  readonly node: string | undefined;
  readonly json: string | undefined;
}

const options = {
  help: { type: "boolean", short: "h", default: false },
  quick: { type: "boolean", default: false },
  cores: { type: "boolean", default: true },
  runtime: { type: "string" },
  alg: { type: "string" },
  store: { type: "string" },
  scenario: { type: "string" },
  seconds: { type: "string" },
  connections: { type: "string" },
  against: { type: "string" },
  node: { type: "string" },
  json: { type: "string" },
} as const;

/** Prints what is wrong and returns `undefined` when a flag cannot be read. */
export function readFlags(args: readonly string[], scenarios: readonly Scenario[]): Flags | undefined {
  try {
    const { values } = parseArgs({ args: [...args], allowNegative: true, options });
    const { help, quick, cores, node, json } = values;
    const stores: readonly string[] = readChoice("store", values.store, allStores, allStores);
    return {
      ...{ help, quick, cores, node, json },
      runtimes: readChoice("runtime", values.runtime, allRuntimes, allRuntimes),
      algs: readChoice("alg", values.alg, allAlgs, quick ? ["ES256"] : allAlgs),
      stores: stores.filter((name) => localStores.includes(name)),
      sharedStores: stores,
      scenarios: readScenarios(values.scenario, scenarios),
      seconds: readNumber("seconds", values.seconds, quick ? 1.6 : 6, 0.5, 120),
      connections: readNumber("connections", values.connections, 16, 1, 256),
      against: values.against === undefined ? undefined : readCheckout(values.against),
    };
  } catch (problem) {
    console.error(`${problem instanceof Error ? problem.message : problem}\n\n${describeFlags(scenarios)}`);
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

function readScenarios(text: string | undefined, scenarios: readonly Scenario[]): readonly string[] {
  const short = scenarios.filter(({ isLong }) => !isLong);
  return readChoice("scenario", text, scenarios.map(nameOf), short.map(nameOf));
}

const nameOf = ({ name }: Scenario) => name;

function readCheckout(folder: string): string {
  const missing = ["src/tools/cli/main.ts", "dist/npm/cli.js"].find((file) =>
    !existsSync(`${folder}/${file}`)
  );
  if (missing === undefined) return Deno.realPathSync(folder);
  throw new Error(
    `--against ${folder}: expected a checkout after "deno task build", but it has no ${missing}`,
  );
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
