/** `postern examine`: a test command runs once for each misbehaviour. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { examine } from "../../../src/tools/cli/commands/examine.ts";
import { runCommand } from "../../../src/tools/cli/examine/run_command.ts";
import { createProgress } from "../../../src/tools/cli/examine/progress.ts";
import { keptRunsFile } from "../../../src/tools/cli/examine/kept_runs.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import * as program from "./command.ts";
import { complaintOf, type Ended, type Running } from "./command.ts";
import { createFolder, inFolder } from "../../in_folder.ts";
import { start } from "./in_process.ts";
import { findCommands, findHidden, hostileLines } from "../../security/terminal_text.ts";

/** A client that checks the iss of the authorization response, and nothing else. */
const client = `
const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: client_id, OAUTH_REDIRECT_URI: redirect_uri } = process.env;
const metadata = await (await fetch(issuer + "/.well-known/openid-configuration")).json();
const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const request = new URLSearchParams({
  client_id, redirect_uri, response_type: "code", scope: "openid", state: "a-state",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256",
});
const { headers } = await fetch(metadata.authorization_endpoint + "?" + request, { redirect: "manual" });
const answer = new URL(headers.get("location")).searchParams;
if (answer.get("iss") !== issuer) {
  console.log("the response is of another issuer");
  process.exit(3);
}
const response = await fetch(metadata.token_endpoint, {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "authorization_code", code: answer.get("code"), redirect_uri, client_id, code_verifier,
  }),
});
process.exit(response.ok ? 0 : 4);
`;

/** Runs examine in a folder with the client. */
async function withClient(
  work: (terms: {
    readonly path: (name: string) => string;
    readonly begin: (...args: readonly string[]) => Running;
    readonly run: (...args: readonly string[]) => Promise<Ended>;
    readonly runIn: (env: Readonly<Record<string, string>>, ...args: readonly string[]) => Promise<Ended>;
  }) => Promise<void>,
): Promise<void> {
  await inFolder(async (path) => {
    const file = path("client.mjs");
    await writeFile(file, `import process from "node:process";\n${client}`);
    const command = ["--", process.execPath, "run", "--quiet", "--allow-all", file];
    // The tests may run in GitHub Actions themselves.
    const outside = { GITHUB_ACTIONS: "" };
    const runIn = (env: Readonly<Record<string, string>>, ...flags: readonly string[]) =>
      start(["examine", ...flags, ...command], { cwd: path(""), env }).ended;
    await work({
      path,
      begin(...flags) {
        const args = ["examine", ...flags, ...command];
        return program.start(args, { ...program.createProgram(args), cwd: path("") });
      },
      run: (...flags) => runIn(outside, ...flags),
      runIn,
    });
  });
}

const names = "authorization_response.iss_wrong,id_token.missing";

const it = testIn(withClient);

it("examine: the card says what the client noticed, and a baseline fails only on what got worse", async ({ path, run }) => {
  const all = `${names},logout.alg_none`;
  const { code, stdout, stderr } = await run(
    "--only",
    all,
    ...["--card", "card.json,card.html", "--card", "junit.xml", "--card=card.sarif"],
  );
  assertEquals(code, 1, stderr);
  assertMatch(
    stderr,
    /passed\. The client logs in\. It does not refresh .*\n2 rows take about \d+ s, in runs of \d+\.\d s\./,
  );
  assertMatch(stderr, /\[1\/2\] authorization_response\.iss_wrong: noticed/);
  assertMatch(stderr, /\[2\/2\] id_token\.missing: fooled/);
  assertMatch(
    stdout,
    /^The client logs in\. It neither .*\nIt sends no nonce\.\n\nFailed\n\n {2}id_token\.missing: /,
  );
  assert(!stdout.includes("GET /oauth2/authorize"), "the requests of a row that passed");
  assertMatch(stderr, /^1 more needs no run, because these two show enough/m);
  assertMatch(
    stdout,
    / 1 {2}The client has no phase logout: it neither signs the person out nor revokes its tokens\..*\n +logout\.alg_none\n/,
  );
  assertMatch(stdout, /^1 of 2 failed\. 1 passed, 1 not applicable\.$/m);
  assertMatch(stdout, /noticed: The client refused: exit code 3: the response is of another issuer$/m);
  const json = await readFile(path("card.json"), "utf8");
  const [noticed, fooled] = JSON.parse(json).rows;
  assertMatch(noticed.because, /the response is of another issuer$/);
  assertEquals(fooled.requests.at(-1).endpoint, "token");
  assert(!/localhost:\d/.test(json.replaceAll("localhost:3000", "")));
  assertMatch(await readFile(path("card.html"), "utf8"), /^<!doctype html>/);
  assertMatch(await readFile(path("junit.xml"), "utf8"), /tests="2" failures="1"/);
  assertMatch(await readFile(path("card.sarif"), "utf8"), /"locations": \[[^\]]*"uri": "client\.mjs"/);

  const again = await run("--only", all, "--baseline", "card.json", "--card", "again.json", "--requests");
  assertEquals(again.code, 0, again.stderr);
  assertMatch(again.stdout, /\n {2}authorization_response\.iss_wrong .*\n {6}GET \/oauth2\/authorize /);
  assertEquals(await readFile(path("again.json"), "utf8"), json);
});

it("examine: a command whose logins repeat a verifier and a state fails, in all its runs (RFC 9700 §2.1.1)", async ({ run }) => {
  const values = ["nonce_repeated", "state_repeated", "verifier_repeated"].map((each) => `login.${each}`);
  const only = [...values, "authorization_response.state_changed"].join();
  const { code, stdout, stderr } = await run("--only", only);
  assertEquals(code, 1, stderr);
  assertMatch(stdout, / {2}The client sends no nonce\. .*\n +login\.nonce_repeated\n/);
  // The two runs without a fault show these.
  assertMatch(
    stderr,
    /\nlogin\.state_repeated: fooled\nlogin\.verifier_repeated: fooled\n1 row takes about /,
  );
  assertMatch(stderr, /authorization_response\.state_changed: fooled\n/);
  assertMatch(stdout, /2 logins that redeemed a code had the same code_verifier\./);
  assertMatch(stdout, /\. Another login has the same code_verifier\./);
  assert(!stdout.includes("--misbehave login."), stdout);
});

it("examine: a command that breaks during the examination ends with the exit code of a wrong use", async ({ path, run }) => {
  const client = await readFile(path("client.mjs"), "utf8");
  const breaking = `import { appendFileSync, readFileSync } from "node:fs";
appendFileSync("runs", "x");
if (readFileSync("runs", "utf8").length > 3) throw new Error("database is locked");
`;
  await writeFile(path("client.mjs"), breaking + client);
  const { code, stdout, stderr } = await run("--only", names);
  assertEquals(code, 2, stderr);
  assertMatch(
    stdout,
    /^After authorization_response\.iss_wrong, the client failed although the server was right: .*database is locked\. It asked/,
  );
});

it("examine: a command that fails while the server is right is refused, with its last lines", async ({ path, run, runIn }) => {
  await writeFile(path("client.mjs"), `console.log("no such module"); throw new Error("broken");`);
  const failing = await run("--only", names);
  assertEquals(failing.code, 2);
  assertMatch(failing.stderr, /the command fails although the server is right[^]*no such module/);
  const flaky = `import { existsSync, writeFileSync } from "node:fs";
if (existsSync("ran")) throw new Error("only once");
writeFileSync("ran", "");`;
  await writeFile(path("client.mjs"), flaky);
  const second = await run("--only", names);
  assertMatch(second.stderr, /the command fails although the server is right[^]*only once/);
  const telling = client.replace("a-state", "state-of-the-login").replace(
    "process.exit(response.ok ? 0 : 4);",
    `console.log(answer.get("state"), atob((await response.json()).id_token.split(".")[1]));
process.exit(5);`,
  );
  await writeFile(path("client.mjs"), `import process from "node:process";\n${telling}`);
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: path("summary.md") };
  const { code, stdout } = await runIn(env, "--only", names);
  const summary = await readFile(path("summary.md"), "utf8");
  assertEquals(code, 2);
  assertMatch(summary, /^# Report card\n\n\*\*The client logs in, and then fails, [^]*at\\_hash.*\[redacted/);
  assertMatch(stdout, /^::error title=Postern examine::The client logs in, .*\[redacted\]/m);
  assert(
    !/state-of-the-login|"(jti|at_hash)":"[^[]/.test(
      stdout + summary.replaceAll("&quot;", '"').replaceAll("\\", ""),
    ),
    summary,
  );
  await writeFile(path("client.mjs"), `console.log("no such file"); throw new Error("broken");`);
  assertEquals((await runIn(env, "--only", names)).code, 2);
  assertMatch(await readFile(path("summary.md"), "utf8"), /\n\nThere is no card:\n\n<pre>the command fails /);
  await writeFile(path("client.mjs"), "");
  const idle = await run("--only", names, "--jobs", "2");
  assertEquals(idle.code, 2);
  assertMatch(idle.stderr, /no login has reached the server: .*OAUTH_ISSUER/);
});

/** The client, which then refreshes with what these lines say. */
const refreshing = (lines: string) =>
  `import process from "node:process";\n${
    client.replace(
      "process.exit(response.ok ? 0 : 4);",
      `const tokens = await response.json();
const refresh = async (refresh_token) => {
  const { ok } = await fetch(metadata.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token, client_id }),
  });
  if (!ok) throw new Error("the session has ended");
};
${lines}`,
    )
  }`;

it("examine: a command whose refresh fails with a right server has that as the first entry of each card", async ({ path, run }) => {
  const only = "id_token.missing,refresh.token_type_unknown";
  const files = ["txt", "md", "html", "xml", "sarif", "json"].map((ending) => `card.${ending}`);
  await writeFile(path("client.mjs"), refreshing('await refresh("wrong");'));
  const failing = await run("--only", only, "--card", files.join());
  assertEquals(failing.code, 2, failing.stderr);
  const sentence =
    "The client fails where it refreshes its tokens, although the server is right: exit code 1: ";
  assert(failing.stdout.startsWith(sentence), failing.stdout);
  assertMatch(
    failing.stdout,
    /\nThe server refused POST \/oauth2\/token [^]*refresh_unknown[^]*\nNothing else failed\./,
  );
  assertMatch(failing.stderr, /^ {2}failed\. The client logs in\. It fails where it refreshes its tokens\./m);
  for (const file of files) {
    const text = await readFile(path(file), "utf8");
    assertEquals([file, text.includes("fails where it refreshes") && text.includes("unknown")], [file, true]);
  }
  const { phases, unfinished, rows } = JSON.parse(await readFile(path("card.json"), "utf8"));
  assertEquals([phases, unfinished], [["login"], ["refresh"]]);
  // One exit code is about the whole command.
  assertEquals(rows.map(({ outcome }: { outcome: string }) => outcome), ["not_reached", "not_reached"]);

  await writeFile(path("client.mjs"), refreshing('await refresh("wrong").catch(() => {});'));
  const silent = await run("--only", only);
  assertEquals(silent.code, 2, silent.stderr);
  assertMatch(silent.stdout, /^No request with which the client refreshes its tokens succeeds, /);
  assertMatch(silent.stderr, /^\[1\/1\] id_token\.missing: fooled$/m);
});

it("examine: a command whose two callers refresh at the same time keeps its phase (RFC 9700 §4.14.2)", async ({ path, run }) => {
  await writeFile(
    path("client.mjs"),
    refreshing("await Promise.all([refresh(tokens.refresh_token), refresh(tokens.refresh_token)]);"),
  );
  const { code, stderr } = await run("--only", "refresh.slow,refresh.not_rotated");
  assertEquals(code, 0, stderr);
  assertEquals(stderr.match(/^\[\d\/2\] .*$/gm), [
    "[1/2] refresh.not_rotated: tolerated",
    "[2/2] refresh.slow: fooled",
  ]);
});

it("examine: several jobs begin with both runs without a fault, and what failed in an earlier card runs first", async ({ path, run }) => {
  // The first run ends after the second has begun.
  const client = await readFile(path("client.mjs"), "utf8");
  const waiting = `import { existsSync, mkdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
// Of two that begin at the same time, one makes the folder. With "recursive", both may believe that they did.
function make(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
if (make("began")) { while (!existsSync("second")) await setTimeout(5); }
else make("second");
`;
  await writeFile(path("client.mjs"), waiting + client);
  const all = `${names},id_token.iss_wrong,authorization_response.error_denied`;
  const first = await run("--only", all, "--jobs", "2", "--card", "card.json");
  assertEquals(first.code, 1, first.stderr);
  const card = JSON.parse(await readFile(path("card.json"), "utf8"));
  const rows = card.rows.filter(({ name }: { name: string }) => name !== "id_token.iss_wrong");
  await writeFile(path("earlier.json"), JSON.stringify({ ...card, rows }));
  const { stderr } = await run("--only", all, "--changed-since", "earlier.json");
  const order = [...stderr.matchAll(/^\[\d\/4\] (\S+): (\w+)$/gm)].map((
    [, name, outcome],
  ) => [name, outcome]);
  assertEquals(order, [
    ["authorization_response.error_denied", "fooled"],
    ["id_token.iss_wrong", "fooled"],
    ["id_token.missing", "fooled"],
    ["authorization_response.iss_wrong", "noticed"],
  ]);
});

it("examine: a row for which others wait comes first, and what the usual runs decide needs no other run", async ({ path, run }) => {
  const calling = client.replace('"openid"', '"openid orders", resource: process.env.OAUTH_RESOURCE')
    .replace(
      "process.exit(response.ok ? 0 : 4);",
      `const { access_token } = await response.json();
const authorization = "Bearer " + access_token;
process.exit((await fetch(process.env.OAUTH_RESOURCE, { headers: { authorization } })).ok ? 0 : 4);`,
    );
  const counting = `import { appendFileSync } from "node:fs";
import process from "node:process";
appendFileSync("runs", "x");
`;
  await writeFile(path("client.mjs"), counting + calling);
  const only = "metadata.issuer_missing,metadata.token_endpoint_http,userinfo.sub_similar," +
    "access_token.alg_none,access_token.unreadable";
  const { stderr, stdout } = await run("--only", only);
  assertEquals(stderr.match(/^\[.*$/gm), [
    "[1/3] access_token.unreadable: not_applicable",
    "[2/3] metadata.issuer_missing: fooled",
    "[3/3] access_token.alg_none: not_applicable",
  ]);
  assertMatch(
    stdout,
    / {2}The server is on this machine, so nothing .*\n +metadata\.token_endpoint_http\n/,
  );
  // Two rows, and three runs while the server is right: two at first, and one at the end.
  assertEquals(await readFile(path("runs"), "utf8"), "xxxxx");
});

it("examine: a failure of Postern itself is told from one of the client by its exit code", async ({ path, run }) => {
  // Its file for an interrupt cannot be written.
  await mkdir(path(keptRunsFile));
  const { code, stderr } = await run("--only", names);
  assertEquals([code, /examine itself has failed: .*EISDIR/.test(stderr)], [3, true], stderr);
});

/** An error with members, as Node prints it. */
function dumped(error: string, indent: string): string {
  const members = [
    "code: 'ERR_CLAIM',",
    "payload: {",
    "  nonce: 'NotForACard',",
    "  names: [",
    "    'NotForACard' +",
    "      'NotForACard',",
    "  ],",
    "  exp: 1795711940",
    "}",
  ];
  const lines = [
    error,
    "    at check (test/login.test.js:8:1) {",
    ...members.map((line) => `  ${line}`),
    "}",
  ];
  return lines.map((line) => indent + line).join("\n");
}

test("examine: the reason of a refusal is the line of the output that names the error", async () => {
  const outputs = {
    "AssertionError: iss is wrong":
      "tests/a.py:3: in test\nE   AssertionError: iss is wrong\nE    +  where x\n1 failed",
    "Error: unexpected iss": "warning: old\n  \x1b[31mError: unexpected iss\x1b[0m\n    at login\n1 failed",
    "it did not work": "begin\nit did not work\n",
    "TokenError: bad request":
      "TokenError: bad request\n    at login {\n  code: 'invalid_grant',\n  body: {\n    storedError: undefined\n  }\n}",
    "the error is invalid_grant":
      "the error is invalid_grant\n  storedError: undefined,\n  [errors]: [\n  ]\n1 failed",
    "assert 500 == 200": "E       assert 500 == 200\nE        +  where 500 = <Response>.status\n1 failed",
    'oauth2: "access_denied"':
      '--- FAIL: TestLogin (0.01s)\n    login_test.go:40: oauth2: "access_denied"\nFAIL\nexit status 1\nFAIL\tshop\t0.1s\n',
    "TypeError: client.finsh is not a function":
      "TAP version 13\nnot ok 1 - log in\n  ---\n  duration_ms: 829.67\n  failureType: 'testCodeFailure'\n" +
      "  error: 'client.finsh is not a function'\n  code: 'ERR_TEST_FAILURE'\n  name: 'TypeError'\n" +
      "  stack: |-\n    test/login.test.js:8:1\n  ...\n1..1\n# tests 1\n# duration_ms 829.67",
    "AssertionError [ERR_ASSERTION]: the state is another one 'a' !== 'b'":
      "TAP version 13\n    not ok 1 - log in\n      ---\n      error: |-\n        the state is another one\n        \n" +
      "        'a' !== 'b'\n      code: 'ERR_ASSERTION'\n      name: 'AssertionError'\n      stack: |-\n        a.js:8:1\n" +
      "      ...\nnot ok 1 - a\n  ---\n  failureType: 'subtestsFailed'\n  error: '1 subtest failed'\n  ...\n1..1",
    "Error: Cannot find package 'a'":
      "TAP version 13\n# Error: Cannot find package 'a'\n#     at node:internal/a:1:1 {\n#   code: 'E'\n# }\n" +
      "# Node.js v20.20.2\n# Subtest: a.mjs\nnot ok 1 - a.mjs\n  ---\n  exitCode: 1\n  error: 'test failed'\n  ...\n1..1",
    'Invalid: unexpected "iss"': dumped('Invalid: unexpected "iss"', "") + "\nNode.js v20.20.2",
    "TypeError: no tokens": `✖ log in (2.4ms)\n${dumped("TypeError [Error]: no tokens", "  ")}\nℹ tests 1\n`,
    "Error: connect ECONNREFUSED":
      "TypeError: fetch failed\n    at a.js:8:1 {\n  [cause]: Error: connect ECONNREFUSED\n      at a {\n    errno: -111\n  }\n}",
    "no token": "no token\nFAIL\nexit status 1\nFAIL\tshop\t0.1s\n",
  };
  for (const [expected, output] of Object.entries(outputs)) {
    const failing = ["sh", "-c", 'printf "%s\\n" "$0"; exit 1', output];
    const refused = runCommand(failing, { env: {}, signal: new AbortController().signal });
    const { name, message } = await refused.then(() => new Error("passed"), (error) => error as Error);
    assertEquals([name, message.split("\n", 2)], ["exit code 1", [
      expected,
      "The last lines of its output:",
    ]]);
    assert(!/NotForACard|duration_ms|\.\.\.|# |ℹ|1795711940/.test(message), message);
    if (output.includes("login.test.js")) assertMatch(message, /\n +at .*test\/login\.test\.js:8/);
  }
});

it("examine: after an interrupt, --continue runs only the others", async ({ path, begin, run }) => {
  const all = `${names},authorization_response.iss_missing`;
  const interrupted = begin("--only", all);
  await interrupted.printed(/\[1\/3\]/);
  interrupted.signal("SIGINT");
  const { code, stderr } = await interrupted.ended;
  assertEquals(code, 130, stderr);
  assertMatch(stderr, /--continue goes on here/);
  const { rows } = JSON.parse(await readFile(path(keptRunsFile), "utf8"));
  assert(rows.length > 0 && rows.length < 3, stderr);
  const rest = await run("--only", all, "--continue", "--card", "card.json");
  assertEquals(rest.code, 1, rest.stderr);
  assertMatch(rest.stderr, new RegExp(`^${3 - rows.length} rows? takes? about `, "m"));
  assertEquals(JSON.parse(await readFile(path("card.json"), "utf8")).rows.length, 3);
  const missing = await run("--continue");
  assertEquals(missing.code, 2);
  assertMatch(missing.stderr, /--continue: there is no file/);
});

it("examine: the task of a checkout finds the files of the folder in which the user is", async ({ path }) => {
  await writeFile(path("earlier.json"), "{}");
  for (const command of [["examine"], ["examine-api", "--url", "http://localhost:1"]]) {
    const args = [...command, "--baseline", "earlier.json", ...(command.length === 1 ? ["--", "true"] : [])];
    const { code, stderr } = await program.start(args, program.createProgram(args, { INIT_CWD: path("") }))
      .ended;
    assertEquals(code, 2);
    assertMatch(stderr, /^postern: --baseline earlier\.json: (?!.*no file)/);
  }
});

it("examine: a proposed exception needs a reason, and then the row fails no run until it expires", async ({ path, run }) => {
  const file = path("postern.exceptions.jsonc");
  const started = Date.now();
  const proposing = await run("--only", names, "--write-exceptions");
  assertEquals(proposing.code, 1, proposing.stderr);
  assertMatch(proposing.stderr, /^The exceptions are in postern\.exceptions\.jsonc\. Each needs a reason/m);
  const proposal = await readFile(file, "utf8");
  assertMatch(
    proposal,
    /\/\/ Goes on when the token response has no ID token, .*\n +\{"row":"id_token\.missing","reason":"",/,
  );
  assert(!proposal.includes("iss_wrong"), proposal);
  const inNinetyDays = [started, Date.now()].map((time) => new Date(time + 90 * 86_400_000).toISOString());
  const [, until] = /"until":"([^"]+)"/.exec(proposal)!;
  assert(inNinetyDays.some((time) => time.startsWith(`${until}T`)), until);
  const unread = await run("--only", names);
  assertEquals(unread.code, 2);
  assertMatch(unread.stderr, /postern\.exceptions\.jsonc:5:\d+: exceptions\[0\]\.reason must /);
  const again = await run("--only", names, "--write-exceptions");
  assertMatch(again.stderr, /--write-exceptions writes a new file, and postern\.exceptions\.jsonc exists/);

  const reasoned = proposal.replaceAll('""', '"not read"');
  await writeFile(file, reasoned);
  const excepted = await run("--only", names);
  assertEquals(excepted.code, 0, excepted.stderr);
  assertMatch(excepted.stdout, /^Nothing failed\. 1 passed, 1 excepted\.$/m);
  await writeFile(path("old.jsonc"), reasoned.replace(/"until":"[^"]+"/, '"until":"2001-01-31"'));
  const expired = await run("--only", names, "--exceptions", "old.jsonc");
  assertEquals(expired.code, 1);
  assertMatch(expired.stdout, /^The exception for id_token\.missing \(not read\) expired after 2001-01-31/m);
});

test("examine: a wrong file of exceptions is refused with the place of the mistake", async () => {
  const row = (more: object) => ({
    exceptions: [{ row: "id_token.missing", reason: "r", who: "w", until: "2999-01-31", ...more }],
  });
  const twice = [...row({}).exceptions, ...row({}).exceptions];
  const cases: readonly (readonly [file: unknown, complaint: RegExp])[] = [
    [{}, /: exceptions is required/],
    [
      row({ row: "id_token.mising" }),
      /exceptions\[0\]\.row must be a misbehaviour, not "id_token\.mising"\. Did you mean id_token\.missing\?/,
    ],
    [row({ until: "2999-02-30" }), /exceptions\[0\]\.until must be a day of the calendar, not "2999-02-30"/],
    [row({ until: "soon" }), /exceptions\[0\]\.until must look like 2027-03-31, not "soon"/],
    [row({ why: "r" }), /exceptions\[0\]\.why is not known/],
    [
      { exceptions: twice },
      /exceptions\[1\]\.row must be another one: id_token\.missing has an exception already/,
    ],
  ];
  await using path = await createFolder();
  const refusalOf = (flag: string) => complaintOf(examine, "--exceptions", path(flag), "--", "true");
  for (const [content, complaint] of cases) {
    await writeFile(path("e.jsonc"), JSON.stringify(content));
    assertMatch(await refusalOf("e.jsonc"), /^2: e\.jsonc/);
    assertMatch(await refusalOf("e.jsonc"), complaint);
  }
  assertMatch(await refusalOf("none.jsonc"), /^2: --exceptions: there is no/);
});

it("examine: in GitHub Actions, each thing to mend is an annotation, and the summary of the job has the card", async ({ path, run, runIn }) => {
  const folder = path("").replace(/\/[^/]+\/?$/, "");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: path("summary.md"), GITHUB_WORKSPACE: folder };
  const only = `${names},id_token.not_a_jwt,id_token.aud_wrong`;
  const { stdout } = await runIn(env, "--only", only);
  const place = `file=${path("client.mjs").slice(folder.length + 1)},line=10`;
  const annotations = stdout.split("\n").filter((line) => line.startsWith("::"));
  assertEquals(annotations.map((line) => line.replace(/: A correct client [^%]*\)(?=%0A|$)/g, "")), [
    `::error ${place},title=Goes on when the aud of the ID token is another client::1 row.%0Aid_token.aud_wrong`,
    `::error ${place},title=Goes on when the token response has no ID token%2C although the client asked for the scope openid (and 1 more about whether there is an ID token)::2 rows.%0Aid_token.missing%0Aid_token.not_a_jwt`,
  ]);
  assertMatch(await readFile(path("summary.md"), "utf8"), /^# Report card\n/);
  const { stdout: elsewhere } = await run("--only", only, "--github", "--driver", "client.mjs:12");
  assertMatch(elsewhere, /^::error file=client\.mjs,line=12,title=/m);
  assert(!(await run("--only", names)).stdout.includes("::error"));
  const strict = client.replace("const code_v", 'if (!metadata.scopes_supported) throw new Error("no");\n$&');
  await writeFile(path("client.mjs"), `import process from "node:process";\n${strict}`);
  const broken = await runIn(env, "--only", "metadata.minimal");
  assertMatch(broken.stdout, /^::\w+ file=[^,]*\/client\.mjs,line=5,title=/m);
});

/** A client that prints these lines, and ends as the last part says. */
const printing = (end: string) =>
  `process.stdout.write(${JSON.stringify(hostileLines.map((line) => `Error: ${line}\n${line}`).join("\n"))});
process.stderr.write(${JSON.stringify(hostileLines.toReversed().join("\n"))});
console.log("Error: wrong\\n    at file:///srv/a%zz.js:1:1");
${end}`;

it("examine: what the client printed reaches no terminal or log as it is, in GitHub Actions and elsewhere", async ({ path, run, runIn }) => {
  const github = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: path("summary.md") };
  const readSummary = () => readFile(path("summary.md"), "utf8");
  const assertShown = ({ stdout, stderr }: Ended, annotations: number) => {
    const commands = findCommands(stdout);
    assertEquals([findHidden(stdout), findHidden(stderr), findCommands(stderr)], [[], [], []]);
    assertEquals(commands.filter((line) => !line.startsWith("::error ")), []);
    assertEquals(commands.length, annotations);
  };
  const begin = `import process from "node:process";\n`;
  await writeFile(path("client.mjs"), begin + printing("process.exit(1);"));
  const failing = await runIn(github, "--only", names);
  assertEquals(failing.code, 2);
  assertShown(failing, 1);
  assertStringIncludes(failing.stderr, "#\\u0023[add-matcher]x");
  assertEquals(findHidden(await readSummary()), []);

  await writeFile(
    path("client.mjs"),
    begin + client.replace('console.log("the response is of another issuer");', printing("")),
  );
  const cards = ["html", "json", "md", "sarif", "txt", "xml"].map((ending) => `card.${ending}`);
  const args = [
    "--only",
    "authorization_response.iss_wrong,id_token.missing",
    "--requests",
    "--card",
    cards.join(),
  ];
  const noticed = await runIn(github, ...args);
  assertEquals(noticed.code, 1, noticed.stderr);
  assertShown(noticed, 1);
  for (const file of cards) {
    assertEquals([file, findHidden(await readFile(path(file), "utf8"))], [file, []]);
  }
  assertEquals(findHidden(await readSummary()), []);
  assertShown(await run(...args), 0);
});

test("examine: progress is one line of a terminal that moves, and elsewhere one line after the other", () => {
  const outputOf = (terminal: { readonly isTTY?: boolean; readonly columns?: number }) => {
    let output = "";
    const { say, move, end } = createProgress(
      { ...terminal, write: (text) => output += text },
      (line) => output += `${line}\n`,
    );
    say("begin");
    for (const line of ["first run", "second"]) move(line);
    end();
    return output;
  };
  assertEquals(outputOf({}), "begin\nfirst run\nsecond\n");
  const deleted = "\r\x1b[K";
  assertEquals(
    outputOf({ isTTY: true, columns: 6 }),
    `${deleted}begin\n${deleted}first${deleted}secon${deleted}`,
  );
});

test("examine: --init writes and shows a driver, ends with the line that runs it, and overwrites nothing", async () => {
  for (const [name, file, command] of driversShown) {
    await using path = await createFolder();
    const init = () => start(["examine", "--init", name], { cwd: path("") }).ended;
    const { code, stdout, stderr } = await init();
    assertEquals([code, stderr], [0, ""]);
    const text = await readFile(path(file), "utf8");
    assertStringIncludes(stdout, text);
    assertMatch(text, /OAUTH_ISSUER[^]*OAUTH_RESOURCE/);
    assert(stdout.endsWith(` examine --level must -- ${command}\n`), stdout.slice(-200));
    await writeFile(path(file), "mine");
    const again = await init();
    assertEquals([again.code, await readFile(path(file), "utf8")], [2, "mine"]);
    assertMatch(again.stderr, /exists already, and stays as it is/);
  }
});

const driversShown = [
  ["openid-client", "driver.mjs", "node driver.mjs"],
  ["java", "Driver.java", "java -cp 'driver_lib/*:.' Driver"],
  ["command", "driver.sh", "sh driver.sh"],
] as const;

test("examine: a wrong argument is refused with what was expected", async () => {
  assertMatch(await complaintOf(examine), /^2: examine needs a command after --/);
  assertMatch(await complaintOf(examine, "--jobs", "0", "--", "true"), /^2: --jobs must be a number from 1/);
  assertMatch(
    await complaintOf(examine, "--only", "id_tokens", "--", "true"),
    /^2: .*there is no misbehaviour or area "id_tokens"\. Did you mean id_token\?$/,
  );
  assertMatch(
    await complaintOf(examine, "--baseline", "none.json", "--", "true"),
    /^2: --baseline: there is no/,
  );
  assertMatch(
    await complaintOf(examine, "--changed-since", "none.json", "--", "true"),
    /^2: --changed-since: there is no/,
  );
});

it("examine: --thorough plans a thousand logins, and an interrupt ends them", async ({ begin }) => {
  const running = begin("--thorough", "--only", "login.verifier_short,login.state_repeated");
  const [, about, unit, each] = await running.printed(
    /2 rows take about ([\d.]+) (s|min), in runs of ([\d.]+) s/,
  );
  const estimate = Number(about) * (unit === "min" ? 60 : 1);
  assert(estimate > 900 * (Number(each) - 0.05), `${estimate} s for runs of ${each} s`);
  running.signal("SIGINT");
  assertEquals((await running.ended).code, 130);
});
