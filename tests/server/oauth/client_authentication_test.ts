/** Client authentication: Basic with test vectors, a secret in the body, and public clients. */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createServer } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { basicBeyondAscii, basicHeaders, basicTrap } from "../../vectors.ts";
import { basic, inWorld, redirectUri, sampleKey, type World } from "../../world.ts";
import { assertRefusedInJson, assertTokens } from "./refusals.ts";

const it = testWith();

const challenge = "Basic";

/** Redeems a code of this client with this Authorization header only. */
async function redeemWith(world: World, client_id: string, authorization: string): Promise<Response> {
  const code = await world.code({ client_id });
  return await world.redeem(code, { client_id: undefined }, { authorization });
}

function refused(reason: string) {
  return { error: "invalid_client", reason, status: 401, challenge };
}

for (const [client_id, client_secret, header] of basicHeaders) {
  test(`basic: the header of ${client_id} with ${client_secret} is ${header.slice(0, 24)}… (OAuth 2.1 §2.4.1)`, () =>
    inWorld({ clients: [{ client_id, client_secret, redirect_uris: [redirectUri] }] }, async (world) => {
      assertEquals(basic(client_id, client_secret).authorization, header);
      await assertTokens(await redeemWith(world, client_id, header));
      assertEquals(world.journal.at(-1)?.facts.clientId, client_id);
      assertEquals(world.journal.at(-1)?.facts.clientAuth, "client_secret_basic");
    }));
}

it("basic: encoded ids may contain characters beyond ASCII (OAuth 2.1 §2.4.1)", async ({ world }) => {
  const { id, header } = basicBeyondAscii;
  await assertRefusedInJson(world, await redeemWith(world, "public", header), refused("client_unknown"));
  assertEquals(world.journal.at(-1)?.facts.clientId, id);
});

/** Ids and secrets whose encoded and raw pairs differ. */
const twoSpellings: readonly (readonly [client_id: string, client_secret: string])[] = [
  ["app", "abc+def/ghi=="],
  ["app", "100%"],
  ["app", "100%25"],
  ["app", "a:b+c"],
  ["app", "\u00a0\u2028%"],
  ["app", "Schl\u00fcssel \u{1F511}"],
  ["my+app", "secret"],
  ["50%", "a+b"],
  ["https%3A app", "x y"],
  [basicTrap.id, basicTrap.secret],
];

const rawBasic = (id: string, secret: string) => ({
  authorization: `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${id}:${secret}`)))}`,
});

const encodedRule = "Basic base64(urlencode(client_id):urlencode(client_secret))";

for (const [client_id, client_secret] of twoSpellings) {
  const client = { client_id, client_secret, redirect_uris: [redirectUri] };
  const { authorization: raw } = rawBasic(client_id, client_secret);
  const { authorization: encoded } = basic(client_id, client_secret);

  test(`basic: ${client_id} with ${client_secret} is accepted encoded, and raw with advice (OAuth 2.1 §2.4.1)`, () =>
    inWorld({ clients: [client] }, async (world) => {
      await assertTokens(await redeemWith(world, client_id, encoded));
      assertEquals(world.journal.at(-1)?.facts.advice, undefined);
      await assertTokens(await redeemWith(world, client_id, raw));
      const { facts: { clientId, advice } } = world.journal.at(-1)!;
      assertEquals([clientId, advice?.reason, advice?.spec, advice?.expected], [
        client_id,
        "basic_not_encoded",
        "RFC 6749 §2.3.1",
        encodedRule,
      ]);
    }));

  test(`basic: raw ${client_id} with ${client_secret} is refused if the client is registered for encoded ones`, () =>
    inWorld({ clients: [{ ...client, client_secret_basic: "encoded" }] }, async (world) => {
      await assertRefusedInJson(
        world,
        await redeemWith(world, client_id, raw),
        refused("secret_not_encoded"),
      );
      const { spec, expected, received } = world.lastRefusal()!;
      assertEquals([spec, expected, received], [
        "RFC 6749 §2.3.1",
        encodedRule,
        "the right secret, not encoded",
      ]);
      assertEquals(world.journal.at(-1)?.facts.advice, undefined);
      await assertTokens(await redeemWith(world, client_id, encoded));
    }));

  for (const [first, second] of [[raw, encoded], [encoded, raw]]) {
    const order = [first, second].map((each) => each === raw ? "raw" : "encoded").join(", then ");
    test(`basic: first use of ${client_id} with ${client_secret}: ${order}`, () =>
      inWorld({ alg: "ES256", signingKeys: [sampleKey], login: "auto" }, async (world) => {
        const asked = { client_id, redirect_uri: "http://127.0.0.1:4000/cb" };
        for (const authorization of [first!, second!]) {
          const code = await world.code(asked);
          const form = { redirect_uri: asked.redirect_uri, client_id: undefined };
          await assertTokens(await world.redeem(code, form, { authorization }));
        }
        const wrong = await world.redeem(
          "x",
          { client_id: undefined },
          basic(client_id, `${client_secret}x`),
        );
        await assertRefusedInJson(world, wrong, refused("secret_wrong"));
      }, {}));
  }
}

test("basic: the client_id of the form decides between two readings (OAuth 2.1 §2.4)", () =>
  inWorld({
    clients: [{ client_id: "my+app", client_secret: "secret", redirect_uris: [redirectUri] }],
  }, async (world) => {
    const code = await world.code({ client_id: "my+app" });
    const headers = rawBasic("my+app", "secret");
    const response = await world.redeem(code, { client_id: "other" }, headers);
    assertEquals([response.status, world.lastRefusal()?.reason], [400, "client_id_differs"]);
    await assertTokens(await world.redeem(code, { client_id: "my+app" }, headers));
  }));

test("basic: a header that may name two clients names the one with that secret", () =>
  inWorld({
    clients: ["a b", "a+b"].map((client_id, index) => ({
      client_id,
      client_secret: `secret${index}`,
      redirect_uris: [redirectUri],
    })),
  }, async (world) => {
    for (const [index, client_id] of ["a b", "a+b"].entries()) {
      const { authorization } = rawBasic(client_id, `secret${index}`);
      await assertTokens(await redeemWith(world, client_id, authorization));
      assertEquals(world.journal.at(-1)?.facts.clientId, client_id);
    }
  }));

test("basic: a header that may name two clients is no first use of one of them (OAuth 2.1 §2.4.1)", () =>
  inWorld({
    firstUse: true,
    clients: [{ client_id: "a+b", client_secret: "secret", redirect_uris: [redirectUri] }],
  }, async (world) => {
    const code = await world.code({ client_id: "a b" });
    const wrong = await world.redeem(code, { client_id: undefined }, rawBasic("a+b", "another"));
    assertEquals([wrong.status, world.lastRefusal()?.reason], [401, "secret_wrong"]);
    assertEquals(world.journal.at(-1)?.facts.clientId, "a+b");
    await assertTokens(await world.redeem(code, { client_id: "a b" }));
  }));

it("basic: a wrong secret with two readings is one failed attempt (OAuth 2.1 §2.4.1)", async ({ world }) => {
  const send = async (secret: string) => {
    const response = await world.redeem("x", { client_id: undefined }, rawBasic("basic", secret));
    return [response.status, (await response.json()).error];
  };
  for (let attempt = 1; attempt <= 20; attempt++) {
    assertEquals(await send(`wrong+${attempt}`), [401, "invalid_client"]);
  }
  assertEquals(await send("wrong+21"), [429, "temporarily_unavailable"]);
});

it("basic: the stand-in for a missing secret does not authenticate (OAuth 2.1 §7.7)", async ({ world }) => {
  // The server compares this text where it holds no secret.
  for (const client_id of ["basic", "public", "unknown"]) {
    const response = await world.redeem("x", { client_id: undefined }, basic(client_id, "no secret"));
    assertEquals([response.status, (await response.json()).error], [401, "invalid_client"], client_id);
  }
});

test("client_secret_basic: encoded is refused for clients with another method", () => {
  const client = { client_id: "a", redirect_uris: [redirectUri], client_secret_basic: "encoded" } as const;
  const expected = "clients[0].client_secret_basic must be left out: the client authenticates with";
  assertThrows(() => createServer({ clients: [client] }), TypeError, `${expected} none`);
  const post = { ...client, client_secret: "s", token_endpoint_auth_method: "client_secret_post" };
  assertThrows(() => createServer({ clients: [post] }), TypeError, `${expected} client_secret_post`);
});

for (const authorization of ["Bearer x", "Digest x", "Basically x", "DPoP x", "x"]) {
  it(`authorization: ${authorization} fails, for public clients too (OAuth 2.1 §3.2.2, §3.2.4)`, async ({ world }) => {
    const code = await world.code();
    const response = await world.redeem(code, {}, { authorization });
    await assertRefusedInJson(world, response, refused("authorization_header_unreadable"));
    await assertTokens(await world.redeem(code));
  });
}

it("client authentication: a header that no method reads counts as a second method (OAuth 2.1 §2.4, §3.2.2)", async ({ world }) => {
  const code = await world.code({ client_id: "post" });
  const credentials = { client_id: "post", client_secret: "post-secret" };
  for (const authorization of ["Bearer x", "Digest x", "Basically x"]) {
    const response = await world.redeem(code, credentials, { authorization });
    const twoWays = { error: "invalid_request", reason: "two_auth_methods", status: 400 } as const;
    await assertRefusedInJson(world, response, twoWays);
  }
  await assertTokens(await world.redeem(code, credentials));
});

it("client authentication: a secret in the header and in the form is refused, and says which one goes (OAuth 2.1 §2.4)", async ({ world }) => {
  const code = await world.code({ client_id: "post" });
  const secret = { client_id: "post", client_secret: "post-secret" };
  const response = await world.redeem(code, secret, basic("post", "post-secret"));
  const twoWays = { error: "invalid_request", reason: "two_auth_methods", status: 400 } as const;
  await assertRefusedInJson(world, response, twoWays);
  const { change, received } = world.lastRefusal()!;
  assertEquals(received, "client_secret_basic, client_secret_post");
  assertMatch(
    change!,
    /^Remove client_secret from the form, .* With requests-oauthlib, remove auth or .*fetch_token/,
  );
  const assertion = { ...secret, client_assertion: "e30.e30.e30" };
  assertEquals((await world.redeem(code, assertion)).status, 400);
  assertMatch(
    world.lastRefusal()!.change!,
    /^Authenticate by one method only: remove the Authorization header, or /,
  );
});

it("client authentication: a secret without an id is refused (OAuth 2.1 §3.2.4, §4.1.3)", async ({ world }) => {
  const code = await world.code({ client_id: "post" });
  const response = await world.redeem(code, { client_id: undefined, client_secret: "post-secret" });
  const body = await response.json();
  assertEquals([response.status, body.error], [401, "invalid_client"]);
  await assertTokens(await world.redeem(code, { client_id: "post", client_secret: "post-secret" }));
});
