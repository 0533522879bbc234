/** Passwords: hashes in the configuration, throttling, and indistinguishable usernames. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createRandomBytes } from "../../../src/ground/crypto/bytes.ts";
import { throttleId, throttles } from "../../../src/server/oauth/secrets/throttle.ts";
import { hashPassword, memoryStore, type Store } from "../../../src/mod.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { type Form, openSignInForm } from "../../races/forms.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { formType } from "../../security/site.ts";
import { createWorld, encodeForm, type Params, type World } from "../../world.ts";

const random = createRandomBytes();
const right = "correct horse – battery é";
const hashed = await hashPassword(right, random);

const options = {
  login: "picker",
  people: [
    { username: "alice", password: hashed },
    { username: "carol", password: "carol's password" },
    { username: "dave" },
  ],
};

/** The result of a guess: "in" for signed in, "wrong", or "wait". */
async function guess(
  world: World,
  form: Form,
  username: string,
  password: string,
): Promise<"in" | "wrong" | "wait"> {
  const response = await form.send(world, { username, password });
  const html = await response.text();
  // A redirect to the next page.
  if (response.status === 303) return "in";
  const alert = /role="alert"[^>]*>([^<]*)/.exec(html)?.[1];
  assert(alert !== undefined, html);
  return /too many|wait/i.test(alert) ? "wait" : "wrong";
}

const it = testInWorld(options);

it("passwords: a scrypt hash in the configuration matches its password, in any Unicode normalization", async (world) => {
  const form = await openSignInForm(world);
  assertEquals(await guess(world, form, "alice", right.normalize("NFD")), "in");
  for (const password of [`${right} `, hashed]) {
    assertEquals(await guess(world, form, "alice", password), "wrong");
  }
});

test("passwords: two hashes of one password have no part in common", async () => {
  const [one, other] = [hashed, await hashPassword(right, random)];
  assertMatch(one, /^scrypt:[A-Za-z0-9_-]{22}:[A-Za-z0-9_-]{43}$/);
  assertNotEquals(one, other);
  for (const part of one.split(":")) assert(!other.slice(7).includes(part));
});

test("passwords: a malformed hash is refused at start", async () => {
  for (const password of [hashed.slice(0, -1), `${hashed}=`, "scrypt:abc", hashed.replace(":", "::")]) {
    await assertCannotCreate(
      () => createWorld({ people: [{ username: "alice", password }] }),
      "people[0].password ",
    );
  }
});

/** Stores failed guesses for carol, because each real guess costs a hash. */
async function storeFailures(store: Store, failures: number, { clock }: World, peer?: string): Promise<void> {
  const id = throttleId({ purpose: "password", account: "carol", peer });
  await store.put(throttles, id, { failures }, { now: clock.now, expiresAt: clock.now + 60 });
}

test("passwords: successive guesses are counted, and a success resets the count", async () => {
  const store = memoryStore();
  await using world = createWorld({ ...options, store });
  const form = await openSignInForm(world);
  await storeFailures(store, 19, world);
  assertEquals(await guess(world, form, "carol", "carol's password"), "in");
  // If the nineteen guesses still counted, the second of these would have to wait.
  assertEquals(await guess(world, form, "carol", "guess"), "wrong");
  assertEquals(await guess(world, form, "carol", "carol's password"), "in");
});

test("passwords: the peer is the connection's address, and no header changes it", async () => {
  const store = memoryStore();
  await using world = createWorld({ ...options, store });
  const form = await openSignInForm(world);
  const guessFrom = (peer: string, forwarded: string, password: string) => {
    const from: World = {
      ...world,
      async post(path, fields) {
        const headers = { ...formType, cookie: form.cookie, "x-forwarded-for": forwarded };
        const body = encodeForm(fields as Params);
        return await world.fetch(new Request(world.issuer + path, { method: "POST", headers, body }), {
          peer,
        });
      },
    };
    return guess(from, form, "carol", password);
  };
  await storeFailures(store, 20, world, "192.0.2.1");
  assertEquals(await guessFrom("192.0.2.1", "203.0.113.9", "carol's password"), "wait");
  // Guesses from one address do not block the person at another.
  assertEquals(await guessFrom("192.0.2.2", "192.0.2.1", "carol's password"), "in");
});

it("passwords: a guess costs the same work for every username", async (world) => {
  const form = await openSignInForm(world);
  // A hash is made in another thread, so its answer comes in a later turn of the event loop.
  const isHashed = async (fields: Params) => {
    let isAnswered = false;
    const answer = form.send(world, fields).then(() => isAnswered = true);
    for (let step = 0; step < 1000; step++) await Promise.resolve();
    const later = !isAnswered;
    await answer;
    return later;
  };
  await isHashed({ person: "unknown" });
  assertEquals(await isHashed({ person: "unknown" }), false);
  for (const username of ["unknown", "alice", "dave"]) {
    assertEquals(await isHashed({ username, password: "wrong" }), true, username);
  }
});
