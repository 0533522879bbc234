/** What a server is to be, from flags alone: decided without opening anything. */

import { assertEquals, assertRejects } from "@std/assert";
import { CommandError } from "../../src/cli/command.ts";
import { type PlanFlags, readPlan } from "../../src/cli/plan.ts";
import { test } from "../runner.ts";

const places: readonly (readonly [flags: PlanFlags, issuer: string, port: number])[] = [
  [{}, "http://localhost:9000", 9000],
  [{ port: "80" }, "http://localhost", 80],
  [{ port: "443" }, "http://localhost:443", 443],
  [{ port: "443", "tls-cert": "c.pem" }, "https://localhost", 443],
  [{ port: "80", "tls-cert": "c.pem" }, "https://localhost:80", 80],
  [{ issuer: "http://localhost" }, "http://localhost", 80],
];

for (const [flags, issuer, port] of places) {
  test(`plan: ${JSON.stringify(flags)} is ${issuer} at ${port}`, async () => {
    const { settings, ...plan } = await readPlan(flags);
    assertEquals([settings.issuer, settings.baseUrl, plan.port], [issuer, issuer, port]);
  });
}

test("plan: an issuer that was typed is never rewritten, and its writer is told how to", async () => {
  const { message } = await assertRejects(() => readPlan({ issuer: "http://localhost:80" }), CommandError);
  assertEquals(message, "--issuer must be written as http://localhost/");
});
