/** `postern init`: the configuration file to start from. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { decodeJwt } from "jose";
import { readConfigurationFile } from "../../../src/tools/cli/configuration/configuration_file.ts";
import { init } from "../../../src/tools/cli/commands/init.ts";
import { parseJsonc } from "../../../src/tools/cli/configuration/parse_jsonc.ts";
import { quoteWord } from "../../../src/ground/values/quote_word.ts";
import { createConfigurationSchema } from "../../../src/server/configuration_schema.ts";
import { createServer } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import * as program from "./command.ts";
import { complaintOf } from "./command.ts";
import { inFolder } from "../../in_folder.ts";
import { run, withServer } from "./in_process.ts";

interface FirstConfiguration {
  readonly $schema: string;
  readonly clients: readonly { readonly client_id: string; readonly client_secret?: string }[];
}

async function readFirst(file: string): Promise<FirstConfiguration> {
  return parseJsonc(await readFile(file, "utf8")) as FirstConfiguration;
}

const it = testIn(inFolder);

it("init: a server starts from the file, and both clients get a token from it", async (path) => {
  const file = path("postern.jsonc");
  const { code, stdout, stderr } = await run("init", file);
  assertEquals([code, stderr], [0, ""]);
  const typed = quoteWord(file, "all")!;
  assertStringIncludes(stdout, `\n  ${program.program} start --config ${typed} --watch\n`);
  assertStringIncludes(stdout, `\n  ${program.program} token alice --config ${typed}\n`);
  assertStringIncludes(
    await readFile(file, "utf8"),
    `\n//   ${program.program} start --config ${typed} --watch\n`,
  );

  const { stdout: printed } = await withServer(["--config", file], async ({ issuer }) => {
    const tokenOf = async (...args: readonly string[]) => {
      const { stdout, stderr } = await run("token", ...args, "--config", file, "--issuer", issuer);
      assertEquals(stderr, "");
      return decodeJwt(stdout);
    };
    const alice = await tokenOf("alice");
    const { client_id, scope, roles } = alice;
    assertEquals([client_id, scope, roles], ["web", "openid profile email read", ["admin"]]);
    assertEquals(Number(alice["exp"]) - Number(alice["iat"]), 900);
    const api = "https://api.example.com";
    const bob = await tokenOf(
      "bob",
      "--client",
      "app",
      "--scope",
      "openid profile email write",
      "--resource",
      api,
    );
    assertEquals([bob["client_id"], bob["aud"], bob["sub"]], ["app", api, "bob"]);
  });
  assertMatch(
    printed,
    /^ {2}Clients {3}web {2}client_secret_basic, redirect URI http:\/\/localhost:3000\/callback$/m,
  );
  assertEquals(printed.includes((await readFirst(file)).clients[0]!.client_secret!), false);
});

const readByShell = "init: a shell reads the printed commands as they are meant, with any name of a file";
if (process.platform === "win32") test.skip(readByShell, "there is no POSIX shell");
else {
  it(readByShell, async (path) => {
    const readWords = async (file: string) => {
      const { stdout } = await run("init", file);
      const [, line = ""] = /^ {2}(.* token alice .*)$/m.exec(stdout) ?? [];
      const words = execFileSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" });
      assertEquals(
        (await readFile(file, "utf8")).includes("\n//   # FILE: this file."),
        words.includes("\nFILE\n"),
      );
      const isNamed = stdout.includes("\n  # FILE: this file. Not all shells read it as it is.\n");
      return [...words.trimEnd().split("\n").slice(-4), isNamed];
    };
    for (const name of ["it's.jsonc", "$HOME `x` ;(*).jsonc"]) {
      assertEquals(await readWords(path(name)), ["token", "alice", "--config", path(name), false]);
    }
    for (const name of ["it's $HOME.jsonc", "a\nb.jsonc", 'a"b.jsonc', "a&b.jsonc"]) {
      assertEquals(await readWords(path(name)), ["token", "alice", "--config", "FILE", true]);
    }
  });
}

it("init: an existing file stays as it is", async (path) => {
  const file = path("postern.jsonc");
  await writeFile(file, "{}");
  assertEquals(
    await complaintOf(init, file),
    `2: ${file} exists already, and stays as it is. Name another file, such as postern.dev.jsonc`,
  );
  assertEquals([await readFile(file, "utf8"), await readdir(path("."))], ["{}", ["postern.jsonc"]]);
});

it("init: a missing folder and a second name are refused", async (path) => {
  const file = path("none/postern.jsonc");
  assertEquals(
    await complaintOf(init, file),
    `2: ${file} cannot be written: there is no folder ${path("none")}`,
  );
  assertEquals(await complaintOf(init, path("a.jsonc"), "b"), '2: unexpected argument "b"');
  assertEquals(await readdir(path(".")), []);
});

it("init: the secret is random", async (path) => {
  await run("init", path("one.jsonc"));
  await run("init", path("two.jsonc"));
  const [one, two] = [await readFirst(path("one.jsonc")), await readFirst(path("two.jsonc"))];
  assertMatch(one.clients[0]!.client_secret!, /^[\w-]{43}$/);
  assertNotEquals(one.clients[0]!.client_secret, two.clients[0]!.client_secret);
  assertEquals(one.clients[1]!.client_secret, undefined);
});

it("init: each setting in a comment is valid", async (path) => {
  const file = path("postern.jsonc");
  await run("init", file);
  const text = await readFile(file, "utf8");
  const settings = /^( *)\/\/ (?="\w+": )(?=.*,$)/gm;
  assertEquals(text.match(settings)?.length, 7);
  await writeFile(file, text.replace(settings, "$1"));
  const { configuration } = await readConfigurationFile(file);
  await createServer(configuration).close();
  assertEquals(configuration.people?.[0]?.password, "open sesame");
  assertEquals([configuration.firstUse, configuration.login], [true, "auto"]);
});

it("init: a schema that is there stays as it is, and one that cannot be written is an error", async (path) => {
  await writeFile(path("kept.schema.json"), "{}");
  const kept = await run("init", path("kept.json"));
  assertEquals([kept.code, await readFile(path("kept.schema.json"), "utf8")], [0, "{}"]);
  // a name may have 255 octets
  const long = await run("init", path(`${"a".repeat(245)}.json`));
  assertEquals(long.code, 1);
  assertMatch(long.stderr, /a\.schema\.json cannot be written: /);
});

it("init: editors find the schema of the installed package, or one next to the file", async (path) => {
  const { stdout: alone } = await run("init", path("alone.json"));
  assertStringIncludes(alone, `\n${path("alone.schema.json")} is beside it, so that editors check the file`);
  assertEquals((await readFirst(path("alone.json"))).$schema, "./alone.schema.json");
  const schema = JSON.parse(await readFile(path("alone.schema.json"), "utf8"));
  assertEquals(schema, JSON.parse(JSON.stringify(createConfigurationSchema())));

  await mkdir(path("node_modules/postern/static"), { recursive: true });
  await writeFile(path("node_modules/postern/static/configuration.schema.json"), "{}");
  await mkdir(path("tests"));
  const addresses = [["a.jsonc", "./"], ["tests/b.jsonc", "../"]] as const;
  for (const [name, up] of addresses) {
    const { stdout } = await run("init", path(name));
    assertEquals(stdout.includes("schema"), false);
    const { $schema } = await readFirst(path(name));
    assertEquals($schema, `${up}node_modules/postern/static/configuration.schema.json`);
  }
  assertEquals([existsSync(path("a.schema.json")), existsSync(path("tests/b.schema.json"))], [
    false,
    false,
  ]);
});

it("init: --agents writes a section of AGENTS.md, --mcp an entry of .mcp.json, and another run replaces both", async (path) => {
  await mkdir(path("node_modules/postern"), { recursive: true });
  await writeFile(path("node_modules/postern/llms.txt"), "");
  await writeFile(path("AGENTS.md"), "# Rules\n\nBe kind.\n");
  await writeFile(path(".mcp.json"), '{\n\t"mcpServers": { "other": { "command": "x" } },\n\t"more": 1\n}\n');
  const files = () => Promise.all(["AGENTS.md", ".mcp.json"].map((name) => readFile(path(name), "utf8")));
  const { code, stdout, stderr } = await run("init", "--agents", "--mcp", path("."));
  assertEquals([code, stderr], [0, ""]);
  const [notes = "", servers = ""] = await files();
  const section = /^# Rules\n\nBe kind\.\n\n(<!-- postern: begin -->\n[^]*<!-- postern: end -->)\n$/.exec(
    notes,
  );
  assertStringIncludes(stdout, section![1]!);
  assertMatch(notes, /`\.\/node_modules\/postern\/llms\.txt` lists the pages/);
  assertMatch(notes, /npm install --save-dev @modelcontextprotocol\/server/);
  assert(!notes.includes("__") && notes.includes(`\`${program.program} help verifier_missing\``), notes);
  const { mcpServers, more } = JSON.parse(servers);
  assertEquals([Object.keys(mcpServers), mcpServers.postern.args.at(-1), more], [
    ["other", "postern"],
    "mcp",
    1,
  ]);
  assert(servers.startsWith('{\n\t"mcpServers"'), servers);
  await writeFile(path("AGENTS.md"), `${notes.replace("help verifier_missing", "old")}\nThe end.\n`);
  await run("init", "--agents", "--mcp", path("."));
  assertEquals(await files(), [`${notes}\nThe end.\n`, servers]);
  assertEquals((await readdir(path("."))).toSorted(), [".mcp.json", "AGENTS.md", "node_modules"]);

  await writeFile(path(".mcp.json"), "{ // mine\n}");
  const complaint = await complaintOf(init, "--agents", "--mcp", path("."));
  assertEquals(complaint, `2: ${path(".mcp.json")} is not JSON with an object "mcpServers"`);
  assertEquals(await complaintOf(init, "--mcp"), "2: --mcp needs --agents");
});

it("init: deno task init has the permissions that it needs", async (path) => {
  const file = path("postern.jsonc");
  const { code, stderr } = await program.start(["--quiet", "init", file], {
    command: [process.execPath, "task"],
  }).ended;
  assertEquals([code, stderr], [0, ""]);
  assert(existsSync(file));
});
