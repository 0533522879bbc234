/** What is handed out: the npm package on Node and Bun, its types, and the single executable. Made here, on Deno only. */

import { assertEquals, assertMatch } from "@std/assert";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Ended, inFolder, type Program, start, withServer } from "../cli/command.ts";
import { runtime, test as testHere } from "../runner.ts";

const test = runtime === "deno"
  ? testHere
  : (name: string) => testHere.skip(name, "the package is made and tried by Deno");

const root = fileURLToPath(new URL("../../", import.meta.url));

// Not written as a literal, because only Deno can load it.
const runtimes = "../../scripts/runtimes.ts";
const { bun, deno, obtainRuntime, oldestNode } = runtime === "deno"
  ? await import(runtimes) as typeof import("../../scripts/runtimes.ts")
  : {} as typeof import("../../scripts/runtimes.ts");

let built: Promise<void> | undefined;

function build(): Promise<void> {
  return built ??= runScript("build.ts");
}

async function runScript(name: string): Promise<void> {
  await succeed(start([], { command: [deno.path, "run", "--allow-all", `scripts/${name}`], cwd: root }));
}

async function succeed({ ended }: { readonly ended: Promise<Ended> }): Promise<Ended> {
  const { code, stdout, stderr } = await ended;
  assertEquals(code, 0, stdout + stderr);
  return { code, stdout, stderr };
}

/** A server, and a token from it. */
async function requireFlow(program: Program): Promise<void> {
  const { code } = await withServer([], async ({ issuer }) => {
    const { stdout } = await succeed(start(["token", "bob", "--issuer", issuer], program));
    assertMatch(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  }, program);
  assertEquals(code, 0);
}

/** A project that has the package installed, and the README's first example in a file of that name. */
async function inProject(
  file: string,
  work: (project: { readonly folder: string; readonly path: (name: string) => string }) => Promise<void>,
): Promise<void> {
  await build();
  await inFolder(async (path) => {
    await mkdir(path("node_modules"));
    await symlink(`${root}dist/npm`, path("node_modules/postern"));
    await writeFile(path("package.json"), '{ "type": "module" }');
    await writeFile(path(file), (await readExamples()).join("\n"));
    await work({ folder: path("."), path });
  });
}

/** The README's programs. */
async function readExamples(): Promise<readonly string[]> {
  const text = await readFile(`${root}README.md`, "utf8");
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
}

test("package: node dist/npm/cli.js is the server, and its token command the client", async () => {
  await build();
  const { path } = await obtainRuntime(oldestNode);
  await requireFlow({ command: [path, `${root}dist/npm/cli.js`] });
});

test("package: bun dist/npm/cli.js is the server", async () => {
  await build();
  const { path } = await obtainRuntime(bun);
  await requireFlow({ command: [path, `${root}dist/npm/cli.js`] });
});

test("package: npx ./dist/npm is the server", async () => {
  await build();
  const { stdout } = await withServer([], async ({ port }) => {
    const response = await fetch(`http://127.0.0.1:${port}/oauth2/jwks`);
    assertEquals([response.status, (await response.json()).keys.length], [200, 1]);
  }, { command: ["npx", "--yes", "./dist/npm"], cwd: root, asGroup: true });
  assertMatch(stdout, /GET {2}\/oauth2\/jwks +200/);
});

test("package: the README's programs run from plain JavaScript", async () => {
  await inProject("examples.js", async ({ path }) => {
    const node = await obtainRuntime(oldestNode);
    const { stdout } = await succeed(start([path("examples.js")], { command: [node.path] }));
    assertMatch(
      stdout,
      /access_token: 'ey[\w-]+\.[\w-]+\.[\w-]+',\s+token_type: 'Bearer',\s+expires_in: 3600/,
    );
  });
});

for (const [resolution, module] of [["nodenext", "nodenext"], ["bundler", "esnext"]]) {
  test(`package: the README's programs are strict TypeScript (moduleResolution ${resolution})`, async () => {
    await inProject("examples.ts", async ({ folder, path }) => {
      // What the examples take from Node, whose own types are not at hand.
      await writeFile(
        path("node_crypto.d.ts"),
        `declare module "node:crypto" {
          interface Hash { update(text: string): Hash; digest(encoding: "base64url"): string }
          export function createHash(name: string): Hash;
          export function randomBytes(length: number): { toString(encoding: "base64url"): string };
        }`,
      );
      const options = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
      await writeFile(
        path("tsconfig.json"),
        JSON.stringify({
          compilerOptions: {
            ...options,
            target: "esnext",
            lib: ["esnext", "dom", "dom.iterable"],
            module,
            moduleResolution: resolution,
            skipLibCheck: false,
            noEmit: true,
            types: [],
          },
          files: ["examples.ts", "node_crypto.d.ts"],
        }),
      );
      const { imports } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as {
        readonly imports: Readonly<Record<string, string>>;
      };
      await succeed(start(["--project", folder], {
        command: [deno.path, "run", "--allow-all", `${imports["typescript"]}/tsc`],
        cwd: root,
      }));
    });
  });
}

test("package: the executable needs nothing beside it, wherever it is started", async () => {
  await runScript("compile.ts");
  await inFolder(async (path) => {
    await requireFlow({ command: [`${root}dist/postern`], cwd: path(".") });
  });
});
