/** The npm package on Node and Bun, and the single executable. Deno builds them, so the tests run on Deno only. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Program, start, withServer } from "../../tools/cli/command.ts";
import { createFolder } from "../../in_folder.ts";
import { build, inProject, root, runScript, runtimes, succeed } from "../../package/project.ts";
import { test } from "../../runner.ts";

const { bun, obtainRuntime, oldestNode } = runtimes;

/** Starts a server, and gets a token from it. */
async function requireFlow(program: Program): Promise<void> {
  const { code } = await withServer([], async ({ issuer }) => {
    const { stdout } = await succeed(start(["token", "bob", "--issuer", issuer], program));
    assertMatch(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  }, program);
  assertEquals(code, 0);
}

for (const runtime of [oldestNode, bun]) {
  test(`package: cli.js starts a server on ${runtime.name}, and gets a token`, async () => {
    await build();
    const { path } = await obtainRuntime(runtime);
    await requireFlow({ command: [path, `${root}dist/npm/cli.js`] });
  });
}

/** Runs a command of the package several times at once, and resolves to what is in the cache folder afterwards. */
async function keepCode(
  path: (name: string) => string,
  env: Program["env"] = {},
): Promise<readonly string[]> {
  const { path: node } = await obtainRuntime(runtimes.currentNode);
  // Node looks only whether this one is set
  const unset = env["NODE_DISABLE_COMPILE_CACHE"] === undefined ? ["-u", "NODE_DISABLE_COMPILE_CACHE"] : [];
  const program: Program = {
    command: ["/usr/bin/env", ...unset, node, path("node_modules/postern/cli.js")],
    cwd: path("."),
    env: { HOME: path("home"), XDG_CACHE_HOME: "", NODE_COMPILE_CACHE: "", ...env },
  };
  const ended = await Promise.all([1, 2, 3].map(() => succeed(start(["misbehaviours"], program))));
  for (const { stdout, stderr } of ended) assertEquals([stdout, stderr], [ended[0]!.stdout, ""]);
  assertMatch(ended[0]!.stdout, /id_token\.aud_wrong/);
  return await readdir(path("home"), { recursive: true });
}

test("package: the command line keeps its compiled code, in a folder that only the user can read", () =>
  inProject({}, async ({ path }) => {
    await mkdir(path("home"));
    assertEquals(await keepCode(path, { NODE_DISABLE_COMPILE_CACHE: "1" }), []);
    assertEquals(await keepCode(path, { NODE_COMPILE_CACHE: path("chosen") }), []);
    assert((await readdir(path("chosen"), { recursive: true })).length > 2);
    const kept = await keepCode(path);
    assert(kept.length > 5, kept.join());
    assertEquals((await stat(path("home/.cache/postern/compiled"))).mode & 0o777, 0o700);
    // a second start has nothing to add
    assertEquals((await keepCode(path)).toSorted(), kept.toSorted());
  }));

test("package: the command line keeps no compiled code in a folder that others can use", () =>
  inProject({}, async ({ path }) => {
    await mkdir(path("home/.cache/postern/compiled"), { recursive: true, mode: 0o777 });
    await chmod(path("home/.cache/postern"), 0o777);
    assertEquals((await keepCode(path)).toSorted(), [".cache", ".cache/postern", ".cache/postern/compiled"]);
    assertEquals(await keepCode(path, { XDG_CACHE_HOME: "/dev/null" }), await keepCode(path));
  }));

// Of ECMAScript 2024 and later. The types of the sources are checked without them, and packages may bring them.
const laterNames = new RegExp(
  [
    String.raw`\b(?:Map|Object)\.groupBy\b`,
    String.raw`\bPromise\.(?:withResolvers|try)\b`,
    String
      .raw`\b(?:Array\.fromAsync|Iterator\.from|RegExp\.escape|Math\.sumPrecise|Error\.isError|Float16Array)\b`,
    String.raw`\bUint8Array\.from(?:Base64|Hex)\b`,
    String
      .raw`\.(?:union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(`,
    String.raw`\.(?:toBase64|toHex|setFromBase64|setFromHex)\(`,
  ].join("|"),
);

/** The bundles for pages and for their service worker, which no other runtime loads. */
function isForBrowsers(path: string): boolean {
  return path.startsWith("browser") || path.startsWith("postern-worker");
}

test("package: it calls nothing that Node 20 lacks", async () => {
  await build();
  const files = (await readdir(`${root}dist/npm`, { recursive: true })).filter((file) =>
    file.endsWith(".js") && !isForBrowsers(file)
  );
  const found = await Promise.all(files.map(async (file) => {
    const [name] = laterNames.exec(await readFile(`${root}dist/npm/${file}`, "utf8")) ?? [];
    return name === undefined ? [] : [`${file}: ${name}`];
  }));
  assertEquals([files.length > 20, found.flat()], [true, []]);
});

// a page needs preact, and verifying a token needs jose
const installedProgram = `import { postgresStore } from "postern";
import { createMock } from "postern/mock";
const as = await createMock();
const page = await as.fetch(as.issuer + "/oauth2/authorize?client_id=unknown");
const { access_token } = await as.expire(await as.login("alice"));
console.log(page.status, page.headers.get("content-type"), access_token.split(".").length);
await as.close();
await postgresStore("postgres://ann:secret@127.0.0.1:1/db").catch(({ message }) => console.log(message));
`;

test("package: npm installs the packed package with its dependencies", async () => {
  await build();
  const { version } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as { readonly version: string };
  await using path = await createFolder();
  await writeFile(path("package.json"), '{ "type": "module" }');
  await writeFile(path("program.js"), installedProgram);
  const packed = `${root}dist/postern-${version}.tgz`;
  await succeed(start(["install", "--no-audit", "--no-fund", packed], { command: ["npm"], cwd: path(".") }));
  const { path: node } = await obtainRuntime(oldestNode);
  const { stdout } = await succeed(start(["program.js"], { command: [node], cwd: path(".") }));
  const [login, store] = stdout.split("\n");
  assertEquals(login, "400 text/html; charset=utf-8 3");
  // npm does not install the libraries of the stores, which are optional.
  assertEquals(
    store,
    'Cannot open the store "postgres://ann@127.0.0.1:1/db": The package "postgres" is not installed: ' +
      'run "npm install postgres@^3.4.9"',
  );
  const agent = await start(["node_modules/postern/cli.js", "mcp"], { command: [node], cwd: path(".") })
    .ended;
  assertEquals([agent.code, agent.stdout], [1, ""]);
  assertMatch(
    agent.stderr,
    /is not installed.*: npx -p postern -p @modelcontextprotocol\/server postern mcp\n/,
  );
});

test("package: the links of its README lead to the repository", async () => {
  await build();
  const readme = await readFile(`${root}dist/npm/README.md`, "utf8");
  const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, link = ""]) => link);
  const repository = "https://github.com/postern/postern/";
  const paths = links.filter((link) => link.startsWith(repository) && !link.includes("/releases/")).map((
    link,
  ) => link.slice(repository.length).replace(/^(blob|raw)\/main\//, ""));
  assertEquals(links.filter((link) => !link.startsWith("https://")), []);
  assertEquals(paths.filter((path) => !existsSync(`${root}${path}`)), []);
  assert(paths.includes("docs/README.md") && paths.includes("docs/pictures/refused.webp"));
});

test("package: it has no sources and no source maps, and at most 1.75 MB packed and 5.46 MB unpacked", async () => {
  await build();
  const folder = `${root}dist/npm`;
  const paths = (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
  const files = (await Promise.all(paths.map((path) => stat(path)))).filter((file) => file.isFile());
  assertEquals(paths.filter((path) => /\.map$|(?<!\.d)\.tsx?$/.test(path)), []);
  const unpacked = files.reduce((sum, file) => sum + file.size, 0);
  const { version } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as { readonly version: string };
  const packed = (await stat(`${root}dist/postern-${version}.tgz`)).size;
  assert(unpacked > 3_000_000 && unpacked <= 5_460_000, `${unpacked} octets unpacked`);
  assert(packed > 1_000_000 && packed <= 1_750_000, `${packed} octets packed`);
});

/** Resolves to the names of the built modules that are loaded together with `name`. */
async function listLoaded(name: string, found: Set<string> = new Set()): Promise<ReadonlySet<string>> {
  if (found.has(name)) return found;
  found.add(name);
  const text = await readFile(`${root}dist/npm/${name}`, "utf8");
  for (const [, path = ""] of text.matchAll(/(?:\bfrom|\bimport)"(\.[^"]+)"/g)) {
    await listLoaded(join(dirname(name), path), found);
  }
  return found;
}

/** The bundler names a chunk by what it has, so a text of one file may move to another chunk. */
async function listChunksWith(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(`${root}dist/npm/chunks`)) {
    if ((await readFile(`${root}dist/npm/chunks/${name}`, "utf8")).includes(text)) {
      found.push(`chunks/${name}`);
    }
  }
  return found;
}

test("package: the test kit is loaded from a few files, because each makes the first login slower", async () => {
  await build();
  const loaded = await listLoaded("mock.js");
  assert(loaded.size > 2 && loaded.size <= 6, [...loaded].join(", "));
  // the pages and the schema are in files that other modules load
  for (const late of ["pages", "faults"]) {
    assert(existsSync(`${root}dist/npm/chunks/${late}.js`) && !loaded.has(`chunks/${late}.js`), late);
  }
  for (const late of ["configuration.schema.json", "dashboard.css"]) {
    const having = await listChunksWith(`/*! static/${late} */`);
    assert(having.length > 0 && !having.some((chunk) => loaded.has(chunk)), `${late}: ${having}`);
  }
});

const firstLogin = `import { createMock } from "postern/mock";
const as = await createMock();
await as.login();
await as.close();
`;

// Node loads its modules in about 0.1 ms each, and node:net needs a dozen others.
test("package: the first login does not load the network modules of Node", async () => {
  const program =
    `${firstLogin}process.exitCode = process.moduleLoadList.includes("NativeModule net") ? 1 : 0;\n`;
  await inProject({ files: { "program.js": program } }, async ({ path }) => {
    const { path: node } = await obtainRuntime(oldestNode);
    await succeed(start([path("program.js")], { command: [node] }));
  });
});

const dashboardProgram = `import { createMock } from "postern/mock";
import { createServer } from "postern";
import { openDashboard } from "postern/dashboard";
const as = await createMock();
await as.login("bob");
const { url } = await openDashboard(as);
const server = createServer({ issuer: "http://localhost:9000" });
const opened = await openDashboard(server);
const page = await fetch(new URL("/inspector", url));
const other = await server.fetch(new Request("http://localhost:9000/inspector"));
console.log(page.status, other.status, opened.url.startsWith("http://localhost:9000/inspector#key="));
await server.close();
await as.close();
`;

for (const runtime of [oldestNode, bun]) {
  test(`package: a program on ${runtime.name} opens the dashboard, and ends with its mock`, async () => {
    await inProject({ files: { "program.js": dashboardProgram } }, async ({ path }) => {
      const { path: program } = await obtainRuntime(runtime);
      const { code, stdout, stderr } = await start([path("program.js")], { command: [program] }).ended;
      assertEquals([code, stdout], [0, "401 401 true\n"], stderr);
    });
  });
}

const failingProgram = `import { createMock } from "postern/mock";
await (await createMock()).login("nobody");
`;

test("package: an error's stack names the function, and the bundle names its source", async () => {
  await inProject({ files: { "program.js": failingProgram } }, async ({ path }) => {
    const { path: node } = await obtainRuntime(oldestNode);
    const { stderr } = await start([path("program.js")], { command: [node] }).ended;
    const [, file = "", line = "0", column = "0"] =
      /^ +at login \(file:\/\/(.+postern\/chunks\/mock\.js):(\d+):(\d+)/m.exec(stderr) ?? [];
    const lines = (await readFile(file, "utf8")).split("\n");
    const before = [
      ...lines.slice(0, Number(line) - 1),
      lines[Number(line) - 1]!.slice(0, Number(column) - 1),
    ];
    assertMatch(stderr, /^ +at readDecision \(/m);
    const sources = [...before.join("\n").matchAll(/\/\*! (src\/\S+) \*\//g)].map(([, source]) => source);
    assertEquals(sources.at(-1), "src/kit/mock/client/login.ts");
    // Node prints the line of an error that nothing catches
    assert(stderr.length < 5_000, `${stderr.length} octets`);
  });
});

const hastyProgram = `import { createMock } from "postern/mock";
const as = await createMock();
const wrong = as.misbehave("id_token.alg_none");
const { outcome } = await wrong.settled(Promise.reject(new Error("no network")));
console.log(outcome);
await as.close();
`;

test("package: a client that fails while the misbehaviours are loading does not end the process", async () => {
  await inProject({ files: { "program.js": hastyProgram } }, async ({ path }) => {
    const { path: node } = await obtainRuntime(oldestNode);
    const { code, stdout, stderr } = await start([path("program.js")], { command: [node] }).ended;
    assertEquals([code, stdout], [0, "not_reached\n"], stderr);
  });
});

test("package: init points editors to the schema in the package", async () => {
  await inProject({}, async ({ path, folder }) => {
    const { path: node } = await obtainRuntime(oldestNode);
    const program = { command: [node, path("node_modules/postern/cli.js")], cwd: folder } as const;
    const { stdout } = await succeed(start(["init"], program));
    assertMatch(stdout, /^ {2}npx postern start --config postern\.jsonc --watch$/m);
    const [, schema = ""] = /"\$schema": "(.+)"/.exec(await readFile(path("postern.jsonc"), "utf8")) ?? [];
    assertEquals(schema, "./node_modules/postern/static/configuration.schema.json");
    const published = await readFile(`${root}static/configuration.schema.json`, "utf8");
    assertEquals(JSON.parse(await readFile(path(schema), "utf8")), JSON.parse(published));
  });
});

test("package: the executable runs alone, in any folder", async () => {
  await runScript("compile.ts");
  await using path = await createFolder();
  const program = { command: [`${root}dist/postern`], cwd: path(".") } as const;
  await requireFlow(program);
  // It contains the libraries of the stores.
  const { stderr } = await start(["start", "--store", "postgres://ann@127.0.0.1:1/db"], program).ended;
  assertMatch(stderr, /Cannot open the store "postgres:\/\/ann@127\.0\.0\.1:1\/db": nothing listens on 127/);
});
