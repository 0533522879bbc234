/** What a run of the tests fetches before it begins, and how long it takes. */
import { isMissing } from "./runtimes.ts";
import type { Lane } from "./test_lanes.ts";

const configuration = "dev.json";

/** Fetches what is missing. Says before what that is. */
export async function fetchMissing(lanes: readonly Lane[]): Promise<void> {
  const missing = await Promise.all(
    lanes.map(async ({ wanted }) =>
      wanted !== undefined && await isMissing(wanted) ? [`${capitalise(wanted.name)} ${wanted.version}`] : []
    ),
  );
  const packages = await countMissingPackages();
  const parts = [
    ...missing.flat(),
    ...(packages === 0 ? [] : [`${packages} ${packages === 1 ? "package" : "packages"} of ${configuration}`]),
  ];
  if (parts.length > 0) console.log(`Fetches from npm: ${parts.join(", ")}`);
  if (packages === 0) return;
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet", "--config", configuration],
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error("deno install has failed");
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Counts the packages of dev.json that node_modules lacks. */
async function countMissingPackages(): Promise<number> {
  const { imports } = JSON.parse(await Deno.readTextFile(configuration)) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  const found = await Promise.all(
    Object.values(imports).map(async (specifier) => {
      const [, name = "", version = ""] = /^npm:(@?[^@]+)@([^/]+)/.exec(specifier) ?? [];
      if (name === "") return true;
      // a range such as ^6.2.17 has no folder of its own
      const path = /^\d/.test(version) ? `.deno/${name.replace("/", "+")}@${version}` : name;
      return await Deno.stat(`node_modules/${path}`).then(() => true, () => false);
    }),
  );
  return found.filter((isFound) => !isFound).length;
}

/** Says how long all tests of these lanes take on this machine. */
export function describeDuration(lanes: readonly Lane[], slowness: number): string {
  const seconds = lanes.map(({ usualSeconds }) => usualSeconds * slowness);
  const cores = Math.min(navigator.hardwareConcurrency, lanes.length);
  const minutes = Math.max(...seconds, seconds.reduce((sum, each) => sum + each, 0) / cores) / 60;
  return minutes < 1.5 ? "about a minute" : `about ${Math.round(minutes)} minutes`;
}
