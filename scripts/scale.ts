/**
 * `deno task scale`: writes the tables of docs/scale.md from counts, measurements and calculation.
 * `--measure` first measures SQLite, Postgres and Redis again, which takes minutes. `--speeds FILE` takes the figures that
 * `deno task bench --scenario stores --json FILE` has written.
 */
import { parseArgs } from "node:util";
import type { Measures } from "./scale/measures.ts";
import type { FiguresFile } from "./bench/scenario.ts";
import { rewritePage } from "./replace_parts.ts";
import { type Speeds, writeParts } from "./scale/page_parts.ts";

const page = "docs/scale.md";
const measuresFile = "scripts/scale/measured_costs.json";
const speedsFile = "scripts/scale/measured_speeds.json";

if (import.meta.main) await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: Deno.args,
    options: { measure: { type: "boolean", default: false }, speeds: { type: "string" } },
  });
  if (values.measure) await measure();
  if (values.speeds !== undefined) await takeSpeeds(values.speeds);
  const measures = await readJson<Measures>(measuresFile);
  const speeds = await readJson<Speeds>(speedsFile);
  await rewritePage(page, "scale", writeParts(measures, speeds));
}

async function measure(): Promise<void> {
  // Loaded now, because only this part needs the servers.
  const { measureStores } = await import("./scale/measure_stores.ts");
  // A server of the tests does not keep this process alive while it ends.
  const alive = setInterval(() => {}, 1000);
  try {
    await writeJson(measuresFile, await measureStores((line) => console.error(`… ${line}`)));
  } finally {
    clearInterval(alive);
  }
}

async function takeSpeeds(file: string): Promise<void> {
  const { conditions: { versions: [runtime], load }, reports } = await readJson<FiguresFile>(file);
  const { figures = [] } = reports.find(({ title }) => title === "Code flow, by store") ?? {};
  if (figures.length === 0) throw new Error(`${file} has no figures of the scenario stores`);
  const name = `${runtime?.name.replace(/^./, (first) => first.toUpperCase())} ${runtime?.version}`;
  const conditions = `${name}, ${navigator.hardwareConcurrency} cores, load average ${load[0]?.toFixed(0)}`;
  await writeJson(speedsFile, { conditions, figures });
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(file)) as T;
}

/** Writes one line for each row, which `deno fmt` would break. */
async function writeJson(file: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(file, `${layOut(value, 2)}\n`);
}

function layOut(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== "object" || value === null) return JSON.stringify(value);
  const rows = Object.entries(value).map(([key, row]) =>
    `${Array.isArray(value) ? "" : `${JSON.stringify(key)}: `}${layOut(row, depth - 1)}`
  ).join(",\n");
  return Array.isArray(value) ? `[\n${rows}\n]` : `{\n${rows}\n}`;
}
