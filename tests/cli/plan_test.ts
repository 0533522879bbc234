/** What a server is to be, from flags alone: decided without opening anything. */

import { assertEquals, assertRejects } from "@std/assert";
import { CommandError } from "../../src/cli/command_error.ts";
import { type PlanFlags, readPlan } from "../../src/cli/plan.ts";
import { acceptsFirstUse } from "../../src/options.ts";
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

const own = { "tls-cert": "c.pem" };
const firstUsers: readonly (readonly [flags: PlanFlags, isAccepted: boolean])[] = [
  [{}, true],
  [own, true],
  [{ ...own, issuer: "https://127.0.0.1:9000" }, true],
  [{ ...own, issuer: "https://localhost.example.com" }, false],
  [{ ...own, issuer: "https://id.example.com" }, false],
  // Without a certificate something else answers there, and passes on who knows whom.
  [{ issuer: "https://localhost" }, false],
];

for (const [flags, isAccepted] of firstUsers) {
  test(`plan: first use is ${isAccepted ? "on" : "off"} for ${JSON.stringify(flags)}`, async () => {
    assertEquals(acceptsFirstUse((await readPlan(flags)).configuration), isAccepted);
  });
}
