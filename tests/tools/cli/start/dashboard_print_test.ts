/** The command on the pages that prints the settings for a library: with the flags of the server. */

import { assertEquals } from "@std/assert";
import { planDashboard } from "../../../../src/tools/cli/start/dashboard.ts";
import { readPlan } from "../../../../src/tools/cli/start/plan.ts";
import { test } from "../../../runner.ts";

async function print(host: string, config = "as.json", port = "9100"): Promise<string | undefined> {
  const plan = await readPlan({ port: "9100", host, issuer: "http://localhost:9100", "expose-demo": true });
  const flags = { port, alg: "ES256", config, people: "people.json" };
  const dashboard = planDashboard({ ...flags, "inspector-key": "the-key-of-the-inspector" }, plan);
  return dashboard?.printCommand?.("spring").replace(/^.* print /, "");
}

test("dashboard: the command that prints settings has the flags, and no files if other machines reach the server", async () => {
  assertEquals(
    await print("127.0.0.1"),
    "spring --port 9100 --alg ES256 --config as.json --people people.json",
  );
  assertEquals(await print("0.0.0.0"), "spring --port 9100 --alg ES256");
  // the port that was chosen for 0
  assertEquals(await print("0.0.0.0", "as.json", "0"), "spring --port 9100 --alg ES256");
  // a name that not all shells read has a note before the command, which is still one line
  assertEquals(
    await print("127.0.0.1", 'a"b.json'),
    "spring --port 9100 --alg ES256 --config 'VALUE' --people people.json",
  );
});
