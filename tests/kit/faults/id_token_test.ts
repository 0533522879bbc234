/** Wrong ID tokens that concern only clients which asked for something. */

import { assertEquals } from "@std/assert";
import { createMock, type MisbehaviourName, type Mock } from "../../../src/kit/mod.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";

/** Logs in with more parameters, and returns how many ID tokens were wrong. */
async function countWrong(
  name: MisbehaviourName,
  params: Readonly<Record<string, string>>,
  { isPushed = false } = {},
): Promise<number> {
  await using as = await createMock();
  using wrong = as.misbehave(name, { person: "alice" });
  const { searchParams } = authorizeUrl(as.issuer, { scope: "openid", ...params });
  const query = isPushed ? await push(searchParams, as) : searchParams;
  const callback = await as.authorize(`${as.issuer}/oauth2/authorize?${query}`);
  const response = await requestToken(as, { code: callback.searchParams.get("code")! });
  assertEquals(response.status, 200);
  return wrong.count;
}

async function push(body: URLSearchParams, as: Mock): Promise<URLSearchParams> {
  const response = await as.fetch(`${as.issuer}/oauth2/par`, { method: "POST", body });
  const { request_uri: uri } = await response.json();
  return new URLSearchParams({ client_id: "app", request_uri: uri });
}

for (const name of ["id_token.auth_time_old", "id_token.auth_time_missing"] as const) {
  test(`misbehaviours: ${name} needs the parameter max_age`, async () => {
    assertEquals(await countWrong(name, {}), 0);
    assertEquals(await countWrong(name, { max_age: "60" }), 1);
    assertEquals(await countWrong(name, { max_age: "60" }, { isPushed: true }), 1);
  });
}

for (const name of ["id_token.acr_missing", "id_token.amr_weak"] as const) {
  test(`misbehaviours: ${name} needs a request whose acr the server keeps`, async () => {
    for (const [params, count] of [[{}, 0], [{ acr_values: "urn:strong" }, 0], [{ acr_values: "mfa" }, 1]]) {
      assertEquals(await countWrong(name, params as Readonly<Record<string, string>>), count);
    }
  });
}

test("misbehaviours: id_token.acr_weak needs the parameter acr_values", async () => {
  assertEquals(await countWrong("id_token.acr_weak", {}), 0);
  assertEquals(await countWrong("id_token.acr_weak", { acr_values: "urn:strong" }), 1);
});

test("misbehaviours: a wrong nonce needs one that the client sent, and an unasked one needs none", async () => {
  assertEquals(await countWrong("id_token.nonce_wrong", {}), 0);
  assertEquals(await countWrong("id_token.nonce_missing", { nonce: "n" }), 1);
  assertEquals(await countWrong("id_token.nonce_unasked", { nonce: "n" }), 0);
  assertEquals(await countWrong("id_token.nonce_unasked", {}), 1);
});
