/** A flood of sign-ins: hashing is bounded, failures count per account and per peer, and other requests are answered. */

import { assert, assertEquals } from "@std/assert";
import {
  createSignInLimits,
  createTurns,
  type SignInLimits,
} from "../../src/server/oauth/people/sign_in_limits.ts";
import { byId, readHtml, textOf } from "../server/pages/read_html.ts";
import { test } from "../runner.ts";
import { clients, createBrowser, createWorld, encodeForm, type Params, type World } from "../world.ts";
import { countingStore } from "./counting_store.ts";
import { formType } from "./site.ts";

const carol = { username: "carol", password: "correct horse" };
const dave = { username: "dave", password: "battery staple" };
const options = { login: "picker", people: [{ username: "alice" }, carol, dave], clients };

interface Form {
  readonly action: string;
  readonly request: string;
  readonly cookie: string;
}

/** A form and its cookie, which a test can send any number of times. */
async function openForm(world: World): Promise<Form> {
  const browser = createBrowser(world);
  const { html, url } = await browser.open(world.authorizeUrl());
  const [, request = ""] = /name="request" value="([^"]*)"/.exec(html) ?? [];
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  return { action: new URL("/oauth2/sign_in", url).href, request, cookie };
}

function send(world: World, form: Form, fields: Params, peer?: string): Promise<Response> {
  const request = new Request(form.action, {
    method: "POST",
    headers: { ...formType, cookie: form.cookie },
    body: encodeForm({ request: form.request, ...fields }),
  });
  return world.fetch(request, peer === undefined ? {} : { peer });
}

test("sign-in flood: one hash runs at a time, fifty wait, and more are refused", async () => {
  const { hashing } = createSignInLimits(() => 0);
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 0));
    running--;
  };
  const taken = Array.from({ length: 100 }, () => hashing.take(work)).filter((each) => each !== undefined);
  assertEquals(taken.length, 51);
  await Promise.all(taken);
  assertEquals([most, running], [1, 0]);
});

test("sign-in flood: a failed hash lets the next one run", async () => {
  const turns = createTurns({ mostRunning: 1, mostWaiting: 1 });
  const failing = turns.take(() => Promise.reject(new Error("broken")));
  const next = turns.take(() => Promise.resolve("done"));
  assertEquals(turns.take(() => Promise.resolve("late")), undefined);
  assertEquals(await failing?.catch((error: Error) => error.message), "broken");
  assertEquals(await next, "done");
  assertEquals(await turns.take(() => Promise.resolve("again")), "again");
});

// One test, because each guess that is checked costs a hash.
test("sign-in flood: of a hundred guesses twenty are checked, the account waits, and then the address", async () => {
  await using world = createWorld(options);
  const form = await openForm(world);
  const [noisy, quiet] = ["192.0.2.1", "192.0.2.2"];
  const signIn = async (fields: Params, peer: string) => {
    const { status, headers } = await send(world, form, fields, peer);
    const wait = headers.get("retry-after");
    return status === 303 ? "signed in" : `${world.lastRefusal()?.reason}, wait ${wait}`;
  };
  const guess = { username: carol.username, password: "guess" };

  const answers = await Promise.all(Array.from({ length: 100 }, (_none, place) => {
    return send(world, form, place === 40 ? carol : guess, noisy);
  }));
  const withStatus = (status: number) => answers.filter((answer) => answer.status === status);
  const [checked, waiting, busy] = [withStatus(400), withStatus(429), withStatus(503)];
  assertEquals([checked.length, checked.length + waiting.length + busy.length], [20, 100]);
  assertEquals(answers[40]!.status, 429, "the right password was late");
  assert(busy.length > 0, "the queue has an end");
  assertEquals(new Set(busy.map(({ headers }) => headers.get("retry-after"))), new Set(["3"]));
  const reasons = world.journal.map(({ facts }) => facts.refusal?.reason);
  assertEquals(reasons.filter((reason) => reason === "too_many_at_once").length, busy.length);

  const late = await send(world, form, carol, noisy);
  assertEquals([late.status, late.headers.get("retry-after")], [429, "60"]);
  assertEquals(late.headers.getSetCookie(), []);
  assertEquals(world.lastRefusal()?.description, "Too many attempts to sign in as carol");
  assertEquals(await signIn(dave, noisy), "signed in");
  assertEquals(await signIn(carol, quiet), "signed in");

  // The refused guesses count for the address, too. Those beyond the queue and the sign-in of dave do not.
  let failures = checked.length + waiting.length + 1;
  while (failures < 200 && await signIn(guess, noisy) === "too_many_attempts, wait 60") failures++;
  assertEquals(failures, 100);
  assertEquals(await signIn(dave, noisy), "too_many_from_one_address, wait 60");
  assertEquals(await signIn(dave, quiet), "signed in");
  world.clock.advance(61);
  assertEquals(await signIn(carol, noisy), "signed in");
});

test("sign-in flood: without passwords, the server hashes nothing and writes nothing", async () => {
  const store = countingStore();
  await using world = createWorld({
    ...options,
    people: [{ username: "alice" }],
    frontPage: "issuer",
    store,
  });
  const form = await openForm(world);
  store.forget();
  // If the server hashed, its queue would refuse some of so many attempts.
  const answers = await Promise.all(Array.from({ length: 60 }, (_none, place) => {
    return send(world, form, { username: place === 0 ? "alice" : `unknown ${place}`, password: "guess" });
  }));
  assertEquals(answers.filter(({ status }) => status !== 400), []);
  const pages = await Promise.all(answers.map((answer) => answer.text()));
  const problems = new Set(pages.map((html) => textOf(byId(readHtml(html), "problem"))));
  assertEquals(problems.size, 1, "the answer shows who exists");
  assertEquals(store.writes, []);
});

test("sign-in flood: a token is issued before the waiting passwords are checked", async () => {
  await using world = createWorld(options);
  const form = await openForm(world);
  let checked = 0;
  const guesses = ["a", "b"].map(async (username) => {
    await send(world, form, { username, password: "guess" });
    checked++;
  });
  const token = await world.post("/oauth2/token", {
    grant_type: "client_credentials",
    client_id: "post",
    client_secret: "post-secret",
  });
  assertEquals(token.status, 200);
  assert(checked < guesses.length, "the token waited for the passwords");
  await Promise.all(guesses);
});

function withLimits(work: (at: { readonly limits: SignInLimits; readonly clock: { now: number } }) => void) {
  const clock = { now: 1000 };
  work({ limits: createSignInLimits(() => clock.now), clock });
}

test("sign-in flood: three hundred sign-ins in a minute from one address are accepted", () =>
  withLimits(({ limits: { peerFailures }, clock }) => {
    for (let time = 0; time < 300; time++, clock.now += 0.2) {
      assertEquals(peerFailures.count("192.0.2.1"), 0);
      // Fifty run at any time, and one in ten mistypes the password first.
      if (time >= 50) peerFailures.takeBack("192.0.2.1");
      if (time % 10 === 0) assertEquals(peerFailures.count("192.0.2.1"), 0);
    }
  }));

test("sign-in flood: what is taken back twice counts once", () =>
  withLimits(({ limits: { peerFailures } }) => {
    peerFailures.count("192.0.2.1");
    for (let time = 0; time < 2; time++) peerFailures.takeBack("192.0.2.1");
    for (let time = 0; time < 100; time++) assertEquals(peerFailures.count("192.0.2.1"), 0);
    assertEquals(peerFailures.count("192.0.2.1"), 60);
  }));

test("sign-in flood: all addresses of one IPv6 /64 are one peer", () =>
  withLimits(({ limits: { peerFailures } }) => {
    while (peerFailures.count("2001:db8:0:1::1") === 0);
    assertEquals(peerFailures.count("2001:db8:0:1:ffff::"), 60);
    assertEquals(peerFailures.count("2001:db8:0:2::1"), 0);
    // One that is taken back counts for no address of the network.
    for (let time = 0; time < 300; time++) {
      assertEquals(peerFailures.count(`2001:db8:0:3::${time}`), 0);
      peerFailures.takeBack(`2001:db8:0:3::${time}`);
    }
  }));

test("sign-in flood: a count ends after its minute, also when the clock is set back", () =>
  withLimits(({ limits: { peerFailures }, clock }) => {
    const fill = () => {
      while (peerFailures.count("192.0.2.1") === 0);
    };
    fill();
    clock.now += 60;
    assertEquals(peerFailures.count("192.0.2.1"), 0);
    fill();
    clock.now -= 3600;
    assertEquals(peerFailures.count("192.0.2.1"), 0);
  }));

test("sign-in flood: the number of counted peers is bounded, and the oldest count makes room", () =>
  withLimits(({ limits: { peerFailures } }) => {
    while (peerFailures.count("192.0.2.1") === 0);
    const strangers = (count: number) => {
      for (let place = 0; place < count; place++) peerFailures.count(`10.0.${place >> 8}.${place & 255}`);
    };
    strangers(9_998);
    assertEquals(peerFailures.count("192.0.2.1"), 60);
    strangers(9_999);
    assertEquals(peerFailures.count("192.0.2.1"), 0);
  }));
