/** Expiry to the second, with a clock that is turned; and what is swept was gone before. */
import { assertEquals, assertMatch } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, type ServerOptions, sqliteStore, type Store } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { createBrowser, inWorld, type World } from "../world.ts";
import { fastKey } from "./explorer.ts";
import { type Form, leadsOn, openConsentForm, openSignInForm } from "./forms.ts";

/** What somebody hears: the status, and why when it was a refusal. */
function heard(response: Response, world: World): string {
  const { error, reason } = world.lastRefusal() ?? {};
  const next = leadsOn(response) ? "to the next page" : undefined;
  return [response.status, error, reason, next].filter((word) => word !== undefined).join(" ");
}

async function redeemAfter(seconds: number, options: ServerOptions): Promise<string> {
  let answer = "";
  await inWorld(options, async (world) => {
    const code = await world.code();
    world.clock.advance(seconds);
    answer = heard(await world.redeem(code), world);
  });
  return answer;
}

for (
  const [lifetime, options] of [
    ["by default 300 s", {}],
    ["of 60 s", { lifetimes: { code: 60 } }],
    ["of 600 s", { lifetimes: { code: 600 } }],
  ] as const
) {
  const seconds = "lifetimes" in options ? options.lifetimes.code : 300;
  test(`code: a lifetime ${lifetime} ends to the second (CODE-05)`, async () => {
    const expired = "400 invalid_grant code_expired";
    assertEquals(await redeemAfter(0, options), "200");
    assertEquals(await redeemAfter(seconds - 1, options), "200");
    assertEquals(await redeemAfter(seconds - 0.001, options), "200");
    assertEquals(await redeemAfter(seconds, options), expired);
    assertEquals(await redeemAfter(seconds + 1, options), expired);
    // The record stays a while, to say what happened; then there was never such a code.
    assertEquals(await redeemAfter(seconds + 3599, options), expired);
    assertEquals(await redeemAfter(seconds + 3600, options), "400 invalid_grant code_unknown");
  });
}

test("code: begun in the middle of a second, it never lives longer than it may (CODE-05)", async () => {
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

test("code: an attempt that comes too late changes nothing (CODE-05)", async () => {
  await inWorld({}, async (world) => {
    const code = await world.code();
    world.clock.advance(300);
    assertEquals(heard(await world.redeem(code), world), "400 invalid_grant code_expired");
    world.clock.advance(-1);
    assertEquals((await world.redeem(code)).status, 200);
  });
});

test("code: whether it was used or has expired, a client without the verifier does not learn (RFC 7636 §4.6)", async () => {
  await inWorld({}, async (world) => {
    const code = await world.code();
    assertEquals((await world.redeem(code)).status, 200);
    const wrong = { code_verifier: "x".repeat(43) };
    assertEquals(heard(await world.redeem(code, wrong), world), "400 invalid_grant verifier_wrong");
  });
});

const asked = { login: "picker" } as const;

/** The heading of what a browser sees that comes back with a new request. */
async function returnAfter(seconds: number, options: ServerOptions): Promise<string> {
  let seen = "";
  await inWorld({ ...asked, ...options }, async (world) => {
    const browser = createBrowser(world);
    await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
    world.clock.advance(seconds);
    const { html } = await browser.open(world.authorizeUrl());
    seen = html.includes('name="decision"') && html.includes("/oauth2/consent") ? "consent" : "sign-in";
  });
  return seen;
}

for (
  const [lifetime, options] of [
    ["by default 8 h", {}],
    ["of 90 s", { lifetimes: { session: 90 } }],
  ] as const
) {
  const seconds = "lifetimes" in options ? options.lifetimes.session : 8 * 3600;
  test(`session: a lifetime ${lifetime} ends to the second`, async () => {
    assertEquals(await returnAfter(seconds - 1, options), "consent");
    assertEquals(await returnAfter(seconds, options), "sign-in");
    assertEquals(await returnAfter(seconds + 1, options), "sign-in");
  });
}

test("session: who approves with one that has just ended is asked to sign in, and nothing is approved", async () => {
  const options = { ...asked, lifetimes: { session: 90 } };
  for (const [elapsed, isSignedIn] of [[89, true], [90, false]] as const) {
    const store = memoryStore();
    await inWorld({ ...options, store }, async (world) => {
      const form = await openConsentForm(world, { prompt: "consent" });
      world.clock.advance(elapsed);
      const response = await form.send(world, { decision: "approve" });
      assertEquals([response.status, leadsOn(response)], [303, !isSignedIn]);
      if (!isSignedIn) assertMatch(await (await form.follow(world, response)).text(), /oauth2\/sign_in/);
      let approved = 0;
      for await (const _grant of store.list!({ name: "grant" })) approved++;
      assertEquals(approved, isSignedIn ? 1 : 0);
    });
    await store.close();
  }
});

async function sendAfter(
  seconds: number,
  open: (world: World) => Promise<Form>,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  let answer = "";
  await inWorld(asked, async (world) => {
    const form = await open(world);
    world.clock.advance(seconds);
    answer = heard(await form.send(world, fields), world);
  });
  return answer;
}

test("sealed form: it can be sent for an hour, to the second", async () => {
  const tooOld = "400 invalid_request form_too_old";
  for (
    const [open, fields, status] of [
      [openSignInForm, { person: "alice" }, "303 to the next page"],
      [openConsentForm, { decision: "approve" }, "303"],
    ] as const
  ) {
    assertEquals(await sendAfter(3599, open, fields), status);
    assertEquals(await sendAfter(3600, open, fields), tooOld);
    assertEquals(await sendAfter(3601, open, fields), tooOld);
  }
});

test("sealed form: signing in late does not make it young again", async () => {
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

test("throttle: twenty failures close the door, and a minute opens it to the second", async () => {
  for (
    const [elapsed, answer] of [[59, "429 temporarily_unavailable too_many_failures"], [60, "200"]] as const
  ) {
    await inWorld({}, async (world) => {
      const code = await world.code({ client_id: "post" });
      const attempt = (client_secret: string) => world.redeem(code, { client_id: "post", client_secret });
      for (let count = 0; count < 20; count++) await attempt("guess");
      world.clock.advance(elapsed);
      assertEquals(heard(await attempt("post-secret"), world), answer);
    });
  }
});

test("first-use client: what nobody came back to for thirty days is anybody's again, and old codes are not", async () => {
  const days = 24 * 3600;
  const newcomer = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/cb" };
  const stranger = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/other" };
  await inWorld({ firstUse: true }, async (world) => {
    assertEquals((await world.authorize(newcomer)).status, 303);
    world.clock.advance(30 * days - 1);
    assertEquals(
      heard(await world.authorize(stranger), world),
      "400 invalid_request redirect_uri_unregistered",
    );
    const code = await world.code(newcomer);
    world.clock.advance(1);
    assertEquals((await world.authorize(stranger)).status, 303);
    assertEquals(
      heard(await world.redeem(code, newcomer), world),
      "400 invalid_grant code_of_another_client",
    );
  });
});

/** A day at a server where everything ends that can end: the answers in turn, with `between` before each request. */
async function liveThrough(
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
    const hear = async (what: string, request: () => Promise<Response>): Promise<Response> => {
      await between(world.clock.now);
      const response = await request();
      answers.push(`${world.clock.now}: ${what}: ${heard(response, world)}`);
      return response;
    };
    const used = await openCode(world);
    const wasted = await openCode(world);
    const form = await openConsentForm(world, { prompt: "consent" });
    const late = await openConsentForm(world, { prompt: "consent" });
    const sessionEnd = world.clock.now + 900;
    await hear("redeem", () => world.redeem(used));
    await hear("wrong secret", () => world.redeem(wasted, { client_id: "post", client_secret: "guess" }));
    for (const seconds of [59, 1, 60, 599, 1, 100, 80, 2700, 3600, 24 * 3600]) {
      world.clock.advance(seconds);
      await hear("replay", () => world.redeem(used, { redirect_uri: "https://app.example/wrong" }));
      await hear("too late", () => world.redeem(wasted, { code_verifier: undefined }));
      await hear(
        "visit",
        () => world.authorize({ client_id: "newcomer", redirect_uri: "http://127.0.0.1/cb" }),
      );
      await hear("approve", () => form.send(world, { decision: "approve" }));
      if (world.clock.now >= sessionEnd) {
        await hear("approve late", () => late.send(world, { decision: "approve" }));
      }
      const fresh = await openCode(world);
      await hear("redeem", () => world.redeem(fresh));
      await hear("replay", () => world.redeem(fresh));
    }
  });
  return answers;
}

async function openCode(world: World): Promise<string> {
  const form = await openConsentForm(world, { prompt: "consent" });
  const response = await form.send(world, { decision: "approve" });
  return new URL(response.headers.get("location")!).searchParams.get("code")!;
}

async function requireSweepingUnseen(open: () => Promise<Store>): Promise<void> {
  const [unswept, swept, sweptOneByOne] = [await open(), await open(), await open()];
  const wanted = await liveThrough(unswept, async () => {});
  let removed = 0;
  assertEquals(
    await liveThrough(swept, async (now) => void (removed += await swept.sweep!(1000, now))),
    wanted,
  );
  assertEquals(
    await liveThrough(sweptOneByOne, async (now) => void await sweptOneByOne.sweep!(1, now)),
    wanted,
  );
  const said = new Set(wanted.map((answer) => answer.split(": ").slice(1).join(": ")));
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
  ) if (!said.has(each)) throw new Error(`Nobody heard "${each}" among\n${[...said].join("\n")}`);
  if (removed < 20) throw new Error(`Only ${removed} records were swept`);
  await Promise.all([unswept, swept, sweptOneByOne].map((store) => store.close()));
}

test("sweeping: changes no answer, memory (STO-05)", async () => {
  await requireSweepingUnseen(() => Promise.resolve(memoryStore()));
});

const sqlite = await import("node:sqlite").catch(() => undefined);
const inSqlite = "sweeping: changes no answer, SQLite (STO-05)";
if (sqlite === undefined) test.skip(inSqlite, "this runtime has no node:sqlite");
else {
  test(inSqlite, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    let count = 0;
    try {
      await requireSweepingUnseen(() => sqliteStore(join(folder, `${count++}.db`)));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
