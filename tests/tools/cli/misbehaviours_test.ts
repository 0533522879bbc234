/** `postern misbehaviours`: the catalogue on the command line. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { misbehaviours } from "../../../src/tools/cli/commands/misbehaviours.ts";
import { misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { test } from "../../runner.ts";
import { complaintOf } from "./command.ts";
import { run } from "./in_process.ts";

test("misbehaviours: without arguments it lists all of them", async () => {
  const { code, stdout, stderr } = await run("misbehaviours");
  assertEquals([code, stderr], [0, ""]);
  for (const name of misbehaviourNames) assert(stdout.includes(`  ${name} `), name);
  assertMatch(stdout, new RegExp(`^${misbehaviourNames.length} misbehaviours\\.`, "m"));
});

test("misbehaviours: an area and a level choose, and --json prints every member", async () => {
  const { stdout } = await run("misbehaviours", "authorization_response", "--level", "must", "--json");
  const entries: readonly Readonly<Record<string, unknown>>[] = JSON.parse(stdout);
  assert(entries.length > 0);
  for (const { area, level } of entries) assertEquals([area, level], ["authorization_response", "must"]);
  const { name, phase, server, client, rule } = entries.find(({ name }) =>
    name === "authorization_response.iss_wrong"
  )!;
  assertEquals([name, phase], ["authorization_response.iss_wrong", "login"]);
  for (const text of [server, client, rule]) assertMatch(`${text}`, /^[A-Z]/);
});

test("misbehaviours: a name explains one", async () => {
  const { stdout } = await run("misbehaviours", "authorization_response.iss_wrong");
  assertMatch(stdout, /^authorization_response\.iss_wrong\n\n {2}server +The parameter iss/);
  assertMatch(stdout, /rule +RFC 9207 §2\.4/);
});

test("misbehaviours: the explanation has the call that tries it in a test", async () => {
  const calls = {
    "authorization_response.iss_wrong": 'as.misbehave("authorization_response.iss_wrong")',
    "login.state_repeated": 'examine({ client, only: ["login.state_repeated"] })',
    "proof.replayed": 'examineApi({ as, call, only: ["proof.replayed"] })',
  };
  for (const [name, call] of Object.entries(calls)) {
    const { stdout } = await run("misbehaviours", name);
    assert(stdout.includes(`\n  in a test         ${call}\n`), stdout);
  }
});

test("misbehaviours: a wrong name, area or level is refused with what was expected", async () => {
  assertMatch(
    await complaintOf(misbehaviours, "id_token.alg_nome"),
    /^2: .*there is no misbehaviour or area "id_token.alg_nome". Did you mean id_token.alg_none\?$/,
  );
  assertMatch(await complaintOf(misbehaviours, "id_token.expired"), /Did you mean id_token\.exp_past\?$/);
  assertMatch(await complaintOf(misbehaviours, "--level", "may"), /^2: --level must be one of must, should/);
  assertMatch(await complaintOf(misbehaviours, "--area", "cookies"), /^2: --area must be one of metadata/);
});
