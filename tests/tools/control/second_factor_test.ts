/** The second factor over HTTP: codes, authenticator apps, logins with a code, and what a list of people hides. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { test } from "../../runner.ts";
import { withControl } from "./with_control.ts";

test("control: code_of gives the next code, with which log_in proves the second factor", async () => {
  await withControl(async ({ ask }) => {
    const { body: { code } } = await ask("POST", "/code_of", { body: { username: "alice" } });
    assertMatch(code, /^\d{6}$/);
    const { body: tokens } = await ask("POST", "/login", { body: { username: "alice", secondFactor: code } });
    assertEquals(decodeJwt(tokens.access_token)["amr"], ["otp", "mfa"]);
    const again = await ask("POST", "/login", { body: { username: "alice", secondFactor: code } });
    assertEquals([again.status >= 400, JSON.stringify(again.body).includes("second_factor_code_used")], [
      true,
      true,
    ]);
    const { body: next } = await ask("POST", "/code_of", { body: { username: "alice" } });
    assert(next.code !== code);
  });
});

test("control: authenticator_of gives what an app needs, and lists of people never have the secret", async () => {
  await withControl(async ({ ask }) => {
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    const added = await ask("POST", "/people", {
      body: { username: "carol", secondFactor: { kind: "totp", secret } },
    });
    const listed = await ask("GET", "/people");
    for (const { body } of [added, listed]) assert(!JSON.stringify(body).includes(secret));
    assert(JSON.stringify(listed.body).includes('"secondFactor":{"kind":"totp"}'));
    const { body } = await ask("POST", "/authenticator_of", { body: { username: "carol" } });
    assertEquals(body.secret, secret);
    const refused = await ask("POST", "/authenticator_of", { body: { username: "bob" } });
    assertEquals(refused.status, 400);
  });
});
