/** Packs the archive that npm would publish, prints its files, and refuses an unexpected one. */
import process from "node:process";
import { folder } from "./entries.ts";

const expected = [
  /^(package\.json|README\.md|LICENSE|static\/configuration\.schema\.json)$/,
  /^(chunks\/)?[a-z0-9_]+\.js(\.map)?$/,
  /^types\/.+\.d\.ts(\.map)?$/,
  /^src\/.+\.tsx?$/,
];

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

export async function pack(): Promise<void> {
  const packed = await runNpmPack();
  if (packed === undefined) return console.log(`${folder} is made; npm is not here, so it is not packed`);
  const { filename, files, size, unpackedSize } = packed;
  const surplus = files.filter(({ path }) => !expected.some((pattern) => pattern.test(path)));
  if (surplus.length > 0) {
    throw new Error(`The package holds too much: ${surplus.map(({ path }) => path).join(", ")}`);
  }
  for (const { path, size } of files.filter(({ path }) => !/\/.*\/|\.(map|ts)$/.test(path))) {
    printSize(path, size);
  }
  for (
    const [group, pattern] of [["source maps", /\.map$/], ["types/", /\.d\.ts$/], ["src/", /^src\//]] as const
  ) {
    const members = files.filter(({ path }) => pattern.test(path));
    printSize(`${group} (${members.length} files)`, members.reduce((total, { size }) => total + size, 0));
  }
  console.log(`dist/${filename}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`);
}

/** Resolves to `undefined` if npm is not installed. */
async function runNpmPack(): Promise<Packed | undefined> {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const ended = await new Deno.Command(npm, {
    args: ["pack", "--json", "--ignore-scripts", "--pack-destination", ".."],
    cwd: folder,
    stderr: "inherit",
  }).output().catch(() => undefined);
  if (ended === undefined) return undefined;
  if (!ended.success) throw new Error(`npm cannot pack ${folder}`);
  const [packed] = JSON.parse(new TextDecoder().decode(ended.stdout)) as readonly Packed[];
  if (packed === undefined) throw new Error("npm pack did not describe the archive");
  return packed;
}

function printSize(path: string, bytes: number): void {
  console.log(`${kilobytes(bytes).padStart(9)}  ${path}`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
