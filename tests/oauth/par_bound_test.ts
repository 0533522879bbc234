/** How many pushed requests of unproven clients the server stores (RFC 9126 §2.3). */

import { assert, assertEquals } from "@std/assert";
import { memoryStore } from "../../src/mod.ts";
import { registered, registrationDefaults } from "../features/registration.ts";
import { test } from "../runner.ts";
import {
  basic,
  challenge,
  encodeForm,
  inWorld,
  type Params,
  redirectUri,
  sampleKey,
  type World,
} from "../world.ts";
import { assertRefusedInJson } from "./refusals.ts";

const path = "/oauth2/par";
const secret = basic("basic", "basic secret: a+b%c");

/** The form of a valid request with some parameters changed. */
const formOf = (changed: Params = {}): string =>
  encodeForm({
    response_type: "code",
    client_id: "public",
    redirect_uri: redirectUri,
    scope: "read",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changed,
  });

/** Sends a push of 12 KB for a client without a secret. */
const pushLarge = (world: World, changed: Params = {}, headers: HeadersInit = {}) =>
  world.post(path, formOf({ state: "s".repeat(12_000), ...changed }), headers);

const isFull = { error: "temporarily_unavailable", reason: "pushed_requests_full", status: 429 };

test("par: clients without a secret have at most 10 MB of requests, on all servers of a store (RFC 9126 §2.3)", async () => {
  const shared = memoryStore();
  await inWorld({ store: shared }, async (world) => {
    await inWorld({ store: shared }, async (other) => {
      let pushed = 0;
      while ((await pushLarge(pushed % 2 === 0 ? world : other)).status === 201) pushed++;
      assert(pushed > 700 && pushed < 10_000_000 / 12_000, `${pushed}`);
      for (const each of [world, other]) {
        const refused = await pushLarge(each);
        assertEquals(refused.headers.get("retry-after"), String(60 + 90 + 300));
        await assertRefusedInJson(each, refused, isFull);
      }
      assertEquals((await pushLarge(world, { client_id: "basic" }, secret)).status, 201);
      world.clock.advance(60 + 90 + 300);
      assertEquals((await pushLarge(world)).status, 201);
    });
  });
  await shared.close();
});

test("par: pages of other sites leave half of the room to programs (RFC 9126 §2.3)", () =>
  inWorld({}, async (world) => {
    const page = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    let pushed = 0;
    while ((await pushLarge(world, {}, page)).status === 201) pushed++;
    assert(pushed < 5_000_000 / 12_000, `${pushed}`);
    assertEquals((await pushLarge(world)).status, 201);
  }));

test("par: simultaneous requests of a server share what it has reserved", () =>
  inWorld({}, async (world) => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => world.post(path, formOf())));
    assertEquals(answers.filter(({ status }) => status === 201).length, 200);
  }));

for (const kind of ["registered", "demo"] as const) {
  test(`par: a ${kind} client with a secret counts like one without (RFC 9126 §2.3)`, () =>
    inWorld({}, async (world) => {
      const { client_id, client_secret } = kind === "registered"
        ? await registered(world)
        : { client_id: "demo-confidential", client_secret: "demo-secret" };
      const headers = {
        authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
        "content-type": "application/x-www-form-urlencoded",
      };
      const body = formOf({ client_id, response_type: "token" });
      const send = () =>
        world.fetch(new Request(world.issuer + path, { method: "POST", headers, body }), {
          peer: "192.0.2.1",
        });
      for (let time = 0; time < 1200; time++) assertEquals((await send()).status, 400);
      const refused = { error: "temporarily_unavailable", reason: "too_many_pushed_requests", status: 429 };
      await assertRefusedInJson(world, await send(), refused);
    }, kind === "registered" ? registrationDefaults : { alg: "ES256", signingKeys: [sampleKey] }));
}
