/** What a server is to be, from flags alone: decided without opening anything. */

import { assertEquals, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { CommandError } from "../../src/cli/command_error.ts";
import { type PlanFlags, readPlan } from "../../src/cli/plan.ts";
import { acceptsFirstUse } from "../../src/setup/server_options.ts";
import type { Configuration } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { inFolder } from "./command.ts";

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

const frontPages: readonly (readonly [flags: PlanFlags, frontPage: "full" | "issuer"])[] = [
  [{}, "full"],
  [{ host: "127.0.0.1" }, "full"],
  [own, "full"],
  [{ issuer: "https://localhost" }, "issuer"],
  [{ issuer: "https://id.example.com" }, "issuer"],
  // There is nothing to show but the demo, and the flag says to show that.
  [{ issuer: "https://id.example.com", "expose-demo": true }, "full"],
  [{ host: "0.0.0.0", issuer: "http://localhost:9000", "expose-demo": true }, "full"],
];

for (const [flags, frontPage] of frontPages) {
  test(`plan: the front page is ${frontPage} for ${JSON.stringify(flags)}`, async () => {
    assertEquals((await readPlan(flags)).settings.frontPage, frontPage);
  });
}

test("plan: what is configured is on the front page beyond loopback only where the configuration says so", () =>
  inFolder(async (path) => {
    const people = [{ username: "carol", password: "open sesame" }];
    const clients = [{ client_id: "shop", redirect_uris: ["https://shop.example/cb"] }];
    const read = async (more: Configuration, flags: PlanFlags = {}) => {
      const config = path("postern.json");
      await writeFile(config, JSON.stringify({ clients, people, ...more }));
      const host = { host: "0.0.0.0", issuer: "http://localhost:9000" };
      return (await readPlan({ ...host, config, ...flags })).settings.frontPage;
    };
    assertEquals(await read({}), "issuer");
    assertEquals(await read({}, { "expose-demo": true }), "issuer");
    assertEquals(await read({ frontPage: "full" }), "full");
    assertEquals(await read({ frontPage: "issuer" }, { host: "localhost" }), "issuer");
    assertEquals(await read({}, { host: "localhost" }), "full");
  }));

for (const [flags, isAccepted] of firstUsers) {
  test(`plan: first use is ${isAccepted ? "on" : "off"} for ${JSON.stringify(flags)}`, async () => {
    assertEquals(acceptsFirstUse((await readPlan(flags)).configuration), isAccepted);
  });
}
