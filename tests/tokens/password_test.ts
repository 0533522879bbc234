/** Passwords: hashes in the configuration, throttling, and indistinguishable usernames. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createRandomBytes } from "../../src/crypto/bytes.ts";
import { hashPassword } from "../../src/crypto/password.ts";
import * as postern from "../../src/mod.ts";
import { type Form, openSignInForm } from "../races/forms.ts";
import { test } from "../runner.ts";
import { createWorld, inWorld, type World } from "../world.ts";

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

test("passwords: a scrypt hash in the configuration matches its password, in any Unicode normalization", async () => {
  await inWorld(options, async (world) => {
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
});

test("passwords: two hashes of one password have no part in common", async () => {
  const [one, other] = [await hashPassword(right, random), await hashPassword(right, random)];
  assertMatch(one, /^scrypt:[A-Za-z0-9_-]{22}:[A-Za-z0-9_-]{43}$/);
  assertNotEquals(one, other);
  for (const part of one.split(":")) assert(!other.slice(7).includes(part));
});

test("passwords: hashPassword is public, for the hashes in a configuration", () => {
  assert("hashPassword" in postern, "hashPassword is not public");
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

test("passwords: successive guesses are counted, and a success resets the count", async () => {
  await inWorld(options, async (world) => {
    const form = await openSignInForm(world);
    const guessWrongly = async (times: number) => {
      for (let count = 0; count < times; count++) {
        assertEquals(await guess(world, form, "carol", `guess ${count}`), "wrong");
      }
    };
    await guessWrongly(19);
    assertEquals(await guess(world, form, "carol", "carol's password"), "in");
    // If the nineteen guesses still counted, the second of these would have to wait.
    await guessWrongly(20);
    assertEquals(await guess(world, form, "carol", "carol's password"), "wait");
  });
});

test("passwords: the peer is the connection's address, and no header changes it", async () => {
  await inWorld(options, async (world) => {
    const form = await openSignInForm(world);
    const from = (peer: string, forwarded: string): World => ({
      ...world,
      fetch: (request) => world.fetch(request, { peer }),
      post(path, body, headers = {}) {
        const request = new Request(world.issuer + path, {
          method: "POST",
          body: new URLSearchParams(body as Record<string, string>),
          headers: { ...Object.fromEntries(new Headers(headers)), "x-forwarded-for": forwarded },
        });
        return world.fetch(request, { peer });
      },
    });
    for (let count = 0; count < 20; count++) {
      assertEquals(await guess(from("192.0.2.1", `198.51.100.${count}`), form, "carol", "guess"), "wrong");
    }
    assertEquals(await guess(from("192.0.2.1", "203.0.113.9"), form, "carol", "carol's password"), "wait");
    // Guesses from one address do not block the person at another.
    assertEquals(await guess(from("192.0.2.2", "192.0.2.1"), form, "carol", "carol's password"), "in");
  });
});

test("passwords: where the front page hides the people, answers do not show whether a username exists", async () => {
  await inWorld({ ...options, frontPage: "issuer" }, async (world) => {
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
  });
});

test("passwords: a guess costs the same work for every username", async () => {
  await inWorld(options, async (world) => {
    const form = await openSignInForm(world);
    const floors = new Map<string, number>();
    const usernames = ["unknown", "alice", "carol", "dave"];
    const spread = () => Math.max(...floors.values()) / Math.min(...floors.values());
    // Four rounds, and more only if other work has disturbed them.
    for (let round = 0; round < 4 || (round < 12 && spread() >= 3); round++) {
      for (const username of usernames) {
        const since = performance.now();
        await form.send(world, { username, password: "wrong" });
        const took = performance.now() - since;
        floors.set(username, Math.min(took, floors.get(username) ?? Infinity));
      }
    }
    // One scrypt takes about 50 ms and everything else under 5 ms, so a skipped scrypt is clearly visible.
    assert(spread() < 3, JSON.stringify([...floors]));
  });
});

test("passwords: neither the password nor its hash is in the journal's facts or on a page", async () => {
  await inWorld(options, async (world) => {
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
});
