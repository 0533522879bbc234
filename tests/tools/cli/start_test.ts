/** `postern start`: what it prints, the arguments and files that it refuses, and whom it lets in. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { chmod, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { explainMissingFile } from "../../../src/tools/cli/configuration/text_file.ts";
import { start as startCommand } from "../../../src/tools/cli/start/start.ts";
import { splitWords } from "../../flows/curl_command.ts";
import { test } from "../../runner.ts";
import { createFolder, inFolder } from "../../in_folder.ts";
import { testIn } from "../../test_in.ts";
import { print } from "../../../src/tools/cli/commands/print.ts";
import * as program from "./command.ts";
import { complaintOf, withFile } from "./command.ts";
import { run, runWith, withConfiguredServer, withServer } from "./in_process.ts";

test("start: FORCE_COLOR turns colours on", async () => {
  const env = { NO_COLOR: "", FORCE_COLOR: "1" };
  const { stdout } = await withServer([], () => Promise.resolve(), { env });
  // deno-lint-ignore no-control-regex
  assertMatch(stdout, /\x1b\[1mPostern\x1b\[22m/);
});

test("start: --print chooses the form of the settings, and --quiet prints no requests", async () => {
  const { stdout } = await withServer(["--print", "spring", "--quiet"], async ({ port }) => {
    await (await fetch(`http://127.0.0.1:${port}/nothing`)).text();
  });
  assertStringIncludes(stdout, `            issuer-uri: "http://localhost:`);
  assert(!stdout.includes("OAUTH_ISSUER") && !stdout.includes("/nothing"), stdout);
});

test("print: the command that start names prints the same as --print, and needs no server", async () => {
  await withFile(
    { clients: [{ client_id: "shop", redirect_uris: ["http://localhost:3000/cb"] }] },
    async (file) => {
      const flags = ["--config", file, "--login", "auto:bob", "--print", "curl"];
      const { stdout } = await withServer(flags, () => Promise.resolve());
      const [, command = ""] = / print NAME( --.*)$/m.exec(stdout)!;
      const { code, stdout: printed, stderr } = await program.run("print", "curl", ...splitWords(command));
      assertEquals([code, stderr], [0, ""]);
      assertStringIncludes(printed, "client_id=shop");
      assertStringIncludes(stdout, `\n${printed}`);
    },
  );
});

test("print: variables name the server, and of a server elsewhere only the issuer is known", async () => {
  assertStringIncludes((await runWith({ POSTERN_PORT: "9001" }, "print")).stdout, "localhost:9001\n");
  const { stdout } = await run("print", "openid-client", "--issuer", "https://as.example.com");
  assertStringIncludes(stdout, 'new URL("https://as.example.com")');
  assertMatch(
    await complaintOf(print, "openid"),
    /^2: nothing is printed for "openid": did you mean openid-/,
  );
  // A URL may contain a password.
  assertMatch(await complaintOf(print, "https://ann:canary@as.example"), /^2: nothing [^"]+"…@as\.example":/);
});

test("start: --trust-proxy counts failed sign-ins for the address that the proxy names", async () => {
  await withServer(["--trust-proxy", "::1,127.0.0.1"], async ({ port }) => {
    const guess = async (peer: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/oauth2/token`, {
        method: "POST",
        headers: { "x-forwarded-for": `198.51.100.1, ${peer}` },
        body: new URLSearchParams({
          grant_type: "client_credentials",
          client_id: "demo-confidential",
          client_secret: "guess",
        }),
      });
      await response.body?.cancel();
      return response.status;
    };
    for (let time = 0; time < 20; time++) await guess("192.0.2.1");
    assertEquals([await guess("192.0.2.1"), await guess("192.0.2.2")], [429, 401]);
  });
});

test("start: a wrong argument is refused in one line with exit code 2", async () => {
  const attempts: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["--port", "65536"], /^2: --port must be a number from 0 to 65535, not "65536"$/],
    [["--drain", "soon"], /^2: --drain must be a number of seconds up to 3600, not "soon"$/],
    [["--store", "postgress//ann:canary@db"], /^2: --store must be memory, sqlite:.+ redis:\/\/…[^@]*$/],
    [["--trust-proxy", "proxy.test"], /^2: --trust-proxy must be an IP address, or .*, not "proxy\.test"$/],
    [["--login", "auto:carol"], /^2: --login must name a configured person: carol is not one of alice, bob$/],
    [["--watch"], /^2: --watch needs a file to watch: --config FILE, --people FILE, or both$/],
  ];
  for (const [args, message] of attempts) assertMatch(await complaintOf(startCommand, ...args), message);
});

test("start: a mistake in the configuration file is reported with its place", async () => {
  const files: readonly (readonly [text: string, message: RegExp])[] = [
    ['{\n  // none\n  "clients": [,]\n}', /^2: postern\.json:3:15: expected a value$/],
    [
      '{ "clients": [{ "client_id": "a", "redirect_uris": ["https://a.example/", "http://a.example/"] }] }',
      /^2: postern\.json:1:75: clients\[0\]\.redirect_uris\[1\] must be https, not "http:\/\/a\.example\/": http is for /,
    ],
    [
      '{ // none\n  "people": [{ "username": 7 }] }',
      /^2: postern\.json:2:28: people\[0\]\.username must be a string, not 7$/,
    ],
    // The member is missing, so the position is that of the object.
    ['{ "clients": [\n  { "scope": "a" }] }', /^2: postern\.json:2:3: clients\[0\]\.client_id is required$/],
    [
      '\ufeff{ "scopes": { "a\\"b": "A" } }',
      /^2: postern\.json:1:23: scopes\["a\\"b"\] must be a scope name: /,
    ],
    ['{ "constructor": {} }', /^2: postern\.json:1:18: constructor is not known: known are /],
  ];
  await using path = await createFolder();
  const file = path("postern.json");
  for (const [text, message] of files) {
    await writeFile(file, text);
    assertMatch(await complaintOf(startCommand, "--config", file), message);
  }
  const missing = path("none.json");
  assertEquals(
    await complaintOf(startCommand, "--config", missing),
    `2: --config ${missing}: there is no such file`,
  );
  assertEquals(
    await complaintOf(startCommand, "--config", "none.json"),
    `2: --config none.json: ${explainMissingFile("none.json")}`,
  );
  assertEquals(
    await complaintOf(startCommand, "--config", path(".")),
    `2: --config ${path(".")}: this is a folder, and a file was expected`,
  );
});

test("start: the error about a missing file has its absolute path, and says where deno task runs", () => {
  assertEquals(explainMissingFile("none.json", false), `there is no file ${resolve("none.json")}`);
  assertEquals(
    explainMissingFile("../none.json", true),
    `there is no file ${resolve("../none.json")}. deno task runs in Postern's folder: give the absolute path`,
  );
});

const it = testIn(inFolder);

it("start: the server follows the configuration file, and flags win over it", async (path) => {
  await writeFile(
    path("postern.json"),
    `\ufeff// The shop and its only customer.
      {
        "$schema": "./configuration.schema.json",
        "clients": [
          { "client_id": "shop", "client_secret": "canary", "redirect_uris": ["https://shop.example/cb"] },
        ],
        "people": [{ "username": "carol", "password": "canary", "claims": { "name": "Carol Clark" } }],
        "login": "picker", /* --login has priority */
      }`,
  );
  const flags = ["--config", path("postern.json"), "--login", "auto:carol"];
  const { stdout } = await withServer(flags, () => Promise.resolve());
  assertMatch(
    stdout,
    /^ {2}Clients {3}shop {2}client_secret_basic, redirect URI https:\/\/shop\.example\/cb$/m,
  );
  assertMatch(stdout, /^ {2}People {4}carol {2}Carol Clark, with a password$/m);
  assertMatch(stdout, /^ {12}Sign-in and consent are automatic, as carol\.$/m);
  assertMatch(stdout, /^OAUTH_CLIENT_ID=shop$/m);
  assert(!stdout.includes("canary") && !stdout.includes("Try it"), stdout);
});

/** Starts a server for other machines, or for this one, and counts its requests for a document on this machine. */
async function countDocumentRequests(...args: readonly string[]): Promise<number> {
  let requests = 0;
  const host = createServer((_request, response) => {
    requests++;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const document = `http://localhost:${(host.address() as AddressInfo).port}/client.json`;
  await withServer(["--issuer", "http://localhost:9000", ...args], async ({ port }) => {
    const request = new URLSearchParams({ client_id: document, response_type: "code" });
    const response = await fetch(`http://localhost:${port}/oauth2/authorize?${request}`);
    assertEquals(response.status, 400, await response.text());
  });
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
  return requests;
}

test("start: a server that listens for other machines calls no program of this machine for a stranger", async () => {
  const clients = [{ client_id: "shop", redirect_uris: ["https://shop.example/cb"] }];
  const configuration = { clients, people: [{ username: "carol" }], clientDocuments: true };
  await withFile(configuration, async (config) => {
    assertEquals(await countDocumentRequests("--config", config), 1);
    const withKey = ["--inspector-key", "a-key-of-sixteen-or-more"];
    for (const kind of [[], withKey, ["--control=a-token-of-sixteen-or-more"]]) {
      const outside = ["--host", "0.0.0.0", "--config", config, ...kind];
      assertEquals(await countDocumentRequests(...outside), 0, `${outside}`);
    }
  });
});

it("start: a server for other machines needs an issuer, and has no demo credentials or first use", async (path) => {
  const clients = [{ client_id: "shop", redirect_uris: ["https://shop.example/cb"] }];
  const people = [{ username: "carol" }];
  await writeFile(path("whole.json"), JSON.stringify({ clients, people }));
  await writeFile(path("clients.json"), JSON.stringify({ clients }));
  const outside = ["--host", "0.0.0.0", "--issuer", "https://id.acme.com"];
  assertMatch(
    await complaintOf(startCommand, "--host", "0.0.0.0"),
    /^2: --host 0\.0\.0\.0 lets other machines in, so --issuer must be the URL they use: /,
  );
  assertMatch(
    await complaintOf(startCommand, ...outside, "--config", path("clients.json")),
    /, and anyone could use the demo people: .*, or add --expose-demo$/,
  );
  const { stdout } = await withServer([...outside, "--config", path("whole.json")], () => Promise.resolve());
  assertMatch(stdout, /^ {12}The server listens on 0\.0\.0\.0:\d+\.$/m);
  assertMatch(stdout, /^ {2}Beware {4}Other machines can reach this server\.$/m);
});

test("start: with --profile and http, it says that FAPI 2.0 needs TLS (FAPI 2.0 §5.2.1)", async () => {
  const flags = ["--profile", "fapi2-security"];
  const { stderr, stdout } = await withConfiguredServer({ clients: [] }, () => Promise.resolve(), flags);
  assertEquals(
    stderr,
    "postern: FAPI 2.0 needs TLS: use http for tests on this machine only. Add --tls\n",
  );
  assertMatch(stdout, /^ {2}Issuer\s+http:/m);
});

it("start: a store file that other users can read is reported with the chmod command that fixes it", async (path) => {
  const file = path("store.db");
  await writeFile(file, "");
  await chmod(file, 0o644);
  const { stderr } = await withServer(["--store", `sqlite:${file}`], () => Promise.resolve());
  assert(stderr.startsWith(`postern: The store "${file}" is open to other users`), stderr);
  assertEquals(splitWords(stderr.split(": run ").at(-1)!.trim()), ["chmod", "600", file]);
});
