/** Scope: valid values, the default, and the granted scope (OAuth 2.1 §1.4.1). */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { clients, inWorld, redirectUri, type World } from "../../world.ts";
import { assertRefusedByRedirect, assertTokens } from "./refusals.ts";

const it = testWith();

async function grantedScope(world: World, scope: string | undefined, client_id = "public"): Promise<unknown> {
  const code = await world.code({ scope, client_id });
  return (await assertTokens(await world.redeem(code, { client_id })))["scope"];
}

const malformed: readonly string[] = [
  'read"',
  "read\\",
  " read",
  "read ",
  "read  write",
  " ",
  "read\twrite",
  "read\nwrite",
  "read\u0000",
  "read\u001f",
  "read\u007f",
  "réad",
  "read\u00a0write",
];

for (const scope of malformed) {
  it(`scope: ${JSON.stringify(scope)} is malformed (OAuth 2.1 §1.4.1)`, async ({ world }) => {
    const expected = { error: "invalid_scope", reason: "scope_malformed" };
    assertRefusedByRedirect(world, await world.authorize({ scope }), expected);
  });
}

it("scope: a name may have every other printable ASCII character (OAuth 2.1 §1.4.1)", async ({ world }) => {
  const octets = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));
  const name = octets.filter((octet) => octet !== '"' && octet !== "\\").join("");
  assertEquals(await grantedScope(world, name), name);
});

it("scope: order does not matter, case does, and a name counts once (OAuth 2.1 §1.4.1)", async ({ world }) => {
  assertEquals(await grantedScope(world, "write read write Read"), "write read Read");
});

it("scope: without configured scopes every well-formed one is granted (OAuth 2.1 §1.4.1)", async ({ world }) => {
  assertEquals(await grantedScope(world, "anything openid"), "anything openid");
});

it("scope: without configured scopes the default is read, and the answer says so (OAuth 2.1 §1.4.1)", async ({ world }) => {
  assertEquals(await grantedScope(world, undefined), "read");
  assertEquals(await grantedScope(world, ""), "read");
});

const configured = {
  scopes: { read: "Read", write: "Write", admin: "Everything" },
  clients: [...clients, { client_id: "narrow", redirect_uris: [redirectUri], scope: "read write" }],
};

test("scope: the default is every configured one, or the client's registered ones (OAuth 2.1 §1.4.1)", () =>
  inWorld(configured, async (world) => {
    assertEquals(await grantedScope(world, undefined), "read write admin");
    assertEquals(await grantedScope(world, undefined, "narrow"), "read write");
  }));

test("scope: the default is settable (OAuth 2.1 §1.4.1)", () =>
  inWorld({ ...configured, defaultScope: "write" }, async (world) => {
    assertEquals(await grantedScope(world, undefined), "write");
  }));

test("scope: unregistered and unknown scopes are refused (OAuth 2.1 §1.4.1)", () =>
  inWorld(configured, async (world) => {
    assertEquals(await grantedScope(world, "write", "narrow"), "write");
    const beyond = await world.authorize({ scope: "read admin", client_id: "narrow" });
    assertRefusedByRedirect(world, beyond, { error: "invalid_scope", reason: "scope_not_for_client" });
    const unknown = await world.authorize({ scope: "read READ" });
    const params = assertRefusedByRedirect(world, unknown, {
      error: "invalid_scope",
      reason: "scope_unknown",
    });
    assertEquals(params.get("error_description"), "The scope READ does not exist here");
  }));
