/** The actions that start a server in a job and examine a client: their versions and outputs, and what a log leaves out. */

import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { parse } from "yaml";
import { type Running, start } from "../../tools/cli/command.ts";
import { createFolder } from "../../in_folder.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";
import { build, root } from "../../package/project.ts";
import { startRegistry } from "./registry.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

type Path = (name: string) => string;

/** Runs the script of an action in a folder of its own, as a job does. */
function runAction(path: Path, given: Readonly<Record<string, string>>, script = "start.sh"): Running {
  return start([`${root}packaging/action/${script}`], {
    command: ["bash"],
    cwd: path("."),
    asGroup: true,
    env: {
      ...{ HOME: path("."), RUNNER_TEMP: path("."), GITHUB_OUTPUT: path("outputs") },
      ...{ FLAGS: "", PORT: "9000", ...given },
    },
  });
}

async function readAction(name: string): Promise<Action> {
  return parse(await readFile(`${root}packaging/action/${name}`, "utf8")) as Action;
}

test("action: the version has no default, and each input reaches the script", async () => {
  const { inputs, runs } = await readAction("action.yml");
  assertEquals([inputs["version"]?.required, inputs["version"]?.default], [true, undefined]);
  assertEquals(runs.steps.map(({ env }) => env), [
    { VERSION: "${{ inputs.version }}", PORT: "${{ inputs.port }}", FLAGS: "${{ inputs.flags }}" },
  ]);
});

test("action: a version that is not exact is refused before anything is fetched", async () => {
  for (const version of ["latest", "", "next", "0.1", "^0.1.0", "0.1.x", "0.1.0 || 9", "npm:other@0.1.0"]) {
    await using path = await createFolder();
    const nowhere = { npm_config_registry: "http://127.0.0.1:9" };
    const sentence = `The input "version" must be an exact version, such as 0.1.0, and is "${version}"`;
    for (const script of ["start.sh", "examine/examine.sh"]) {
      const given = { ...nowhere, VERSION: version, COMMAND: "true" };
      const { code, stdout, stderr } = await runAction(path, given, script).ended;
      assertEquals([code, stdout, stderr], [1, `::error::${sentence}\n`, ""]);
    }
    assertEquals(existsSync(path("postern-9000.log")), false);
  }
});

test("action: the server outlives the script, its issuer is an output, and its log has no key", async () => {
  await build();
  const { version } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as { readonly version: string };
  await using registry = await startRegistry();
  await using path = await createFolder();
  const port = await findFreePort();
  const running = runAction(path, {
    ...{ npm_config_registry: registry.url, VERSION: version, PORT: `${port}` },
    FLAGS: "--alg ES256 --login auto --inspector-key a-key-that-a-person-chose",
  });
  try {
    const { code, stdout, stderr } = await running.ended;
    assertEquals(code, 0, stdout + stderr);
    const outputs = await readFile(path("outputs"), "utf8");
    const log = `${path(".")}/postern-${port}.log`;
    assertEquals(outputs, `issuer=http://localhost:${port}\nlog=${log}\n`);
    const response = await fetch(`http://localhost:${port}/health`);
    assertEquals((await response.json()).issuer, `http://localhost:${port}`);
    const text = await readFile(log, "utf8");
    assertMatch(text, new RegExp(`^ {2}Look {6}http://localhost:${port}/inspector$`, "m"));
    assertNotMatch(text + stdout + stderr, /key=|a-key-that/);
  } finally {
    running.signal("SIGINT");
  }
});

/** A client that redeems the code and looks at nothing else. */
const client = `
const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: client_id, OAUTH_REDIRECT_URI: redirect_uri } = process.env;
const request = new URLSearchParams({
  client_id, redirect_uri, response_type: "code", scope: "openid",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256",
});
const { headers } = await fetch(issuer + "/oauth2/authorize?" + request, { redirect: "manual" });
const code = new URL(headers.get("location")).searchParams.get("code");
const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const form = { grant_type: "authorization_code", code, redirect_uri, client_id, code_verifier };
const response = await fetch(issuer + "/oauth2/token", { method: "POST", body: new URLSearchParams(form) });
process.exit(response.ok ? 0 : 4);
`;

test("action: the examination fails with its outputs, and a second one takes the package from the cache", async () => {
  await build();
  const { version } = JSON.parse(await readFile(`${root}deno.json`, "utf8")) as { readonly version: string };
  const { inputs, outputs, runs: { steps: [cache, examining, ...others] } } = await readAction(
    "examine/action.yml",
  );
  assertEquals([inputs["version"]?.required, inputs["version"]?.default, others.length], [
    true,
    undefined,
    0,
  ]);
  assertEquals(cache?.with?.["path"], "${{ runner.temp }}/postern-${{ inputs.version }}");
  await using path = await createFolder();
  await writeFile(path("login.mjs"), client);
  const given: Readonly<Record<string, string>> = {
    ...{ version, command: "node login.mjs", flags: "--only id_token.missing" },
    "working-directory": ".",
  };
  const fill = (text: string) =>
    text.replace(/\$\{\{ inputs\.(\S+) \}\}/g, (_, name: string) => given[name]!);
  const env = Object.fromEntries(Object.entries(examining!.env!).map(([name, value]) => [name, fill(value)]));
  // As GitHub runs the step, with the folder of the action in a variable.
  const runStep = (registry: string) =>
    start(["-c", examining!.run!], {
      command: ["bash"],
      cwd: path("."),
      env: {
        ...env,
        ...{ HOME: path("."), RUNNER_TEMP: path("."), npm_config_registry: registry },
        ...{ GITHUB_ACTIONS: "true", GITHUB_ACTION_PATH: `${root}packaging/action/examine` },
        ...{
          GITHUB_OUTPUT: path("outputs"),
          GITHUB_STEP_SUMMARY: path("summary"),
          GITHUB_WORKSPACE: path("."),
        },
      },
    }).ended;
  await using registry = await startRegistry();
  const { code, stdout, stderr } = await runStep(registry.url);
  assertEquals(code, 1, stdout + stderr);
  assertMatch(
    stdout,
    /^::error file=login\.mjs,line=7,title=Goes on when the token response has no ID token%2C [^:]*::1 row\./m,
  );
  const lines = (await readFile(path("outputs"), "utf8")).trim().split("\n").map((line) => line.split("="));
  assertEquals(
    Object.values(outputs).map(({ value }) => value),
    lines.map(([name]) => `\${{ steps.examine.outputs.${name} }}`),
  );
  const begins = {
    card: "{",
    report: "<!doctype html>",
    sarif: "{",
    junit: "<?xml",
    summary: "# Report card",
  };
  for (const [name = "", file = ""] of lines) {
    assertEquals(
      (await readFile(file, "utf8")).startsWith(begins[name as keyof typeof begins]),
      true,
      name,
    );
  }
  assertMatch(await readFile(path("summary"), "utf8"), /^# Report card/);
  // The folder of the cache is there, so that nothing is fetched.
  assertMatch((await runStep("http://127.0.0.1:9")).stdout, /^::error file=login\.mjs/m);
});
