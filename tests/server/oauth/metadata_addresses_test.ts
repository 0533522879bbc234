/** The option metadata: each address of the metadata can be off by itself (RFC 8414 §3.1, §5, Discovery §4). */

import { assertEquals } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { createWorld, inWorld } from "../../world.ts";
import { assertCannotCreate } from "./refusals.ts";

const issuer = "https://as.test/tenant";
const addresses = {
  "oauth inserted": "https://as.test/.well-known/oauth-authorization-server/tenant",
  "oauth appended": "https://as.test/tenant/.well-known/oauth-authorization-server",
  "openid inserted": "https://as.test/.well-known/openid-configuration/tenant",
  "openid appended": "https://as.test/tenant/.well-known/openid-configuration",
} as const;

const cases: readonly (readonly [metadata: ServerOptions["metadata"], found: readonly string[]])[] = [
  [undefined, ["oauth inserted", "openid inserted", "openid appended"]],
  [{ oauthAuthorizationServer: false }, ["openid inserted", "openid appended"]],
  [{ oauthAuthorizationServer: "appended", openidConfiguration: false }, ["oauth appended"]],
  [{ oauthAuthorizationServer: "both", openidConfiguration: "inserted" }, [
    "oauth inserted",
    "oauth appended",
    "openid inserted",
  ]],
  [{ openidConfiguration: "appended" }, ["oauth inserted", "openid appended"]],
  [{ oauthAuthorizationServer: false, openidConfiguration: false }, []],
];

for (const [metadata, found] of cases) {
  test(`metadata addresses: ${JSON.stringify(metadata)} leaves ${found.join(", ") || "none"}`, () =>
    inWorld({ issuer, ...(metadata === undefined ? {} : { metadata }) }, async (world) => {
      const answered: string[] = [];
      for (const [name, url] of Object.entries(addresses)) {
        const response = await world.get(url);
        const body = await response.json();
        if (response.status === 200) answered.push(name);
        else assertEquals([name, response.status, body.error], [name, 404, "not_found"]);
        if (response.status === 200) assertEquals(body.issuer, issuer);
      }
      assertEquals(answered, found);
    }));
}

test("metadata addresses: an issuer without a path has one address for both forms", async () => {
  for (const form of ["inserted", "appended", "both"] as const) {
    await using world = createWorld({ metadata: { openidConfiguration: form } });
    assertEquals((await world.get("/.well-known/openid-configuration")).status, 200);
  }
  await using world = createWorld({ metadata: { openidConfiguration: false } });
  const response = await world.get("/.well-known/openid-configuration");
  assertEquals([response.status, (await response.json()).error_description], [
    404,
    "There is nothing at this address. The configuration has metadata.openidConfiguration: false",
  ]);
  assertEquals((await world.get("/.well-known/oauth-authorization-server")).status, 200);
});

test("metadata addresses: another word is a set-up mistake", () =>
  assertCannotCreate(
    () => createWorld({ metadata: { openidConfiguration: true as unknown as false } }),
    "metadata.openidConfiguration must be",
  ));
