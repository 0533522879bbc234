/** A client that refuses one wrong answer, and goes on with a right one, is not fooled. */

import { assertEquals } from "@std/assert";
import { createMock, type MisbehaviourName } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

/** Loads a document until it is right, and then goes on. */
async function outcomeOf(name: MisbehaviourName, { checks }: { readonly checks: boolean }): Promise<string> {
  await using as = await createMock();
  using wrong = as.misbehave(name, { times: 1 });
  const isKeys = name.startsWith("keys.");
  const load = async () => {
    const url = `${as.issuer}${isKeys ? "/oauth2/jwks" : "/.well-known/openid-configuration"}`;
    return await (await as.fetch(url)).json();
  };
  const login = async () => {
    const isRight = ({ issuer, keys }: Awaited<ReturnType<typeof load>>) =>
      isKeys ? keys.length > 0 : issuer === as.issuer;
    const first = await load();
    if (checks && !isRight(first)) await load();
    if (!isKeys) await as.fetch(`${as.issuer}/oauth2/authorize?client_id=app`);
    else await as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: "Bearer token" } });
  };
  await login();
  const { outcome } = await wrong.settled();
  return outcome;
}

for (const name of ["metadata.issuer_mismatch", "keys.empty"] as const) {
  test(`misbehaviours: a client may ask again after ${name}`, async () => {
    assertEquals(await outcomeOf(name, { checks: false }), "fooled");
    assertEquals(await outcomeOf(name, { checks: true }), "unknown");
  });
}
