/**
 * Text of a foreign provider in everything that is printed, exported or written: a real shell runs no part of it and reads
 * it back as it is, and no program, editor or diagram takes it for anything but text.
 */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { spawnSync } from "node:child_process";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import type { Configuration } from "../../../src/server/setup/configuration.ts";
import { createMock } from "../../../src/kit/mod.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { fromRequest, toResponse } from "../../../src/ground/http/message.ts";
import { createControl } from "../../../src/tools/control/control.ts";
import { describeApplication } from "../../../src/tools/cli/forms/application.ts";
import { applicationForms } from "../../../src/tools/cli/forms/application_forms.ts";
import { describeServer } from "../../../src/tools/cli/start/banner.ts";
import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import { openWorkloads } from "../../../src/tools/cli/start/workload.ts";
import { describeProxy } from "../../../src/tools/cli/proxy/describe_proxy.ts";
import { describePrintCommand } from "../../../src/tools/cli/forms/print_flags.ts";
import { defaultFeatures } from "../../../src/server/features/mod.ts";
import { readSettings } from "../../../src/server/setup/read_settings.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { createFolder, inFolder } from "../../in_folder.ts";
import { describeLast } from "../../kit/mock/journal/kept_world.ts";
import { test } from "../../runner.ts";
import { createWorld } from "../../world.ts";
import { connectAgent } from "../agent.ts";
import { run } from "./in_process.ts";

/** Each of them calls the program `owned` where something runs it. */
const hostile: readonly string[] = [
  "`owned`$(owned);owned",
  '`owned`$(owned);owned&owned|owned>file<file"owned"\\',
  "'$(owned)'`owned`;owned;'",
  "it's",
  "{{owned}}${owned}</script>#{owned}",
  "%OWNED%!owned!~*?[a]{b,c}",
];

/** What each place of a configuration accepts of the text. */
function configure(text: string): Configuration & { readonly issuer: string } {
  const uri = text.replace(/[\\"<>^`{|}#[\]]/g, "");
  return {
    issuer: new URL(`http://localhost:9000/a${text.replace(/[\\"<>^`{|}#?%]/g, "")}`).href,
    demoResource: "/resource",
    login: "auto",
    alg: "ES256",
    clients: [
      {
        client_id: `exchanger${text}`,
        client_secret: `secret${text}`,
        redirect_uris: [],
        grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"],
        token_exchange: { from: [`shop${text}`], to: [`https://api.example/${uri}`] },
      },
      {
        client_id: `shop${text}`,
        token_endpoint_auth_method: "none",
        redirect_uris: [`http://localhost:3000/cb${uri}`, `com.example.app:/coding:utf-7${uri}`],
        grant_types: [
          "authorization_code",
          "refresh_token",
          "urn:ietf:params:oauth:grant-type:device_code",
        ],
      },
    ],
    people: [{ username: `alice${text}`, claims: { name: text } }],
    scopes: { openid: "Who you are", [`orders${text.replace(/["\\]/g, "")}`]: text },
    resources: [`https://api.example/${uri}`],
  } as Configuration & { readonly issuer: string };
}

const settingsOf = (configuration: Configuration) =>
  readSettings(configuration, gatherSlots(defaultFeatures(configuration)));

/** The calls of programs in a script, by their words. */
type Calls = readonly (readonly string[])[];

// They record how they are called. An answer of curl has what the next step of a printed program reads.
const stubs = [
  "curl",
  "deno",
  "npx",
  "docker",
  "java",
  "keytool",
  "cp",
  "chromium",
  "ruby",
  "php",
  "sleep",
  "postern",
  "owned",
];
const stub = `#!/bin/sh
{ printf '%s\\0' "\${0##*/}" "$@"; printf '\\1'; } >> "$RECORD"
for each; do case $each in state=*) printf 'http://cb/?code=abc&%s' "$each"; esac; done
printf '{"access_token":"t","device_code":"d","user_code":"u","verification_uri":"v","interval":"1"}'
`;

async function withShell(
  work: (runScript: (script: string) => Promise<Calls>) => Promise<void>,
): Promise<void> {
  await using path = await createFolder();
  await mkdir(path("bin"));
  for (const name of stubs) {
    await writeFile(path(`bin/${name}`), stub);
    await chmod(path(`bin/${name}`), 0o755);
  }
  const env = { ...process.env, PATH: `${path("bin")}:${process.env["PATH"]}`, RECORD: path("record") };
  await work(async (script) => {
    await writeFile(path("record"), "");
    await mkdir(path("here"), { recursive: true });
    const { status, stderr } = spawnSync("bash", ["-c", script], {
      cwd: path("here"),
      env,
      encoding: "utf8",
    });
    assertEquals([status, /not found|syntax|No such/.test(stderr)], [0, false], script + stderr);
    const record = await readFile(path("record"), "utf8");
    const calls = record.split("\u0001").filter(Boolean).map((call) => call.split("\0").slice(0, -1));
    assertFalse(calls.some(([name]) => name === "owned"), script);
    for (const call of calls.filter(([name]) => name === "curl")) {
      const isPattern = call.some((word) => /^https?:.*[[\]{}]/.test(word));
      assert(!isPattern || call.some((word) => word === "--globoff" || word === "-gsS"), call.join(" "));
    }
    await rm(path("here"), { recursive: true });
    return calls;
  });
}

const hasBash = spawnSync("bash", ["-c", "exit 0"]).status === 0;
const it = (name: string, work: () => Promise<void>) =>
  hasBash ? test(name, work) : test.skip(name, "there is no bash");

/** The lines of a text that are commands, with the lines that continue them. */
function findCommands(text: string): readonly string[] {
  const begins =
    /^[ /*]*((?:token=\$\()?(?:deno|npx|postern|curl|docker|java|keytool|cp)\b|export [A-Z]|[A-Z_]+=)/;
  const commands: string[] = [];
  for (const line of text.replaceAll("\\\n", "").replaceAll("|\n", "|").split("\n")) {
    const [whole, first] = begins.exec(line) ?? [];
    if (first !== undefined) commands.push(line.slice(whole!.length - first.length));
  }
  return commands;
}

/** The values of a configuration that commands have, as a shell should give them to a program. */
function valuesOf({ issuer, clients = [], people = [] }: Configuration): readonly string[] {
  return [issuer!, clients[1]!.client_id!, people[0]!.username].map((text) => text!);
}

function describeBanner(text: string): string {
  const configuration = configure(text);
  const settings = settingsOf(configuration);
  return describeServer({
    settings,
    configuration,
    listensAt: "localhost:9000",
    store: "memory",
    form: "env",
    isReached: false,
    program: "deno task",
    file: { path: `/tmp/${text.replaceAll("/", "")}.jsonc`, isWatched: false },
    printCommand: describePrintCommand({ issuer: configuration.issuer, config: text, people: "p" }, 9000),
  }, createColours({ isTTY: false }));
}

it(
  "hostile text: the commands of a banner run no part of it, and have it as it is or a name in its place",
  () =>
    withShell(async (runScript) => {
      for (const text of hostile) {
        const banner = describeBanner(text);
        const commands = findCommands(banner);
        assert(commands.length >= 3, banner);
        const calls = await runScript(commands.join("\n"));
        const words = calls.flat();
        const [issuer, clientId, username] = valuesOf(configure(text));
        const values = [[issuer!, "ISSUER"], [clientId!, "CLIENT_ID"], [
          username!,
          "USERNAME",
        ]] as const;
        for (const [value, name] of values) {
          assert(words.includes(value) !== words.includes(name), `${value}: ${words.join(" ")}`);
          assertEquals(banner.includes(`# ${name}: `), words.includes(name));
        }
        assertEquals(banner.includes("# VALUE: the value of --"), words.includes("VALUE"));
        assertEquals(calls.filter(([name]) => name === "curl").length, 1);
      }
      // What most providers have is written out.
      const words = (await runScript(findCommands(describeBanner("`owned`$(owned);owned")).join("\n")))
        .flat();
      assertEquals(words.filter((word) => /^[A-Z_]+$/.test(word)), ["NAME"]);
    }),
);

it(
  "hostile text: a printed program of a shell sends it as it is, or is not printed",
  () =>
    withShell(async (runScript) => {
      for (const form of ["curl", "device"]) {
        for (const text of hostile) {
          const configuration = configure(text);
          const printed = describeApplication(form, settingsOf(configuration), configuration).join("\n");
          const calls = await runScript(`export EXCHANGE_CLIENT_SECRET=x\n${printed}`);
          if (/^# A value of this server cannot be/.test(printed)) {
            assertMatch(text, /'.*[$`]|'.*"/);
            assertEquals(calls, []);
            continue;
          }
          assert(
            calls.some((call) => call.includes(`client_id=${configuration.clients![1]!.client_id}`)),
            printed,
          );
          assert(calls.some((call) => call.some((word) => word.startsWith(configuration.issuer))), printed);
        }
      }
    }),
);

it(
  "hostile text: a shell that runs the .env file, and the tokens of a workload, run no part of it",
  () =>
    withShell(async (runScript) => {
      for (const text of hostile) {
        const configuration = configure(text);
        const settings = settingsOf({ ...configuration, also: ["http://127.0.0.1:9000"] });
        const lines = describeApplication("env", settings, configuration, { isFromContainer: true });
        const names = ["OAUTH_ISSUER", "OAUTH_CLIENT_ID", "OAUTH_REDIRECT_URI", "OAUTH_SCOPE"];
        const read = names.map((name) => `deno ${name} "\${${name}-}"`);
        const calls = await runScript(["unset ${!OAUTH_*}", ...lines, ...read].join("\n"));
        const { clients: [, client] = [] } = configuration;
        const expected = [configuration.issuer, client!.client_id!, client!.redirect_uris![0]!];
        for (const [at, value] of expected.entries()) {
          const isLeftOut = lines.some((line) => line.startsWith(`# ${names[at]} is left out`));
          assertEquals(calls[at], ["deno", names[at]!, isLeftOut ? "" : value]);
        }
        await using as = await createMock(configuration);
        const { copied } = await openWorkloads("github-actions,gitlab-ci", as, undefined);
        const sent = await runScript(copied.join("\n"));
        assertEquals(sent.map(([name]) => name), ["curl"]);
        assert(
          sent[0]!.some((word) => word.startsWith(`${configuration.issuer}/gitlab-ci/`) || word === "URL"),
        );
      }
    }),
);

it(
  "hostile text: the lines about a proxy run no part of a folder",
  () =>
    withShell(async (runScript) => {
      const cert = await readFile("tests/certificates/localhost.crt", "utf8");
      const plan = {
        like: "auth0",
        host: "localhost",
        origins: [],
        added: [],
        port: 9001,
        token: "a".repeat(16),
        passesOthers: false,
      } as const;
      for (const text of hostile.map((each) => each.replaceAll("/", ""))) {
        const files = {
          hosts: ["x.auth0.com"],
          bundle: `/tmp/${text}/all.pem`,
          certFile: `/tmp/${text}/ca.pem`,
          cert,
        };
        const { copied } = describeProxy(plan, files);
        const calls = await runScript([...copied, 'deno "$PROXY_CA"'].join("\n").replaceAll("…", ""));
        const named = calls.at(-1)![1]!;
        assert(named === files.bundle || named === "FILE", named);
        assertEquals(copied.some((line) => line.startsWith("# FILE: ")), named === "FILE");
      }
    }),
);

test("hostile text: a comment has no name that a shell would run", () => {
  for (const form of ["env", "curl", "device"]) {
    for (const text of hostile.slice(0, 3)) {
      const configuration = configure(text);
      const clients = configuration.clients!.map((client) => ({
        ...client,
        client_secret: "secret",
        token_endpoint_auth_method: "client_secret_post",
      }));
      const printed = describeApplication(form, settingsOf({ ...configuration, clients }), {
        ...configuration,
        clients,
      });
      // zsh reads a pasted comment as a command.
      for (const line of printed.filter((each) => each.startsWith("#"))) {
        assertFalse(line.replaceAll(/'[^']*'/g, "").includes("owned"), line);
      }
    }
  }
});

test("hostile text: printed programs of other languages hold it as text, and leave the rest of the line alone", () => {
  for (const form of applicationForms) {
    for (const text of hostile) {
      const all = configure(text);
      const clients = all.clients!.map((client) => ({
        ...client,
        redirect_uris: client.redirect_uris!.slice(1),
      }));
      const configuration = form === "python" ? { ...all, clients } : all;
      const printed = describeApplication(form, settingsOf(configuration), configuration).join("\n");
      // Python takes the encoding of a file from a comment in its first two lines (PEP 263).
      const head = printed.split("\n").slice(0, 2).join("\n");
      assertFalse(/coding[:=]/.test(head), head);
      if (form === "http") assertFalse(printed.replaceAll(/\{\{[\w]+\}\}/g, "").includes("{{"), printed);
      if (form === "http") assertFalse(printed.includes("{{owned}}"));
      if (form === "spring") assertFalse(printed.includes("${owned}"), printed);
      if (form === "oidc-client-ts") assertFalse(printed.includes("</script>"), printed);
    }
  }
});

const clean = (text: string) => text.replaceAll(/#\d+;/g, "");

test("hostile text: the exports of a journal hold it as text", async () => {
  for (const text of hostile) {
    const configuration = configure(text);
    await using as = await createMock(configuration);
    const url = `${as.issuer}/oauth2/authorize?${new URLSearchParams({
      client_id: `shop${text}\n\u202e`,
      scope: text,
      redirect_uri: text,
    })}`;
    await as.fetch(url, { headers: { accept: `text/html;x="${text}"` } });
    const har = JSON.parse(as.timeline("har"));
    assertEquals(har.log.entries.length, 1);
    for (const line of as.timeline("jsonl").split("\n")) JSON.parse(line);
    for (const line of as.timeline("mermaid").split("\n").slice(1)) {
      assertMatch(
        clean(line),
        /^ {2}(?:participant \w+ as |Note over \w+: |\w+(?:->>|-->>|--x)\w+: )[^;#`"<>{}$\\%^]*$/u,
      );
    }
    assertFalse(/<\/script>\$/.test(await as.timeline("html")));
    assertEquals(as.env().OAUTH_ISSUER, configuration.issuer);
  }
});

it(
  "hostile text: a copied request sends it as it is, from a shell, a program and an editor",
  () =>
    withShell(async (runScript) => {
      for (const text of hostile) {
        const { issuer, clients } = configure(text);
        await using world = createWorld({ issuer, ...(clients === undefined ? {} : { clients }) });
        const params = new URLSearchParams({ client_id: `shop${text}`, scope: text, state: `s${text}` });
        await world.get(`/oauth2/authorize?${params}`, { accept: text });
        const [curl, call, http] = describeLast(world, { secrets: true }).copies.map((each) => each.text);
        const [words = []] = await runScript(curl!);
        const sent: [string, { readonly headers: Readonly<Record<string, string>> }][] = [];
        const owned = () => {
          throw new Error("the program runs the text");
        };
        new Function("fetch", "owned", call!.replace("await ", ""))(
          (...all: typeof sent[number]) => sent.push(all),
          owned,
        );
        const [[address, { headers }]] = sent as [typeof sent[number]];
        assertEquals(headers["accept"], text);
        assertEquals(new URL(address).searchParams.get("client_id"), `shop${text}`);
        assert(words.includes(address) || words.includes("<url>"), curl);
        assert(words.includes(`accept: ${text}`) || words.includes("<name>: <value>"), curl);
        assertFalse(http!.includes("{{"), http);
        assertEquals(http!.split("\n").length, 3, http);
      }
    }),
);

it(
  "hostile text: what init writes and prints runs no part of the name of a file or a folder",
  () =>
    withShell((runScript) =>
      inFolder(async (path) => {
        for (const text of hostile.map((each) => each.replaceAll("/", ""))) {
          const folder = path(`of ${text}`);
          await mkdir(folder);
          const file = `${folder}/my ${text}.jsonc`;
          const { stdout } = await run("init", file);
          const agents = await run("init", folder, "--agents", "--mcp");
          const written = await readFile(file, "utf8");
          const notes = await readFile(`${folder}/AGENTS.md`, "utf8");
          const spans = [...notes.matchAll(/`([^`\n]*)`/g)].map(([, span = ""]) => span);
          const commands = [
            ...findCommands(stdout),
            ...findCommands(written),
            ...spans.filter((span) => /^(?:deno|npx|postern) /.test(span)),
          ];
          assert(commands.length > 6, `${stdout}${agents.stdout}`);
          const words = (await runScript(commands.join("\n"))).flat();
          assert(words.includes(file) || words.includes("FILE"));
          JSON.parse(await readFile(`${folder}/.mcp.json`, "utf8"));
        }
      })
    ),
);

test("hostile text: the answers of agents' tools have no command, and the issuer as it is", async () => {
  for (const text of hostile) {
    const configuration = configure(text);
    const started = await createStartedMock(configuration);
    await using as = started.mock;
    const control = createControl(started, { token: "correct-horse-battery" });
    const requestInit = { headers: { authorization: "Bearer correct-horse-battery" } };
    const url = new URL("http://localhost:9000/_postern/mcp");
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit,
      fetch: async (_, init) =>
        toResponse(await control.answer(fromRequest(new Request(url, init), "127.0.0.1"))!),
    });
    const { client, call } = await connectAgent(transport);
    await as.fetch(`${as.issuer}/oauth2/authorize?${new URLSearchParams({ client_id: text, scope: text })}`);
    const settings = await call("show_settings");
    const { tools } = await client.listTools();
    const answers = [];
    for (const { name } of tools.filter(({ inputSchema }) => (inputSchema.required ?? []).length === 0)) {
      answers.push(await call(name));
    }
    assert(answers.length > 4);
    assertEquals(settings.json.OAUTH_ISSUER, configuration.issuer);
    assertEquals(findCommands(answers.flatMap(({ texts }) => texts).join("\n")), []);
    await client.close();
  }
});
