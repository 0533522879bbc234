/** HTTP at the token endpoint: what it reads and ignores, and the form of every answer. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { test } from "../runner.ts";
import { testWith } from "./test_in_world.ts";
import { basic, inWorld, redirectUri, verifier, type World } from "../world.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const it = testWith();

const form = "application/x-www-form-urlencoded";

for (
  const type of [
    form,
    `${form};charset=UTF-8`,
    `${form}; charset=utf-8`,
    `${form} ; charset="utf-8"`,
    form.toUpperCase(),
  ]
) {
  it(`token: ${type} is a form (OAuth 2.1 §3.2.2)`, async ({ world }) => {
    await assertTokens(await world.redeem(await world.code(), {}, { "content-type": type }));
  });
}

it("token: parameters in the query are ignored (OAuth 2.1 §2.4.1)", async ({ world }) => {
  const code = await world.code({ client_id: "post" });
  const inBody = { grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: "post" };
  const refused = await world.post(
    `/oauth2/token?client_secret=post-secret&code_verifier=${verifier}`,
    inBody,
  );
  await assertRefusedInJson(world, refused, {
    error: "invalid_client",
    reason: "secret_missing",
    status: 401,
    challenge: "Basic",
  });
  const query = new URLSearchParams({ code: "planted", scope: "write", grant_type: "password" });
  const right = { ...inBody, client_secret: "post-secret", code_verifier: verifier };
  const tokens = await assertTokens(await world.post(`/oauth2/token?${query}`, right));
  assertEquals(tokens["scope"], "read");
});

it("token: unknown parameters change nothing, and empty ones are absent (OAuth 2.1 §3.2)", async ({ world }) => {
  const more = { foo: "bar", state: "x", scope: "", resource: "", client_secret: "" };
  const tokens = await assertTokens(await world.redeem(await world.code(), more));
  assertEquals(tokens["scope"], "read");
});

it("token: a success is JSON that is not cached (OAuth 2.1 §3.2.3)", async ({ world }) => {
  const response = await world.redeem(await world.code());
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("pragma"), "no-cache");
  await response.body?.cancel();
});

it("token: a success has an access token, its type, lifetime and scope, and no empty member (OAuth 2.1 §3.2.3, §1.4.1)", async ({ world }) => {
  const tokens = await assertTokens(await world.redeem(await world.code({ scope: "openid read" })));
  const always = ["access_token", "token_type", "expires_in", "scope", "refresh_token"];
  assertEquals(Object.keys(tokens), [...always, "id_token"]);
  // Only a request for openid gets an ID token.
  const plain = await assertTokens(await world.redeem(await world.code({ scope: "read" })));
  assertEquals(Object.keys(plain), always);
  for (const value of [...Object.values(tokens), ...Object.values(plain)]) assertNotEquals(value, "");
  assertEquals(tokens["token_type"], "Bearer");
  assertEquals(tokens["expires_in"], 3600);
  assertEquals(tokens["scope"], "openid read");
});

test("token: expires_in is a whole number of seconds at any time (OAuth 2.1 §3.2.3)", () =>
  inWorld({ lifetimes: { accessToken: 77 } }, async (world) => {
    world.clock.advance(0.987);
    const response = await world.redeem(await world.code());
    assertEquals(/"expires_in":77[,}]/.test(await response.text()), true);
  }));

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`token: ${accessTokens} tokens are printable and all different (OAuth 2.1 §7.7)`, () =>
    inWorld({ accessTokens }, async (world) => {
      const texts = new Set<string>();
      for (let count = 0; count < 5; count++) {
        const { access_token } = await assertTokens(await world.redeem(await world.code()));
        assert(/^[\x21-\x7e]{43,}$/.test(String(access_token)));
        texts.add(String(access_token));
      }
      assertEquals(texts.size, 5);
    }));
}

it("token: scripts of any origin may call it, without cookies (OAuth 2.1 §3.2)", async ({ world }) => {
  const origin = { origin: "https://spa.example" };
  const preflight = await world.fetch(
    new Request(`${world.issuer}/oauth2/token`, {
      method: "OPTIONS",
      headers: {
        ...origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, content-type",
      },
    }),
  );
  assertEquals([preflight.status, await preflight.text()], [204, ""]);
  assertEquals(preflight.headers.get("access-control-allow-origin"), "*");
  assertEquals(preflight.headers.get("access-control-allow-methods"), "POST");
  assertMatch(preflight.headers.get("access-control-allow-headers")!, /\bauthorization, content-type\b/);
  const code = await world.code();
  const refused = await world.redeem(code, { code_verifier: undefined }, origin);
  const granted = await world.redeem(code, {}, origin);
  assertEquals([refused.status, granted.status], [400, 200]);
  for (const response of [preflight, refused, granted]) {
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(response.headers.get("access-control-allow-credentials"), null);
    assertEquals(
      response.headers.get("access-control-expose-headers"),
      "dpop-nonce, link, retry-after, www-authenticate",
    );
  }
});

async function guess(world: World, times: number, secret = "wrong", peer?: string): Promise<Response> {
  let response: Response | undefined;
  for (let attempt = 0; attempt < times; attempt++) {
    const request = new Request(`${world.issuer}/oauth2/token`, {
      method: "POST",
      headers: { ...basic("basic", secret), "content-type": form },
      body: "grant_type=authorization_code&code=x",
    });
    response = await world.fetch(request, peer === undefined ? {} : { peer });
  }
  return response!;
}

it("token: guesses of a secret are limited, for that client and that address only (OAuth 2.1 §2.4.1)", async ({ world }) => {
  assertEquals((await guess(world, 20, "wrong", "192.0.2.1")).status, 401);
  const right = "basic secret: a+b%c";
  const closed = await guess(world, 1, right, "192.0.2.1");
  const terms = { error: "temporarily_unavailable", reason: "too_many_failures", status: 429 };
  await assertRefusedInJson(world, closed, terms);
  assertEquals(closed.headers.get("retry-after"), "60");
  const elsewhere = await guess(world, 1, right, "192.0.2.2");
  await assertRefusedInJson(world, elsewhere, { error: "invalid_grant", reason: "code_unknown" });
  await assertTokens(await world.redeem(await world.code()));
  world.clock.advance(60);
  const open = await guess(world, 1, right, "192.0.2.1");
  await assertRefusedInJson(world, open, { error: "invalid_grant", reason: "code_unknown" });
});

it("token: parallel guesses are counted one by one (OAuth 2.1 §2.4.1)", async ({ world }) => {
  await Promise.all(Array.from({ length: 20 }, () => guess(world, 1)));
  assertEquals((await guess(world, 1)).status, 429);
});

it("token: an unknown client and a wrong secret get the same answer (OAuth 2.1 §7.7)", async ({ world }) => {
  const answers = [];
  for (const [id, secret] of [["basic", "wrong"], ["nobody", "wrong"], ["public", "wrong"]] as const) {
    for (
      const [form, headers] of [[{ client_id: undefined }, basic(id, secret)], [{
        client_id: id,
        client_secret: secret,
      }, {}]] as const
    ) {
      const response = await world.redeem("x", form, headers);
      answers.push([response.status, [...response.headers], await response.text()]);
    }
  }
  for (const answer of answers) assertEquals(answer, answers[0]);
  assertNotEquals(answers.length, 0);
});
