/** How many octets of pushed requests may wait for use, for each client that proves who it is (RFC 9126 §2.3). */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore, type Store, StoreUnavailable } from "../../../src/mod.ts";
import { authority, certify, post } from "../features/mtls/certificates.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { assertingClients, assertion, show } from "../tokens/assertions.ts";
import {
  basic,
  clients,
  createBrowser,
  inWorld,
  type Params,
  redirectUri,
  type World,
  type WorldOptions,
} from "../../world.ts";
import { assertCode, assertRefusedByRedirect, assertRefusedInJson, assertRefusedOnPage } from "./refusals.ts";

const path = "/oauth2/par";
const secret = basic("basic", "basic secret: a+b%c");
const tooMany = { error: "temporarily_unavailable", reason: "too_many_waiting_requests", status: 429 };
const least = 100_000;
const lifetime = 90;

/** In a world in which the requests of each client have 100,000 octets. */
const it = testWith({ mostPushedOctets: least });

/** The form of a pushed request of 12 KB with some parameters changed. */
const formOf = (world: World, changed: Params = {}): string => {
  const large = { client_id: "basic", state: "s".repeat(12_000) };
  return new URL(world.authorizeUrl({ ...large, ...changed })).search.slice(1);
};

/** The octets of the parameters of a form in the store. */
const octetsOf = (form: string): number =>
  new TextEncoder().encode(JSON.stringify([...new URLSearchParams(form)])).length;

/** The state with which a request has this many octets in the store. */
const ofSize = (world: World, octets: number): Params => ({
  state: "s".repeat(octets - octetsOf(formOf(world, { state: "" }))),
});

/** The largest form. A control character is one octet of the body, and six in the store. */
function largestForm(world: World): string {
  const form = `${formOf(world, { state: "" })}&login_hint=`;
  return form + "\u0001".repeat(16_000 - form.length);
}

type Push = (world: World, changed?: Params) => Promise<Response>;

const push: Push = (world, changed) => world.post(path, formOf(world, changed), secret);

/** Pushes a request, and returns its request_uri. */
async function pushed(world: World, changed: Params = {}): Promise<string> {
  const response = await push(world, changed);
  assertEquals(response.status, 201);
  return (await response.json()).request_uri;
}

/** Pushes as many requests as there is room for, and returns each request_uri. */
async function fill(world: World, most: number, changed: Params = {}): Promise<readonly string[]> {
  const references: string[] = [];
  const count = Math.floor(most / octetsOf(formOf(world, changed)));
  while (references.length < count) references.push(await pushed(world, changed));
  return references;
}

async function assertFull(
  world: World,
  secondsToWait: number,
  refused: Promise<Response> = push(world),
): Promise<void> {
  const { headers } = await refused;
  assertEquals(headers.get("retry-after"), String(secondsToWait));
  const description = await assertRefusedInJson(world, await refused, tooMany);
  assertStringIncludes(description, `wait ${secondsToWait} s`);
}

const addressOf = (request_uri: string, client_id = "basic"): string =>
  `/oauth2/authorize?${new URLSearchParams({ client_id, request_uri })}`;

/** A world in which the requests of each client have 100,000 octets. */
const inSmallWorld = (work: (world: World) => Promise<void>, options: WorldOptions = {}): Promise<void> =>
  inWorld({ mostPushedOctets: least, ...options }, work);

test("par: each client with a secret has 10 MB of requests that wait for use (RFC 9126 §2.3)", () =>
  inWorld({}, async (world) => {
    const largest = largestForm(world);
    const pushLargest = () => world.post(path, largest, secret);
    const first = (await (await pushLargest()).json()).request_uri;
    const count = Math.floor(10_000_000 / octetsOf(largest));
    for (let pushes = 1; pushes < count; pushes++) assertEquals((await pushLargest()).status, 201);
    await assertFull(world, lifetime, pushLargest());
    assertEquals(world.lastRefusal()?.expected, "at most 10000000 octets of one client (mostPushedOctets)");
    assertCode(await world.get(addressOf(first)));
    assertEquals((await pushLargest()).status, 201);
    await assertFull(world, lifetime, pushLargest());
  }));

const certificate = await certify("CN=certified");

const proofs: Readonly<Record<string, Push>> = {
  "a secret": push,
  "a key": async (world, changed) =>
    world.post(path, {
      ...Object.fromEntries(new URLSearchParams(formOf(world, { client_id: "asserting", ...changed }))),
      ...show(await assertion(world)),
    }),
  "a certificate": (world, changed) => {
    const form = new URLSearchParams(formOf(world, { client_id: "certified", ...changed }));
    return post(world, path, Object.fromEntries(form), certificate);
  },
};

const provenClients: WorldOptions = {
  mtls: { ca: authority.cert },
  clients: [...clients, assertingClients[0]!, {
    client_id: "certified",
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_subject_dn: "CN=certified",
    redirect_uris: [redirectUri],
  }],
};

for (const [proof, pushBy] of Object.entries(proofs)) {
  test(`par: a client with ${proof} has as much room as the option says, and no other client has less (RFC 9126 §2.3)`, () =>
    inSmallWorld(async (world) => {
      for (let count = 1; count <= 8; count++) assertEquals((await pushBy(world)).status, 201);
      await assertFull(world, lifetime, pushBy(world));
      for (const other of Object.values(proofs).filter((each) => each !== pushBy)) {
        assertEquals((await other(world)).status, 201);
      }
    }, provenClients));
}

it("par: the room is full at its last octet (RFC 9126 §2.3)", async ({ world }) => {
  for (let count = 1; count <= 7; count++) await pushed(world, ofSize(world, 12_500));
  await assertFull(world, lifetime, push(world, ofSize(world, 12_501)));
  await pushed(world, ofSize(world, 12_500));
  await assertFull(world, lifetime, push(world, { state: "" }));
});

it("par: with the least room, the largest request is accepted if no other one waits (RFC 9126 §2.3)", async ({ world }) => {
  const largest = largestForm(world);
  const reference = (await (await world.post(path, largest, secret)).json()).request_uri;
  await assertFull(world, lifetime, world.post(path, largest, secret));
  await world.get(addressOf(reference));
  assertEquals((await world.post(path, largest, secret)).status, 201);
});

test("par: a request waits until it is answered, and not only opened (RFC 9126 §4)", () =>
  inSmallWorld(async (world) => {
    const [first, second] = await fill(world, least);
    const browser = createBrowser(world);
    const signIn = await browser.open(addressOf(first!));
    await browser.open(addressOf(first!));
    await assertFull(world, lifetime);
    await browser.submit(signIn, { decision: "deny" });
    await pushed(world);
    await assertFull(world, lifetime);
    const consent = await browser.submit(await browser.open(addressOf(second!)), { person: "alice" });
    await assertFull(world, lifetime);
    await browser.submit(consent, { decision: "approve" });
    await pushed(world);
    await assertFull(world, lifetime);
  }, { login: "picker" }));

test("par: an error that the client receives uses its request, and one on a page does not (RFC 9126 §4)", () =>
  inSmallWorld(async (world) => {
    const [first] = await fill(world, least, { prompt: "none" });
    const differs = { error: "invalid_request", reason: "client_id_differs" };
    await assertRefusedOnPage(world, await world.get(addressOf(first!, "post")), differs);
    await assertFull(world, lifetime);
    const refused = { error: "login_required", reason: "would_have_to_ask", state: "s".repeat(12_000) };
    assertRefusedByRedirect(world, await world.get(addressOf(first!)), refused);
    await pushed(world);
    await assertFull(world, lifetime);
  }, { login: "picker" }));

test("par: a second use of a request gives no more room (RFC 9126 §4)", () =>
  inSmallWorld(async (world) => {
    const [first] = await fill(world, least);
    for (let count = 1; count <= 3; count++) await world.get(addressOf(first!));
    assertEquals(world.lastRefusal()?.reason, "pushed_request_used");
    await pushed(world);
    await assertFull(world, lifetime);
  }));

it("par: an expired request gives its room back, and the wait ends with the first one (RFC 9126 §2.2)", async ({ world }) => {
  await pushed(world);
  world.clock.advance(30);
  await fill(world, least - 12_500);
  await assertFull(world, 60);
  world.clock.advance(59.5);
  await assertFull(world, 1);
  world.clock.advance(0.5);
  await pushed(world);
  await assertFull(world, 30);
  world.clock.advance(30);
  await fill(world, least - 12_500);
  await assertFull(world, 60);
});

it("par: the requests of another client do not shorten the wait (RFC 9126 §2.3)", async ({ world }) => {
  const other = `${formOf(world, { client_id: "post" })}&client_secret=post-secret`;
  assertEquals((await world.post(path, other)).status, 201);
  world.clock.advance(30);
  await fill(world, least);
  await assertFull(world, lifetime);
});

test("par: a request waits as long as lifetimes.pushedRequest says (RFC 9126 §2.2)", () =>
  inSmallWorld(async (world) => {
    await fill(world, least);
    await assertFull(world, 600);
    world.clock.advance(600);
    await fill(world, least);
  }, { lifetimes: { pushedRequest: "10m" } }));

test("par: a large request waits until enough small ones have expired (RFC 9126 §2.3)", () =>
  inSmallWorld(async (world) => {
    for (let count = 1; count <= 20; count++) {
      await pushed(world, ofSize(world, 5000));
      world.clock.advance(1);
    }
    // Three small ones make room, and the third was pushed 18 seconds ago.
    await assertFull(world, lifetime - 18, push(world, ofSize(world, 12_000)));
    await assertFull(world, lifetime - 19, push(world, ofSize(world, 10_000)));
  }));

it("par: a clock that is set back gives all room back (RFC 9126 §2.3)", async ({ world }) => {
  for (const seconds of [1, 1000]) {
    await fill(world, least);
    await assertFull(world, lifetime);
    world.clock.advance(-seconds);
    await fill(world, least);
    world.clock.advance(1000 + lifetime);
  }
});

test("par: a request that the store could not keep does not count (RFC 9126 §2.3)", async () => {
  const memory = memoryStore();
  let fails = true;
  const store: Store = {
    ...memory,
    put: (kind, ...rest) =>
      fails && kind.name === "pushed_request"
        ? Promise.reject(new StoreUnavailable("a fault"))
        : memory.put(kind, ...rest),
  };
  await inSmallWorld(async (world) => {
    for (let count = 1; count <= 20; count++) assertEquals((await push(world)).status, 503);
    fails = false;
    await fill(world, least);
    await assertFull(world, lifetime);
  }, { store });
});

test("par: each server counts what was pushed through it, also if another one answers it (RFC 9126 §2.3)", async () => {
  const store = memoryStore();
  await inSmallWorld(async (world) => {
    await inSmallWorld(async (other) => {
      const [first] = await fill(world, least);
      assertCode(await other.get(addressOf(first!)));
      await assertFull(world, lifetime);
      await fill(other, least);
      await assertFull(other, lifetime);
    }, { store });
  }, { store });
});
