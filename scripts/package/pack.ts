/** Packs the archive that npm would publish, prints its files, and refuses an unexpected one. */
import process from "node:process";
import { folder } from "./entries.ts";

const expected = [
  /^(package\.json|README\.md|LICENSE|THIRD_PARTY_NOTICES|llms(-full)?\.txt|static\/configuration\.schema\.json)$/,
  /^(chunks\/)?[a-z0-9_]+\.js$/,
  /^(browser|postern-worker)\/[a-z0-9_-]+-[0-9a-f]{8}\.js$/,
  /^postern-worker\.js$/,
  /^types\/.+\.d\.ts$/,
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
  const declarations = files.filter(({ path }) => path.endsWith(".d.ts"));
  for (const { path, size } of files.filter((file) => !declarations.includes(file))) printSize(path, size);
  const total = declarations.reduce((sum, { size }) => sum + size, 0);
  printSize(`types/ (${declarations.length} files)`, total);
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
