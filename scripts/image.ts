/** `deno task image`: makes dist/image/ARCHITECTURE, all files of a container image, for packaging/Dockerfile. */
import { dirname } from "node:path";
import process from "node:process";
import { makeExecutable, pathOfExecutable } from "./compile.ts";
import { runProgram } from "./run_program.ts";

/** The architectures that images are made for, and the names that Docker gives them. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

const architecture = process.platform === "linux" ? architectures[process.arch] : undefined;

/** The files of this machine's image. */
export const folder: string = `dist/image/${architecture}`;

const certificates = "/etc/ssl/certs/ca-certificates.crt";

/** The user is that of packaging/Dockerfile. */
const files: Readonly<Record<string, string>> = {
  "/etc/passwd": "postern:x:65532:65532:Postern:/:/sbin/nologin\n",
  "/etc/group": "postern:x:65532:\n",
  // without it, the system asks a name server for localhost
  "/etc/nsswitch.conf": "hosts: files dns\n",
};

async function main(): Promise<void> {
  if (architecture === undefined) fail("An image is made on Linux, on x64 or arm64");
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const program = `${folder}/usr/bin/postern`;
  await Deno.mkdir(dirname(program), { recursive: true });
  await Deno.rename(await compile(), program);
  for (const path of [...await listLibraries(program), certificates]) await copy(path);
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(folder + path), { recursive: true });
    await Deno.writeTextFile(folder + path, text);
  }
  // where the kernel's files are at run time
  for (const path of ["dev", "proc"]) await Deno.mkdir(`${folder}/${path}`);
  // the user of the container reads the files, which a strict umask of this machine would prevent
  await run("chmod", ["-R", "u=rwX,go=rX", folder]);
  const [size] = (await run("du", ["-sm", folder])).split("\t");
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { readonly version: string };
  console.log(`${folder}: ${size} MB. For an image:`);
  console.log(
    `docker build --file packaging/Dockerfile --build-arg VERSION=${version} --tag postern:${version} dist/image`,
  );
}

/** Makes the executable with Bun: Node's is larger, needs more libraries and more memory, and starts later. */
async function compile(): Promise<string> {
  const system = `linux-${process.arch}`;
  const { success, output } = await makeExecutable({ maker: "bun", system });
  return success ? pathOfExecutable(system) : fail(output);
}

/** Resolves to the paths of the loader and of the libraries. */
async function listLibraries(program: string): Promise<readonly string[]> {
  return [...(await run("ldd", [program])).matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
}

async function copy(path: string): Promise<void> {
  await Deno.mkdir(dirname(folder + path), { recursive: true });
  await Deno.copyFile(path, folder + path).catch(() => fail(`The image needs ${path}: install its package`));
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const { success, output } = await runProgram(program, args);
  return success ? output : fail(output);
}

function fail(problem: string): never {
  console.error(problem.trim());
  Deno.exit(1);
}

if (import.meta.main) await main();
