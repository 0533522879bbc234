/** Passwords: hashed in the configuration, guessed slowly, and no way to find out who is there (SES-07, TIME-01). */

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

/** What a guess comes to: signed in, told wrong, or told to wait. */
async function guess(
  world: World,
  form: Form,
  username: string,
  password: string,
): Promise<"in" | "wrong" | "wait"> {
  const response = await form.send(world, { username, password });
  const html = await response.text();
  // To the next page.
  if (response.status === 303) return "in";
  const alert = /role="alert"[^>]*>([^<]*)/.exec(html)?.[1];
  assert(alert !== undefined, html);
  return /too many|wait/i.test(alert) ? "wait" : "wrong";
}

test("passwords: a scrypt hash in the configuration is proved by its password, in any form of its letters (SES-07)", async () => {
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

test("passwords: a hash says nothing twice, and keeps nothing of the password (STO-01)", async () => {
  const [one, other] = [await hashPassword(right, random), await hashPassword(right, random)];
  assertMatch(one, /^scrypt:[A-Za-z0-9_-]{22}:[A-Za-z0-9_-]{43}$/);
  assertNotEquals(one, other);
  for (const part of one.split(":")) assert(!other.slice(7).includes(part));
});

test("passwords: whoever writes a configuration can make the hash that it asks for (SES-07)", () => {
  assert("hashPassword" in postern, "hashPassword is named in the configuration, and is not public");
});

test("passwords: a hash that was cut or mistyped is no password, and is said at start", async () => {
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

test("passwords: guesses one after another are counted as well, and success forgets them (SES-07)", async () => {
  await inWorld(options, async (world) => {
    const form = await openSignInForm(world);
    const guessWrongly = async (times: number) => {
      for (let count = 0; count < times; count++) {
        assertEquals(await guess(world, form, "carol", `guess ${count}`), "wrong");
      }
    };
    await guessWrongly(19);
    assertEquals(await guess(world, form, "carol", "carol's password"), "in");
    // Were the nineteen not forgotten, the second of these would be told to wait.
    await guessWrongly(20);
    assertEquals(await guess(world, form, "carol", "carol's password"), "wait");
  });
});

test("passwords: the peer is who connects, and no header makes another one of it (SES-07)", async () => {
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
    // Guesses from another address do not lock the person out.
    assertEquals(await guess(from("192.0.2.2", "192.0.2.1"), form, "carol", "carol's password"), "in");
  });
});

test("passwords: nobody and somebody are told apart by nothing (TIME-01)", async () => {
  await inWorld(options, async (world) => {
    const form = await openSignInForm(world);
    const answers = [];
    // Whoever has no password is on the page anyway, to be picked.
    for (const username of ["nobody", "alice", "carol"]) {
      const response = await form.send(world, { username, password: "wrong" });
      // What is sealed differs each time.
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

test("passwords: a guess costs the same work, whoever it is about (TIME-01)", async () => {
  await inWorld(options, async (world) => {
    const form = await openSignInForm(world);
    const floors = new Map<string, number>();
    const usernames = ["nobody", "alice", "carol", "dave"];
    const spread = () => Math.max(...floors.values()) / Math.min(...floors.values());
    // Four rounds, and more only where something else has taken the time.
    for (let round = 0; round < 4 || (round < 12 && spread() >= 3); round++) {
      for (const username of usernames) {
        const since = performance.now();
        await form.send(world, { username, password: "wrong" });
        const took = performance.now() - since;
        floors.set(username, Math.min(took, floors.get(username) ?? Infinity));
      }
    }
    // One scrypt is some 50 ms and all the rest is not 5: who is spared it stands out by far.
    assert(spread() < 3, JSON.stringify([...floors]));
  });
});

test("passwords: neither the password nor its hash is in a journal's fact or a page (LOG-01)", async () => {
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
