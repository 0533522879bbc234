/** Wrong ID tokens that concern only clients which asked for something. */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, examine, type MisbehaviourName, type Mock } from "../../../src/kit/mod.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { challengeOf } from "../../world.ts";

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

const oldLogins = [
  [60, 60, "noticed", "The client"],
  [100_000, 100_000, "noticed", "The client"],
  [60, 60_000, "fooled", "With the variant hour_ago: "],
  [60, Infinity, "fooled", "With the variant long_ago: "],
] as const;

for (const [maxAge, accepted, outcome, begins] of oldLogins) {
  test(`misbehaviours: a client that sends max_age=${maxAge} and accepts logins of the last ${accepted} seconds is ${outcome} (OpenID Connect Core §3.1.3.7)`, async () => {
    const { rows: [row] } = await examine({
      only: ["id_token.auth_time_old"],
      async client(as, { issuer, redirectUri, browse }) {
        const verifier = crypto.randomUUID() + crypto.randomUUID();
        const own = { scope: "openid", max_age: `${maxAge}`, code_challenge: challengeOf(verifier) };
        const { searchParams } = await browse(authorizeUrl(issuer, { ...own, state: crypto.randomUUID() }));
        const form = {
          code: `${searchParams.get("code")}`,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        };
        const tokens = await (await requestToken({ issuer, fetch: as.fetch }, form)).json();
        const { auth_time: signedInAt } = decodeJwt<{ auth_time: number }>(tokens.id_token);
        if (signedInAt < Date.now() / 1000 - accepted - 30) throw new Error("the login is too old");
        await as.fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
      },
    });
    assertEquals([row!.outcome, row!.because.startsWith(begins)], [outcome, true], row!.because);
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
