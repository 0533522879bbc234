/** private_key_jwt: each assertion is accepted once, and impossible keys are refused. */

import { assertEquals } from "@std/assert";
import { memoryStore } from "../../../src/mod.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld } from "../../world.ts";
import {
  askAs,
  assertingClients,
  assertion,
  keys,
  requireAccepted,
  requireRefused,
  show,
} from "./assertions.ts";

const options = { clients: assertingClients };

const it = testInWorld(options);

it("private_key_jwt: an assertion is accepted once, at all endpoints together, for as long as it is valid (OpenID Connect Core §9)", async (world) => {
  const text = await assertion(world);
  await requireAccepted(askAs(world, text));
  await requireRefused(world, askAs(world, text), "immediately");
  await requireRefused(world, world.post("/oauth2/revoke", show(text, { token: "x" })), "revoke");
  await requireRefused(world, world.post("/oauth2/introspect", show(text, { token: "x" })), "introspect");
  // The assertion is valid for 60 s, and for 60 s more by a clock that is behind.
  for (const seconds of [59, 1, 59, 1, 60]) {
    world.clock.advance(seconds);
    await requireRefused(world, askAs(world, text), `${seconds} s later`);
  }
});

test("private_key_jwt: the mark of a used assertion stays for a server whose clock is two minutes behind (OpenID Connect Core §9)", async () => {
  const store = memoryStore();
  const marks: number[] = [];
  const put: typeof store.put = (kind, id, value, terms) => {
    if (kind.name === "once") marks.push(terms.expiresAt);
    return store.put(kind, id, value, terms);
  };
  await using world = createWorld({ ...options, store: { ...store, put } });
  await requireAccepted(askAs(world, await assertion(world)));
  // Each server accepts the assertion for 60 s after its exp.
  assertEquals(marks, [world.clock.now + 60 + 60 + 120]);
});

it("private_key_jwt: a client cannot use a jti twice, but another client can use it too (OpenID Connect Core §9)", async (world) => {
  const claims = { jti: "one" };
  await requireAccepted(askAs(world, await assertion(world, { claims })));
  const again = await assertion(world, { claims: { ...claims, exp: world.clock.now + 100 } });
  await requireRefused(world, askAs(world, again), "the same jti");
  await requireAccepted(askAs(world, await assertion(world, { clientId: "older", claims })));
});

it("private_key_jwt: a refused request does not use up the assertion", async (world) => {
  const claims = { jti: "mine" };
  const forged = await assertion(world, { claims, key: keys.foreign.privateKey });
  await requireRefused(world, askAs(world, forged), "forged");
  await requireAccepted(askAs(world, await assertion(world, { claims })));
});

test("private_key_jwt: one of 20 simultaneous requests is accepted, with two servers on one store", async () => {
  const store = memoryStore();
  const worlds = [createWorld({ ...options, store }), createWorld({ ...options, store })];
  const text = await assertion(worlds[0]!);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => (await askAs(worlds[index % 2]!, text)).status),
  );
  assertEquals(answers.sort(), [200, ...Array.from({ length: 19 }, () => 401)]);
  await Promise.all(worlds.map((world) => world.close()));
});

test("private_key_jwt: an incomplete key, or one that is not on its curve, is refused at start (RFC 7517)", async () => {
  const { x, ...incomplete } = keys.es256.jwk;
  for (const jwk of [incomplete, { ...keys.es256.jwk, y: x! }, { ...keys.es256.jwk, alg: "RS256" }]) {
    await assertCannotCreate(
      () => createWorld({ clients: [{ ...assertingClients[0]!, jwks: { keys: [jwk] } }] }),
      "clients[0].jwks",
    );
  }
});
