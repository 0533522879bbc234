/** A client that takes over a scope which it has only got, so that the server refuses its next refresh (RFC 6749 §6). */

import { assertEquals, assertMatch } from "@std/assert";
import { createMock } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

for (const name of ["refresh.scope_more", "token_response.scope_more"] as const) {
  test(`misbehaviours: a client that asks for the scope of ${name} is fooled, also if the server refuses it`, async () => {
    await using as = await createMock();
    const client = async () => {
      let tokens = await as.login("alice", { scope: "openid offline_access" });
      for (let count = 0; count < 2; count++) tokens = await as.refresh(tokens, { scope: `${tokens.scope}` });
    };
    using wrong = as.misbehave(name);
    const { outcome, because } = await wrong.settled(client());
    assertEquals(outcome, "fooled", because);
    assertMatch(because, /Afterwards the client sent POST token \(refresh_token\)\./);
  });
}
