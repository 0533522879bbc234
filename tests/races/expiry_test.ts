/** Codes, sessions, forms and clients expire to the second, and sweeping expired records changes no answer. */
import { assertEquals } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, type ServerOptions, sqliteStore, type Store } from "../../src/mod.ts";
import { sweepDelay } from "../../src/store/store.ts";
import { test } from "../runner.ts";
import { createBrowser, inWorld, type World } from "../world.ts";
import { fastKey } from "./explorer.ts";
import { leadsToNextPage, openConsentForm } from "./forms.ts";

/** The status of the answer, with the error and the reason of a refusal. */
function outcomeOf(response: Response, world: World): string {
  const { error, reason } = world.lastRefusal() ?? {};
  const next = leadsToNextPage(response) ? "to the next page" : undefined;
  return [response.status, error, reason, next].filter((word) => word !== undefined).join(" ");
}

async function redeemAfter(seconds: number, options: ServerOptions): Promise<string> {
  let answer = "";
  await inWorld(options, async (world) => {
    const code = await world.code();
    world.clock.advance(seconds);
    answer = outcomeOf(await world.redeem(code), world);
  });
  return answer;
}

test("code: a refusal says that the code has expired, for as long as its record stays", async () => {
  // The record stays for an hour. It also stays as long as a server with another clock may accept the form of the request.
  const kept = 3600 + 300;
  assertEquals(await redeemAfter(kept - 1, {}), "400 invalid_grant code_expired");
  assertEquals(await redeemAfter(kept, {}), "400 invalid_grant code_unknown");
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

const asked = { login: "picker" } as const;

test("sealed form: signing in does not extend its hour", async () => {
  await inWorld(asked, async (world) => {
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

/** Plays a day in which everything expires, with `between` before each request, and returns the answers in order. */
async function playDay(
  store: Store,
  between: (now: number) => Promise<void>,
): Promise<readonly string[]> {
  const answers: string[] = [];
  const options: ServerOptions = {
    ...asked,
    alg: "EdDSA",
    signingKeys: [fastKey],
    accessTokens: "opaque",
    firstUse: true,
    lifetimes: { code: 60, session: 900, accessToken: 120 },
    store,
  };
  await inWorld(options, async (world) => {
    const record = async (what: string, request: () => Promise<Response>): Promise<Response> => {
      await between(world.clock.now);
      const response = await request();
      answers.push(`${world.clock.now}: ${what}: ${outcomeOf(response, world)}`);
      return response;
    };
    const used = await openCode(world);
    const wasted = await openCode(world);
    const form = await openConsentForm(world, { prompt: "consent" });
    const late = await openConsentForm(world, { prompt: "consent" });
    const sessionEnd = world.clock.now + 900;
    await record("redeem", () => world.redeem(used));
    await record("wrong secret", () => world.redeem(wasted, { client_id: "post", client_secret: "guess" }));
    for (const seconds of [59, 1, 60, 599, 1, 100, 80, 2700, 3600, 24 * 3600]) {
      world.clock.advance(seconds);
      await record("replay", () => world.redeem(used, { redirect_uri: "https://app.example/wrong" }));
      await record("too late", () => world.redeem(wasted, { code_verifier: undefined }));
      await record(
        "visit",
        () => world.authorize({ client_id: "newcomer", redirect_uri: "http://127.0.0.1/cb" }),
      );
      await record("approve", () => form.send(world, { decision: "approve" }));
      if (world.clock.now >= sessionEnd) {
        await record("approve late", () => late.send(world, { decision: "approve" }));
      }
      const fresh = await openCode(world);
      await record("redeem", () => world.redeem(fresh));
      await record("replay", () => world.redeem(fresh));
    }
  });
  return answers;
}

async function openCode(world: World): Promise<string> {
  const form = await openConsentForm(world, { prompt: "consent" });
  const response = await form.send(world, { decision: "approve" });
  return new URL(response.headers.get("location")!).searchParams.get("code")!;
}

async function requireSameAnswersWhenSwept(open: () => Promise<Store>): Promise<void> {
  const [unswept, swept, sweptOneByOne] = [await open(), await open(), await open()];
  const wanted = await playDay(unswept, async () => {});
  let removed = 0;
  assertEquals(
    await playDay(swept, async (now) => void (removed += await swept.sweep!(1000, now + sweepDelay))),
    wanted,
  );
  assertEquals(
    await playDay(sweptOneByOne, async (now) => void await sweptOneByOne.sweep!(1, now + sweepDelay)),
    wanted,
  );
  const seen = new Set(wanted.map((answer) => answer.split(": ").slice(1).join(": ")));
  for (
    const each of [
      "too late: 400 invalid_grant verifier_missing",
      "too late: 400 invalid_grant code_expired",
      "too late: 400 invalid_grant code_unknown",
      "approve: 303",
      "approve: 409 invalid_request already_approved",
      "approve: 400 invalid_request form_too_old",
      "approve late: 303 to the next page",
      "approve late: 400 invalid_request form_too_old",
    ]
  ) if (!seen.has(each)) throw new Error(`No answer was "${each}" among\n${[...seen].join("\n")}`);
  if (removed < 20) throw new Error(`Only ${removed} records were swept`);
  await Promise.all([unswept, swept, sweptOneByOne].map((store) => store.close()));
}

test("sweeping: changes no answer, memory", async () => {
  await requireSameAnswersWhenSwept(() => Promise.resolve(memoryStore()));
});

const sqlite = await import("node:sqlite").catch(() => undefined);
const inSqlite = "sweeping: changes no answer, SQLite";
if (sqlite === undefined) test.skip(inSqlite, "this runtime has no node:sqlite");
else {
  test(inSqlite, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    let count = 0;
    try {
      await requireSameAnswersWhenSwept(() => sqliteStore(join(folder, `${count++}.db`)));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
