/** Codes, forms and clients expire to the second. */
import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { createBrowser, inWorld, type World } from "../world.ts";

/** The status of the answer, with the error and the reason of a refusal. */
function outcomeOf(response: Response, world: World): string {
  const { error, reason } = world.lastRefusal() ?? {};
  return [response.status, error, reason].filter((word) => word !== undefined).join(" ");
}

async function redeemAfter(seconds: number): Promise<string> {
  let answer = "";
  await inWorld({}, async (world) => {
    const code = await world.code();
    world.clock.advance(seconds);
    answer = outcomeOf(await world.redeem(code), world);
  });
  return answer;
}

test("code: a refusal says that the code has expired, for as long as its record stays", async () => {
  // The record stays for an hour. It also stays as long as a server with another clock may accept the form of the request.
  const kept = 3600 + 300;
  assertEquals(await redeemAfter(kept - 1), "400 invalid_grant code_expired");
  assertEquals(await redeemAfter(kept), "400 invalid_grant code_unknown");
});

test("code: issued in the middle of a second, it lives no longer than its lifetime", async () => {
  const started = 1_800_000_000.9;
  for (const [elapsed, status] of [[59, 200], [60, 400]] as const) {
    let now = started;
    await inWorld({ lifetimes: { code: 60 }, now: () => now }, async (world) => {
      const code = await world.code();
      now = started + elapsed;
      assertEquals((await world.redeem(code)).status, status);
    });
  }
});

test("code: redeeming it too late changes nothing", async () => {
  await inWorld({}, async (world) => {
    const code = await world.code();
    world.clock.advance(300);
    assertEquals(outcomeOf(await world.redeem(code), world), "400 invalid_grant code_expired");
    world.clock.advance(-1);
    assertEquals((await world.redeem(code)).status, 200);
  });
});

test("sealed form: signing in does not extend its hour", async () => {
  await inWorld({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const signIn = await browser.open(world.authorizeUrl());
    world.clock.advance(3599);
    const consent = await browser.submit(signIn, { person: "alice" });
    world.clock.advance(1);
    assertEquals((await browser.submit(consent, { decision: "approve" })).status, 400);
    assertEquals(world.lastRefusal()?.reason, "form_too_old");
  });
});

test("throttle: twenty failures block the client for one minute, to the second", async () => {
  for (
    const [elapsed, answer] of [[59, "429 temporarily_unavailable too_many_failures"], [60, "200"]] as const
  ) {
    await inWorld({}, async (world) => {
      const code = await world.code({ client_id: "post" });
      const attempt = (client_secret: string) => world.redeem(code, { client_id: "post", client_secret });
      for (let count = 0; count < 20; count++) await attempt("guess");
      world.clock.advance(elapsed);
      assertEquals(outcomeOf(await attempt("post-secret"), world), answer);
    });
  }
});

test("first-use client: after thirty unused days its id is free again, and its old codes are refused", async () => {
  const days = 24 * 3600;
  const newcomer = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/cb" };
  const stranger = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/other" };
  await inWorld({ firstUse: true }, async (world) => {
    assertEquals((await world.authorize(newcomer)).status, 303);
    world.clock.advance(30 * days - 1);
    assertEquals(
      outcomeOf(await world.authorize(stranger), world),
      "400 invalid_request redirect_uri_unregistered",
    );
    const code = await world.code(newcomer);
    world.clock.advance(1);
    assertEquals((await world.authorize(stranger)).status, 303);
    assertEquals(
      outcomeOf(await world.redeem(code, newcomer), world),
      "400 invalid_grant code_of_another_client",
    );
  });
});
