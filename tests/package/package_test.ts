/** What is handed out: the npm package on Node and Bun, its types, and the single executable. Made here, on Deno only. */

import { assertEquals, assertMatch } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { inFolder, type Program, start, withServer } from "../cli/command.ts";
import { build, inProject, root, runScript, runtimes, succeed, test } from "./project.ts";

const { bun, obtainRuntime, oldestNode } = runtimes;

/** A server, and a token from it. */
async function requireFlow(program: Program): Promise<void> {
  const { code } = await withServer([], async ({ issuer }) => {
    const { stdout } = await succeed(start(["token", "bob", "--issuer", issuer], program));
    assertMatch(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  }, program);
  assertEquals(code, 0);
}

/** The README's programs. */
async function readExamples(): Promise<string> {
  const text = await readFile(`${root}README.md`, "utf8");
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = ""]) => code).join("\n");
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
    const { keys } = await response.json() as { readonly keys: readonly { readonly alg: string }[] };
    assertEquals([response.status, keys.map(({ alg }) => alg)], [200, ["ES256", "RS256"]]);
  }, { command: ["npx", "--yes", "./dist/npm"], cwd: root, asGroup: true });
  assertMatch(stdout, /GET {2}\/oauth2\/jwks +200/);
});

// A page needs one of its packages, to verify a token another.
const installedProgram = `import { createMock } from "postern/mock";
const as = await createMock();
const page = await as.fetch(as.issuer + "/oauth2/authorize?client_id=unknown");
const { access_token } = await as.expire(await as.login("alice"));
console.log(page.status, page.headers.get("content-type"), access_token.split(".").length);
await as.close();
`;

test("package: packed, it brings what it needs into any project", async () => {
  await build();
  const { version } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as { readonly version: string };
  await inFolder(async (path) => {
    await writeFile(path("package.json"), '{ "type": "module" }');
    await writeFile(path("program.js"), installedProgram);
    const packed = `${root}dist/postern-${version}.tgz`;
    await succeed(
      start(["install", "--no-audit", "--no-fund", packed], { command: ["npm"], cwd: path(".") }),
    );
    const { path: node } = await obtainRuntime(oldestNode);
    const { stdout } = await succeed(start(["program.js"], { command: [node], cwd: path(".") }));
    assertEquals(stdout, "400 text/html; charset=utf-8 3\n");
  });
});

test("package: the README's programs run from plain JavaScript", async () => {
  await inProject({ files: { "examples.js": await readExamples() } }, async ({ path }) => {
    const node = await obtainRuntime(oldestNode);
    const { stdout } = await succeed(start([path("examples.js")], { command: [node.path] }));
    assertMatch(
      stdout,
      /access_token: 'ey[\w-]+\.[\w-]+\.[\w-]+',\s+token_type: 'Bearer',\s+expires_in: 3600/,
    );
  });
});

test("package: the executable needs nothing beside it, wherever it is started", async () => {
  await runScript("compile.ts");
  await inFolder(async (path) => {
    await requireFlow({ command: [`${root}dist/postern`], cwd: path(".") });
  });
});
