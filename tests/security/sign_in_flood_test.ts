/** A flood of sign-ins: hashing is bounded, failures count per peer, and the token endpoint keeps answering. */

import { assert, assertEquals } from "@std/assert";
import type { SignInLimits } from "../../src/oauth/people/sign_in_limits.ts";
import { createSignInLimits, createTurns } from "../../src/setup/sign_in_limits.ts";
import { byId, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { basic, clients, createBrowser, encodeForm, inWorld, type Params, type World } from "../world.ts";
import { countingStore } from "./counting_store.ts";
import { formType } from "./site.ts";

const people = [{ username: "alice" }, { username: "carol", password: "correct horse" }];
const options = { login: "picker", people, clients };

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

function flood(
  world: World,
  form: Form,
  size: number,
  nameOf = (place: number) => `unknown ${place}`,
): Promise<Response[]> {
  return Promise.all(Array.from({ length: size }, (_none, place) => {
    return send(world, form, { username: nameOf(place), password: "guess" });
  }));
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

test("sign-in flood: an attempt beyond the queue gets 503 with Retry-After", async () => {
  await inWorld(options, async (world) => {
    const form = await openForm(world);
    // All attempts are for one account, which allows twenty. The later ones in the queue get 429.
    const answers = await flood(world, form, 100, () => "unknown");
    const refused = answers.filter(({ status }) => status === 503);
    assert(refused.length > 0 && answers.every(({ status }) => [400, 429, 503].includes(status)));
    assertEquals(refused[0]!.headers.get("retry-after"), "3");
    assertEquals(
      textOf(byId(readHtml(await refused[0]!.text()), "problem")),
      "Too many people are signing in right now. Please wait 3 seconds, then try again.",
    );
    const reasons = world.journal.flatMap(({ facts }) => facts.refusal?.reason ?? []);
    assertEquals(reasons.filter((reason) => reason === "too_many_at_once").length, refused.length);
    const right = await send(world, form, { username: "carol", password: "correct horse" });
    assertEquals(right.status, 303);
  });
});

test("sign-in flood: without passwords, the server hashes nothing and writes nothing", async () => {
  const store = countingStore();
  await inWorld(
    { ...options, people: [{ username: "alice" }], frontPage: "issuer", store },
    async (world) => {
      const form = await openForm(world);
      store.forget();
      const known = await send(world, form, { username: "alice", password: "guess" });
      const answers = [known, ...await flood(world, form, 150)];
      // If the server hashed, its queue would refuse some of so many attempts.
      assertEquals(answers.filter(({ status }) => status !== 400), []);
      const pages = new Set(
        await Promise.all(answers.map(async (answer) => {
          return textOf(byId(readHtml(await answer.text()), "problem"));
        })),
      );
      assertEquals([...pages], ["That password is not right. Please try again."]);
      assertEquals(store.writes, []);
    },
  );
});

test("sign-in flood: after a hundred failures one address waits a minute, and others do not", async () => {
  await inWorld(options, async (world) => {
    const form = await openForm(world);
    const [noisy, quiet] = ["192.0.2.1", "192.0.2.2"];
    // The account allows twenty attempts. The refused ones count for the address as well.
    for (let time = 0; time < 100; time++) {
      const { status } = await send(world, form, { username: "unknown", password: "guess" }, noisy);
      assertEquals(status, time < 20 ? 400 : 429, `${time}`);
      assertEquals(world.lastRefusal()?.reason, time < 20 ? "unknown_person" : "too_many_attempts");
    }
    const right = { username: "carol", password: "correct horse" };
    const refused = await send(world, form, right, noisy);
    assertEquals([refused.status, refused.headers.get("retry-after")], [429, "60"]);
    assertEquals(world.lastRefusal()?.reason, "too_many_from_one_address");
    assertEquals((await send(world, form, right, quiet)).status, 303);
    world.clock.advance(61);
    assertEquals((await send(world, form, right, noisy)).status, 303);
  });
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

test("sign-in flood: all addresses of one IPv6 /64 are one peer", () =>
  withLimits(({ limits: { peerFailures } }) => {
    const addresses = ["2001:db8:0:1::1", "2001:db8:0:1:ffff::", "2001:db8::1:0:0:0:7"];
    for (let time = 0; time < 100; time++) {
      assertEquals(peerFailures.count(addresses[time % addresses.length]), 0);
    }
    for (const address of addresses) assertEquals(peerFailures.count(address), 60);
    for (const other of ["2001:db8:0:2::1", "::1", "2001:db8::1"]) assertEquals(peerFailures.count(other), 0);
  }));

test("sign-in flood: an IPv4-mapped IPv6 address is the same peer as its IPv4 address", () =>
  withLimits(({ limits: { peerFailures } }) => {
    while (peerFailures.count("::ffff:192.0.2.1") === 0);
    assertEquals(peerFailures.count("192.0.2.1"), 60);
    for (const other of ["::ffff:192.0.2.2", "192.0.2.3", "::1"]) assertEquals(peerFailures.count(other), 0);
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
    strangers(9_000);
    assertEquals(peerFailures.count("192.0.2.1"), 60);
    strangers(10_000);
    assertEquals(peerFailures.count("192.0.2.1"), 0);
  }));

test("sign-in flood: the server issues tokens during it", async () => {
  await inWorld({ ...options, journal: () => {} }, async (world) => {
    const form = await openForm(world);
    const askToken = async () => {
      const since = performance.now();
      const { authorization } = basic("basic", "basic secret: a+b%c");
      const answer = await world.post("/oauth2/token", { grant_type: "client_credentials" }, {
        authorization,
      });
      assertEquals(answer.status, 200);
      await answer.body?.cancel();
      return performance.now() - since;
    };
    const quiet: number[] = [];
    for (let time = 0; time < 30; time++) quiet.push(await askToken());
    const latencies: number[] = [];
    let isOver = false;
    const flooding = flood(world, form, 100).finally(() => isOver = true);
    while (!isOver) {
      latencies.push(await askToken());
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    assertEquals((await flooding).length, 100);
    const mean = (times: readonly number[]) => times.reduce((sum, each) => sum + each, 0) / times.length;
    const ratio = mean(latencies) / mean(quiet);
    // Without a bound on hashes the ratio is 70 to 800.
    assert(ratio < 20, `a token takes ${ratio} times as long as without the flood`);
  });
});
