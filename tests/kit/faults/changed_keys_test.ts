/** Keys that change between two logins: the ID token of a refresh, too, has a key that the server publishes (OpenID Connect Core §10.1.1). */

import { assertEquals, assertNotEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

type Given = Awaited<ReturnType<Mock["login"]>>;

/** Returns the kid of the ID token if the server publishes it. */
async function findPublished(as: Mock, { id_token }: Given): Promise<string | undefined> {
  const load = async (url: string) => await (await as.fetch(url)).json();
  const { jwks_uri } = await load(`${as.issuer}/.well-known/openid-configuration`);
  const { keys } = await load(jwks_uri);
  const { kid } = decodeProtectedHeader(id_token!);
  return keys.map((key: { kid: string }) => key.kid).includes(kid) ? kid : undefined;
}

for (const name of ["keys.replaced", "metadata.jwks_uri_moved"] as const) {
  test(`misbehaviours: with ${name}, the key of each ID token is published, also after a refresh`, async () => {
    await using as = await createMock();
    using _wrong = as.misbehave(name);
    const first = await as.login("alice");
    const second = await as.login("alice");
    const secondKey = await findPublished(as, second);
    assertNotEquals(secondKey, undefined);
    assertNotEquals(secondKey, decodeProtectedHeader(first.id_token!).kid);
    for (const given of [first, second]) {
      assertEquals(await findPublished(as, await as.refresh(given)), secondKey);
    }
  });
}

test("misbehaviours: with keys.replaced, each second login has another key, however the logins begin", async () => {
  await using as = await createMock();
  using _wrong = as.misbehave("keys.replaced");
  const logins = [{}, { pushed: true }, {}, { pushed: true }, {}];
  const kids: unknown[] = [];
  for (const terms of logins) {
    // The login before has left its page.
    await (await as.fetch(`${as.issuer}/oauth2/authorize?client_id=app`)).body?.cancel();
    kids.push(await findPublished(as, await as.login("alice", terms)));
  }
  const [own, other] = kids;
  assertNotEquals(own, other);
  assertEquals(kids, [own, other, own, other, own]);
});
