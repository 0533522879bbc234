/** The command line as programs: each command with the permissions of its task, help, and a wrong command. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { test } from "../../runner.ts";
import * as program from "./command.ts";
import { createFolder } from "../../in_folder.ts";
import { run, withServer } from "./in_process.ts";

test("main: schema prints the schema to standard output, and ends with 0", async () => {
  const { code, stdout, stderr } = await program.run("schema");
  assertMatch(stdout, /^\{\n {2}"\$schema": /);
  assertEquals([code, stderr], [0, ""]);
});

for (const args of [["version"], ["-V"], ["start", "--version"], ["token", "alice", "-v"]]) {
  test(`main: ${args.join(" ")} prints the version`, async () => {
    const { code, stdout, stderr } = await run(...args);
    assertMatch(stdout, /^\d+\.\d+\.\d+\n$/);
    assertEquals([code, stderr], [0, ""]);
  });
}

test("main: version --json also names the product, because other programs have the same name", async () => {
  const { code, stdout, stderr } = await run("version", "--json");
  assertMatch(stdout, /^\{"product":"postern-oauth-server","version":"\d+\.\d+\.\d+"\}\n$/);
  assertEquals([code, stderr], [0, ""]);
});

test("main: visit and health call a server", async () => {
  await withServer(["--login", "auto"], async ({ issuer }) => {
    assertEquals(await program.run("health", "--issuer", issuer), {
      code: 0,
      stdout: `${issuer} works\n`,
      stderr: "",
    });
    const query = new URLSearchParams({
      response_type: "code",
      client_id: "demo",
      redirect_uri: `${issuer}/authorized`,
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const visited = await program.run("visit", `${issuer}/oauth2/authorize?${query}`);
    assertEquals([visited.code, visited.stderr], [0, ""]);
    assertStringIncludes(visited.stdout, `${issuer}/authorized?code=`);
  });
});

test("main: trust finds the configuration folder, and a failure is one line with exit code 1", async () => {
  await using path = await createFolder();
  const folder = path("configuration");
  const { code, stdout, stderr } = await program.runWith(
    { XDG_CONFIG_HOME: folder, APPDATA: folder },
    "trust",
  );
  assertMatch(stderr, /^postern: there is no authority in [^\n]*\n$/);
  assertEquals([code, stdout], [1, ""]);
});

test("main: flags without a command are those of start, and a wrong one is one line with exit code 2", async () => {
  assertEquals(await program.run("--prot", "1"), {
    code: 2,
    stdout: "",
    stderr: "postern: there is no flag --prot: did you mean --port?\n",
  });
});

const words: readonly (readonly [word: string, expected: RegExp])[] = [
  ["verifier_missing", /^verifier_missing\n[^]*invalid_grant[^]*RFC 7636 §4\.5/],
  ["POSTERN_CONTROL_TOKEN", /^start --control\n[^]*POSTERN_CONTROL_TOKEN_FILE[^]*--control \[TOKEN\]/],
  ["flag start --port", /^start --port\n[^]*The port to listen on/],
  ["redirect_uris", /^clients\.redirect_uris\n[^]*private scheme of an app/],
  ["dpop.algorithms", /^dpop\.algorithms\n[^]*proofs may be signed/],
  ["id_token.alg_none", /^id_token\.alg_none\n[^]*no signature/],
  ["post clock", /^POST \/clock\n[^]*advance +Moves[^]*curl http:\/\/localhost:9000\/_postern\/clock/],
  ["--port", /^\d hits[^]* flag start --port {2,}The port[^]* flag token --port /],
  [
    "challenge_missing",
    /^challenge_missing\n[^]*\n\nOthers of this name: .*\n\n {2}misbehaviour resource\.challenge_missing\n/,
  ],
  [
    "id_token.expired",
    /^\d hits[^]*\n {2}misbehaviour id_token\.exp_past +The ID token has expired\.\n/,
  ],
  ["wrong audience", /^\d+ hits[^]* id_token\.aud_wrong\s[^]* access_token\.audience_wrong\s/],
  ["expired", /^\d+ hits[^]* jarm\.expired [^]* id_token\.exp_past /],
  ["pkce_missing", /^\d hits[^]* refusal challenge_missing +PKCE is required[^]* metadata\.pkce_missing /],
  ["no pkce", /^\d hits[^]* refusal challenge_missing +PKCE is required/],
  ["redirect_uri_mismatch", /^\d hits[^]* refusal redirect_uri_unregistered /],
  ["wrong secret", /^\d hits[^]* refusal secret_wrong /],
  ...["mfa", "2FA", "otp", "step-up", "step up", "stepup", "RFC 9470"].map((
    word,
  ): readonly [string, RegExp] => [
    word,
    /^Ask for a second factor\n\n[^]*\n {2}page +docs\/second_factor\.md\n\nhttps:\S+\/docs\/second_factor\.md\n$/,
  ]),
  ["verifier", /^\d+ hits[^]* refusal verifier_missing +The code_verifier is missing\n/],
];

test("help: a word explains a flag, a key, a refusal, a misbehaviour, a call or a page, and lists several hits", async () => {
  for (const [word, expected] of words) {
    const { stdout, stderr } = await run("help", ...word.split(" "));
    assertMatch(stdout, expected);
    assertEquals(stderr, "");
    assert(stdout.split("\n").every((line) => line.length <= 80), stdout);
  }
  const missed = await run("help", "verifer_missing");
  assertEquals([missed.code, missed.stderr], [
    2,
    'postern: nothing is called "verifer_missing": did you mean verifier_missing?\n',
  ]);
});
