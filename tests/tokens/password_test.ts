/** Passwords: hashes in the configuration, throttling, and indistinguishable usernames. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createRandomBytes } from "../../src/crypto/bytes.ts";
import { throttleId, throttles } from "../../src/oauth/throttle.ts";
import { hashPassword, memoryStore, type Store } from "../../src/mod.ts";
import { type Form, openSignInForm } from "../races/forms.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in.ts";
import { formType } from "../security/site.ts";
import { createWorld, encodeForm, inWorld, type Params, type World } from "../world.ts";

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
  for (const password of [right, right.normalize("NFD")]) {
    assertEquals(await guess(world, form, "alice", password), "in");
  }
  for (const password of ["", `${right} `, right.toUpperCase(), hashed, "alice"]) {
    assertEquals(await guess(world, form, "alice", password), "wrong");
  }
  assertEquals(await guess(world, form, "carol", "carol's password"), "in");
  assertEquals(await guess(world, form, "carol", right), "wrong");
});

test("passwords: two hashes of one password have no part in common", async () => {
  const [one, other] = [await hashPassword(right, random), await hashPassword(right, random)];
  assertMatch(one, /^scrypt:[A-Za-z0-9_-]{22}:[A-Za-z0-9_-]{43}$/);
  assertNotEquals(one, other);
  for (const part of one.split(":")) assert(!other.slice(7).includes(part));
});

test("passwords: a malformed hash is refused at start", async () => {
  for (const password of [hashed.slice(0, -1), `${hashed}=`, "scrypt:abc", hashed.replace(":", "::")]) {
    let said = "created";
    try {
      await createWorld({ people: [{ username: "alice", password }] }).close();
    } catch (error) {
      said = (error as Error).message;
    }
    assertMatch(said, /^Cannot create server: people\[0\]\.password /, password);
  }
});

/** Stores failed guesses for carol, because each real guess costs a hash. */
async function storeFailures(store: Store, failures: number, { clock }: World, peer?: string): Promise<void> {
  const id = throttleId({ purpose: "password", account: "carol", peer });
  await store.put(throttles, id, { failures }, { now: clock.now, expiresAt: clock.now + 60 });
}

test("passwords: successive guesses are counted, and a success resets the count", async () => {
  const store = memoryStore();
  await inWorld({ ...options, store }, async (world) => {
    const form = await openSignInForm(world);
    await storeFailures(store, 19, world);
    assertEquals(await guess(world, form, "carol", "carol's password"), "in");
    // If the nineteen guesses still counted, the second of these would have to wait.
    assertEquals(await guess(world, form, "carol", "guess"), "wrong");
    assertEquals(await guess(world, form, "carol", "carol's password"), "in");
    await storeFailures(store, 19, world);
    assertEquals(await guess(world, form, "carol", "guess"), "wrong");
    assertEquals(await guess(world, form, "carol", "carol's password"), "wait");
  });
});

test("passwords: the peer is the connection's address, and no header changes it", async () => {
  const store = memoryStore();
  await inWorld({ ...options, store }, async (world) => {
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
    await storeFailures(store, 19, world, "192.0.2.1");
    assertEquals(await guessFrom("192.0.2.1", "198.51.100.1", "guess"), "wrong");
    assertEquals(await guessFrom("192.0.2.1", "203.0.113.9", "carol's password"), "wait");
    // Guesses from one address do not block the person at another.
    assertEquals(await guessFrom("192.0.2.2", "192.0.2.1", "carol's password"), "in");
  });
});

test("passwords: where the front page hides the people, answers do not show whether a username exists", () =>
  inWorld({ ...options, frontPage: "issuer" }, async (world) => {
    const form = await openSignInForm(world);
    const answers = [];
    // People without a password are listed on the page anyway.
    for (const username of ["unknown", "alice", "carol"]) {
      const response = await form.send(world, { username, password: "wrong" });
      // Sealed values differ each time.
      const html = (await response.text()).replaceAll(username, "NAME")
        .replace(/name="request"[^>]*>/g, "").replace(/data-address="[^"]*"/, "");
      const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
      answers.push({
        status: response.status,
        headers,
        html: html.replace(/nonce[-=]"?[\w+/=-]+/g, "nonce"),
      });
    }
    const [first, ...others] = answers;
    for (const other of others) assertEquals(other, first);
  }));

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
  for (const username of ["unknown", "alice", "carol", "dave"]) {
    assertEquals(await isHashed({ username, password: "wrong" }), true, username);
  }
});

it("passwords: neither the password nor its hash is in the journal's facts or on a page", async (world) => {
  const form = await openSignInForm(world);
  const said: string[] = [];
  for (const password of ["a wrong guess", right]) {
    said.push(await (await form.send(world, { username: "alice", password })).text());
  }
  said.push(JSON.stringify(world.journal.map(({ facts, response }) => ({ facts, response }))));
  for (const secret of ["a wrong guess", right, hashed, hashed.split(":")[2]!]) {
    for (const text of said) assert(!text.includes(secret), secret);
  }
});
