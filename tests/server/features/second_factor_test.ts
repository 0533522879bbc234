/** The second factor of a person: who is asked for it, what works as a code, and what tokens say of it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { readBase32, totpOf, writeBase32 } from "../../../src/server/features/second_factor/totp.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { StoreUnavailable } from "../../../src/server/store/store.ts";
import { byId, findById, readHtml, textOf } from "../pages/read_html.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { testWith } from "../oauth/test_in_world.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { test } from "../../runner.ts";
import {
  createBrowser,
  createClock,
  createWorld,
  inWorld,
  type Page,
  redirectUri,
  type World,
} from "../../world.ts";
import { appCode, claimsOf, errorOf, people, secret } from "./second_factor.ts";

const mfa = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const options = { login: "picker", people, acrValues: ["silver"] };
const it = testWith(options);

// RFC 6238 Appendix B, the rows of SHA-1.
const vectors: readonly (readonly [seconds: number, code: string])[] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

test("second factor: codes are those of the specification (RFC 6238 Appendix B)", async () => {
  const key = readBase32(secret)!;
  assertEquals(new TextDecoder().decode(key), "12345678901234567890");
  for (const [seconds, code] of vectors) {
    assertEquals(await totpOf(key, Math.floor(seconds / 30), 8), code);
    assertEquals(await totpOf(key, Math.floor(seconds / 30)), code.slice(2));
  }
});

test("second factor: secrets are base32, in any case, with spaces and padding (RFC 4648 §10)", () => {
  const rows = [["", ""], ["f", "MY"], ["fo", "MZXQ"], ["foo", "MZXW6"], ["foob", "MZXW6YQ"], [
    "fooba",
    "MZXW6YTB",
  ]];
  for (const [text = "", written = ""] of rows) {
    const octets = new TextEncoder().encode(text);
    assertEquals(writeBase32(octets), written);
    assertEquals(readBase32(written), octets);
    assertEquals(readBase32(`${written.toLowerCase().replace(/(..)/g, "$1 ")}===`), octets);
  }
  for (const wrong of ["1", "8", "0", "é", "MZ=XW6"]) assertEquals(readBase32(wrong), undefined, wrong);
});

async function signIn(
  world: World,
  person: string,
  params = {},
  browser = createBrowser(world),
): Promise<Page> {
  return await browser.submit(await browser.open(world.authorizeUrl(params)), { person });
}

function asksForCode({ html }: Page): boolean {
  return findById(readHtml(html), "code") !== undefined;
}

it("second factor: it comes after the sign-in if acr_values prefers it, and tokens say so (RFC 9470 §4; RFC 8176 §2)", async ({ world, browser }) => {
  const signedInAt = world.clock.now;
  const page = await signIn(world, "carol", { acr_values: "mfa silver" }, browser);
  assert(asksForCode(page));
  assertEquals(world.journal.at(-1)?.facts.question, "second_factor");
  world.clock.advance(5);
  const consent = await browser.submit(page, { code: appCode(world.clock.now) });
  const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
  assertEquals([claims["acr"], claims["amr"], claims["auth_time"]], ["mfa", ["otp", "mfa"], signedInAt]);
});

it("second factor: the session keeps it, and a new sign-in asks again (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const page = await signIn(world, "carol", { acr_values: mfa }, browser);
  const consent = await browser.submit(page, { code: appCode(world.clock.now) });
  assertEquals((await claimsOf(world, await browser.submit(consent, { decision: "approve" })))["acr"], mfa);
  world.clock.advance(60);
  const later = await browser.open(world.authorizeUrl({ acr_values: "mfa", prompt: "none" }));
  const silent = await claimsOf(world, later);
  assertEquals([silent["acr"], silent["amr"]], ["mfa", ["otp", "mfa"]]);
  for (const again of [{ prompt: "login" }, { max_age: "30" }]) {
    assert(asksForCode(await signIn(world, "carol", { acr_values: "mfa", ...again }, browser)));
  }
});

it("second factor: a step-up keeps the sign-in of the password, and its time (RFC 9470 §5)", async ({ world, browser }) => {
  const signedInAt = world.clock.now;
  await browser.submit(await signIn(world, "carol", {}, browser), { decision: "approve" });
  world.clock.advance(100);
  const page = await browser.open(world.authorizeUrl({ acr_values: "mfa" }));
  assert(asksForCode(page));
  const claims = await claimsOf(world, await browser.submit(page, { code: appCode(world.clock.now) }));
  assertEquals([claims["acr"], claims["auth_time"]], ["mfa", signedInAt]);
});

it("second factor: prompt=none never skips it (OpenID Connect Core §3.1.2.6)", async ({ world, browser }) => {
  await browser.submit(await signIn(world, "carol", {}, browser), { decision: "approve" });
  const silent = await browser.open(world.authorizeUrl({ acr_values: "mfa", prompt: "none" }));
  assertEquals(new URL(silent.leftFor!).searchParams.get("error"), "login_required");
  assertEquals(world.lastRefusal()?.received, "second_factor");
});

it("second factor: the forms of other pages do not get past it", async ({ world, browser }) => {
  const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  const consent = { ...page, html: page.html.replaceAll("/oauth2/second_factor", "/oauth2/consent") };
  assert(asksForCode(await browser.submit(consent, { decision: "approve" })));
  const chooser = { ...page, html: page.html.replaceAll("/oauth2/second_factor", "/oauth2/account") };
  assert(asksForCode(await browser.submit(chooser, { account: "carol" })));
});

test("second factor: automatic sign-in asks for it, and approves nothing before (OAuth 2.1 §7.3.1)", () =>
  inWorld({ ...options, login: "auto:carol" }, async (world) => {
    const browser = createBrowser(world);
    assertEquals(await errorOf(world, { acr_values: "mfa", prompt: "none" }), "login_required");
    const page = await browser.open(world.authorizeUrl({ acr_values: "mfa" }));
    assert(asksForCode(page));
    const consent = { ...page, html: page.html.replaceAll("/oauth2/second_factor", "/oauth2/consent") };
    assert(asksForCode(await browser.submit(consent, { decision: "approve" })));
    const next = await browser.submit(page, { code: appCode(world.clock.now) });
    const claims = await claimsOf(world, await browser.submit(next, { decision: "approve" }));
    assertEquals([claims["acr"], claims["amr"]], ["mfa", ["otp", "mfa"]]);
    const later = await browser.open(world.authorizeUrl({ acr_values: "mfa" }));
    assertEquals((await claimsOf(world, later))["acr"], "mfa");
    assert(asksForCode(await browser.open(world.authorizeUrl({ acr_values: "mfa", prompt: "login" }))));
  }));

test("second factor: automatic sign-in does not say that the person gave a password (RFC 8176 §2)", () => {
  const person = {
    username: "frank",
    password: "frank's password",
    secondFactor: { kind: "totp", secret },
  } as const;
  return inWorld({ ...options, people: [person], login: "auto:frank" }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl({ acr_values: "mfa" }));
    const next = await browser.submit(page, { code: appCode(world.clock.now) });
    const claims = await claimsOf(world, await browser.submit(next, { decision: "approve" }));
    assertEquals(claims["amr"], ["otp", "mfa"]);
  });
});

/** Who wants it: the parameters, the person, other options, and whether the page asks. */
const wishes:
  readonly (readonly [name: string, params: Record<string, string>, person: string, asked: boolean])[] = [
    ["no acr", {}, "carol", false],
    ["an acr of each sign-in first", { acr_values: "silver mfa" }, "carol", false],
    ["an unknown acr first", { acr_values: "gold mfa" }, "carol", true],
    ["the claim acr", { claims: '{"id_token":{"acr":{"values":["mfa"]}}}' }, "carol", true],
    ["a person without a factor", { acr_values: "mfa" }, "erin", false],
  ];

for (const [name, params, person, asked] of wishes) {
  it(`second factor: with ${name}, the page ${asked ? "asks" : "does not ask"} for it`, async ({ world }) => {
    assertEquals(asksForCode(await signIn(world, person, params)), asked);
  });
}

test("second factor: a person with `always` gives it at each sign-in, and amr has the password, too (RFC 8176 §2)", () => {
  const fields = { username: "dave", password: "dave's password" };
  const dave = { ...fields, secondFactor: { kind: "code", secret, always: true } } as const;
  return inWorld({ ...options, people: [dave] }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.submit(await browser.open(world.authorizeUrl()), fields);
    assert(asksForCode(page));
    assertMatch(textOf(byId(readHtml(page.html), "code-note")), /sent to dave/);
    const consent = await browser.submit(page, { code: appCode(world.clock.now) });
    const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
    assertEquals(claims["amr"], ["pwd", "otp", "mfa"]);
  });
});

test("second factor: at a browser with two people, only the one who proves it has it", () => {
  const frank = { username: "frank", secondFactor: { kind: "totp", secret } } as const;
  return inWorld({ ...options, people: [...people, frank] }, async (world) => {
    const browser = createBrowser(world);
    await signIn(world, "carol", {}, browser);
    await signIn(world, "frank", { prompt: "login" }, browser);
    const page = await browser.open(world.authorizeUrl({ acr_values: "mfa", login_hint: "frank" }));
    assertEquals(asksForCode(await browser.submit(page, { code: appCode(world.clock.now) })), false);
    for (const [login_hint, asked] of [["frank", false], ["carol", true]] as const) {
      const later = await browser.open(world.authorizeUrl({ acr_values: "mfa", login_hint }));
      assertEquals(asksForCode(later), asked, login_hint);
    }
  });
});

it("second factor: the form of another page proves nothing for a person without one", async ({ world, browser }) => {
  const consent = await signIn(world, "erin", {}, browser);
  const html = consent.html.replace(/ action="[^"]*"/, ' action="/oauth2/second_factor"');
  const page = await browser.submit({ ...consent, html }, { code: "123456" });
  assertEquals([page.status, asksForCode(page)], [200, false]);
});

test("second factor: a store that cannot keep it ends the request with an error (OAuth 2.1 §4.1.2.1)", async () => {
  const interrupted = interruptedStore("put", "session");
  await using world = createWorld({ ...options, store: interrupted.store });
  const browser = createBrowser(world);
  const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  interrupted.meanwhile = () => Promise.reject(new StoreUnavailable("a fault"));
  const answer = await browser.submit(page, { code: appCode(world.clock.now) });
  assertEquals(new URL(answer.leftFor!).searchParams.get("error"), "temporarily_unavailable");
});

const policies = {
  "the server": { secondFactorPolicy: { always: true } },
  "the client": {
    clients: [{ client_id: "public", redirect_uris: [redirectUri], require_second_factor: true }],
  },
};

for (const [who, policy] of Object.entries(policies)) {
  test(`second factor: if ${who} requires it, a person without one is refused, and the others say acr unasked`, () =>
    inWorld({ ...options, ...policy }, async (world) => {
      const browser = createBrowser(world);
      const page = await signIn(world, "carol", {}, browser);
      const consent = await browser.submit(page, { code: appCode(world.clock.now) });
      const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
      assertEquals(claims["acr"], "mfa");
      const refused = await signIn(world, "erin");
      assertEquals(new URL(refused.leftFor!).searchParams.get("error"), "access_denied");
      assertEquals(world.lastRefusal()?.reason, "second_factor_missing");
    }));
}

test("second factor: the first configured value is the acr of a request that names none (RFC 9470 §5)", () =>
  inWorld({ ...options, secondFactorPolicy: { always: true, acrValues: ["gold", "mfa"] } }, async (world) => {
    const browser = createBrowser(world);
    const page = await signIn(world, "carol", {}, browser);
    const consent = await browser.submit(page, { code: appCode(world.clock.now) });
    const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
    assertEquals(claims["acr"], "gold");
  }));

it("second factor: an essential acr that the person cannot meet is refused (unmet_authentication_requirements §1)", async ({ world }) => {
  const claims = (acr: object) => ({ claims: JSON.stringify({ id_token: { acr } }) });
  const unmet = await signIn(world, "erin", claims({ essential: true, value: "mfa" }));
  assertEquals(new URL(unmet.leftFor!).searchParams.get("error"), "unmet_authentication_requirements");
  assertEquals(world.lastRefusal()?.reason, "acr_unmet_by_person");
  const either = await signIn(world, "erin", claims({ essential: true, values: ["mfa", "silver"] }));
  assertEquals(either.status, 200);
  assertEquals(
    await errorOf(world, claims({ essential: true, value: "gold" })),
    "unmet_authentication_requirements",
  );
});

it("second factor: an acr that a sign-in does not satisfy is in no token (RFC 9470 §5)", async ({ world, browser }) => {
  const consent = await signIn(world, "erin", { acr_values: "mfa silver" }, browser);
  const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
  assertEquals([claims["acr"], claims["amr"]], ["silver", undefined]);
});

it("second factor: metadata lists its acr after those of each sign-in (OpenID Connect Discovery §3)", async ({ world }) => {
  const metadata = await (await world.get("/.well-known/openid-configuration")).json();
  assertEquals(metadata.acr_values_supported, ["silver", "mfa", mfa]);
});

test("second factor: metadata does not list its acr if no person has one", () =>
  inWorld({ ...options, people: [{ username: "erin" }] }, async (world) => {
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.acr_values_supported, ["silver"]);
  }));

test("second factor: metadata lists its acr also if only the last person has one", () =>
  inWorld({ ...options, people: people.toReversed() }, async (world) => {
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.acr_values_supported, ["silver", "mfa", mfa]);
  }));

test("second factor: an acr of each sign-in is none of the factor (OpenID Connect Core §3.1.2.1)", () =>
  inWorld({ ...options, acrValues: ["mfa"] }, async (world) => {
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.acr_values_supported, ["mfa", mfa]);
    const browser = createBrowser(world);
    const consent = await signIn(world, "carol", { acr_values: "mfa" }, browser);
    const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
    assertEquals([claims["acr"], claims["amr"]], ["mfa", undefined]);
  }));

/** What a person may type in place of the code, the message, and the reason. */
const wrong:
  readonly (readonly [name: string, change: (code: string) => string, problem: RegExp, reason: string])[] = [
    ["nothing", () => "", /enter the code/, "second_factor_code_missing"],
    ["spaces", () => "  ", /enter the code/, "second_factor_code_missing"],
    ["five digits", (code) => code.slice(1), /six digits/, "second_factor_code_malformed"],
    ["seven digits", (code) => `${code}0`, /six digits/, "second_factor_code_malformed"],
    ["a letter", (code) => `${code.slice(1)}o`, /six digits/, "second_factor_code_malformed"],
    [
      "another code",
      (code) => code.replace(/./, (digit) => `${(Number(digit) + 1) % 10}`),
      // The clock of this test is turned, so the app has no better one.
      /^That is not a code by the clock of this server\.$/,
      "second_factor_code_wrong",
    ],
  ];

it("second factor: a wrong code is a sentence at the field, and can be corrected", async ({ world, browser }) => {
  let page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  for (const [name, change, problem, reason] of wrong) {
    page = await browser.submit(page, { code: change(appCode(world.clock.now)) });
    assertEquals([page.status, page.leftFor], [400, undefined], name);
    assertMatch(textOf(byId(readHtml(page.html), "problem")), problem, name);
    assertEquals(world.lastRefusal()?.reason, reason, name);
    assertEquals(byId(readHtml(page.html), "code").attributes.get("aria-invalid"), "true");
  }
  assertEquals(asksForCode(await browser.submit(page, { code: appCode(world.clock.now) })), false);
});

const fullWidth = (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

const right: readonly (readonly [name: string, write: (now: number) => string])[] = [
  ["spaces", (now) => ` ${appCode(now).slice(0, 3)} ${appCode(now).slice(3)}\u00a0`],
  ["a dash", (now) => `${appCode(now).slice(0, 3)}-${appCode(now).slice(3)}`],
  ["invisible spaces", (now) => `\u200b${appCode(now).slice(0, 3)}\u200b${appCode(now).slice(3)}`],
  ["full-width digits", (now) => fullWidth(appCode(now))],
  ["the code before", (now) => appCode(now, -1)],
  ["the code after", (now) => appCode(now, 1)],
];

for (const [name, write] of right) {
  it(`second factor: ${name} works (RFC 6238 §5.2)`, async ({ world, browser }) => {
    const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
    assertEquals(asksForCode(await browser.submit(page, { code: write(world.clock.now) })), false);
  });
}

for (const steps of [-2, 2]) {
  it(`second factor: the code ${steps} steps away does not work (RFC 6238 §5.2)`, async ({ world, browser }) => {
    const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
    await browser.submit(page, { code: appCode(world.clock.now, steps) });
    assertEquals(world.lastRefusal()?.reason, "second_factor_code_wrong");
  });
}

it("second factor: a code works once, also later and at another browser (RFC 6238 §5.2)", async ({ world }) => {
  const code = appCode(world.clock.now);
  const [first, second] = [createBrowser(world), createBrowser(world)];
  const pages = [
    await signIn(world, "carol", { acr_values: "mfa" }, first),
    await signIn(world, "carol", { acr_values: "mfa" }, second),
  ];
  assertEquals(asksForCode(await first.submit(pages[0]!, { code })), false);
  for (const later of [0, 30]) {
    world.clock.advance(later);
    const page = await second.submit(pages[1]!, { code });
    assertMatch(textOf(byId(readHtml(page.html), "problem")), /has been used/);
    assertEquals(world.lastRefusal()?.reason, "second_factor_code_used");
  }
});

it("second factor: after too many wrong codes the right one waits, for this address only (RFC 4226 §7.3)", async ({ world, browser }) => {
  const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  for (let attempt = 0; attempt < 20; attempt++) {
    await browser.submit(page, { code: appCode(world.clock.now, 9) });
  }
  const code = appCode(world.clock.now);
  const refused = await browser.submit(page, { code });
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "60"]);
  const there = createBrowser({ ...world, fetch: (request) => world.fetch(request, { peer: "192.0.2.9" }) });
  const page2 = await signIn(world, "carol", { acr_values: "mfa" }, there);
  assertEquals(asksForCode(await there.submit(page2, { code })), false);
  assertMatch(textOf(byId(readHtml(refused.html), "problem")), /Please wait 60 seconds/);
  world.clock.advance(60);
  assertEquals(asksForCode(await browser.submit(page, { code: appCode(world.clock.now) })), false);
});

test("second factor: two people with one secret each use the code of the moment (RFC 6238 §5.2)", () =>
  inWorld({ ...options, people: [people[0]!, { ...people[0]!, username: "frank" }] }, async (world) => {
    const code = appCode(world.clock.now);
    for (const person of ["carol", "frank"]) {
      const browser = createBrowser(world);
      const page = await signIn(world, person, { acr_values: "mfa" }, browser);
      assertEquals(asksForCode(await browser.submit(page, { code })), false, person);
    }
  }));

test("second factor: wrong codes for one person make no other person of the address wait (RFC 4226 §7.3)", () =>
  inWorld({ ...options, people: [people[0]!, { ...people[0]!, username: "frank" }] }, async (world) => {
    const browser = createBrowser(world);
    const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
    for (let attempt = 0; attempt < 20; attempt++) {
      await browser.submit(page, { code: appCode(world.clock.now, 9) });
    }
    assertEquals((await browser.submit(page, { code: appCode(world.clock.now) })).status, 429);
    const other = createBrowser(world);
    const next = await signIn(world, "frank", { acr_values: "mfa" }, other);
    assertEquals(asksForCode(await other.submit(next, { code: appCode(world.clock.now) })), false);
  }));

test("second factor: a right code ends the count of wrong ones (RFC 4226 §7.3)", () => {
  const frank = { username: "frank", sub: "subject-of-f", secondFactor: { kind: "totp", secret } } as const;
  return inWorld({ ...options, people: [frank] }, async (world) => {
    for (const time of ["first", "second"]) {
      const browser = createBrowser(world);
      const page = await signIn(world, "frank", { acr_values: "mfa" }, browser);
      for (let attempt = 0; attempt < 19; attempt++) {
        await browser.submit(page, { code: appCode(world.clock.now, 9) });
      }
      const code = appCode(world.clock.now, time === "first" ? 0 : 1);
      assertEquals(asksForCode(await browser.submit(page, { code })), false, time);
    }
  });
});

it("second factor: a person who has signed out meanwhile signs in again", async ({ world, browser }) => {
  const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  for (const name of [...browser.cookies.keys()]) if (name.includes("session")) browser.cookies.delete(name);
  const next = await browser.submit(page, { code: appCode(world.clock.now) });
  assert(findById(readHtml(next.html), "pick-heading") !== undefined);
});

it("second factor: Deny sends the person back (OAuth 2.1 §4.1.2.1)", async ({ world, browser }) => {
  const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  const denied = await browser.submit(page, { decision: "deny" });
  assertEquals(new URL(denied.leftFor!).searchParams.get("error"), "access_denied");
});

it("second factor: a refresh keeps acr, amr and auth_time (OpenID Connect Core §12.2)", async ({ world, browser }) => {
  const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  const consent = await browser.submit(page, { code: appCode(world.clock.now) });
  const answer = await browser.submit(consent, { decision: "approve" });
  const code = new URL(answer.leftFor!).searchParams.get("code")!;
  const first = await (await world.redeem(code)).json();
  const form = { grant_type: "refresh_token", client_id: "public", refresh_token: first.refresh_token };
  const second = await (await world.post("/oauth2/token", form)).json();
  const { decodeJwt } = await import("jose");
  const pick = ({ acr, amr, auth_time }: Record<string, unknown>) => ({ acr, amr, auth_time });
  assertEquals(pick(decodeJwt(second.access_token)), pick(decodeJwt(first.access_token)));
  assertEquals(decodeJwt(second.access_token)["acr"], "mfa");
});

const mistakes: readonly (readonly [options: object, message: string])[] = [
  [
    { people: [{ username: "a", secondFactor: { kind: "totp", secret: "not base32!" } }] },
    "people[0].secondFactor.secret must be base32",
  ],
  [
    { people: [{ username: "a" }, { username: "b", secondFactor: { kind: "totp", secret: "MZXW6YTB" } }] },
    "people[1].secondFactor.secret must have at least 16 octets",
  ],
  [{ people: [{ username: "a", secondFactor: "sms" }] }, "people[0].secondFactor"],
  [{ people: [{ username: "a", secondFactor: { secret } }] }, "people[0].secondFactor"],
  ...["mfa", "otp", "totp", "two_factor"].map((name): readonly [object, string] => [
    { people: [{ username: "a", [name]: "code" }] },
    `people[0].${name} is not known: did you mean secondFactor?`,
  ]),
  [{ secondFactorPolicy: { acrValues: [1] } }, "secondFactorPolicy.acrValues[0] must be"],
  [{ secondFactorPolicy: { mode: "always" } }, "secondFactorPolicy.mode is not known"],
  [
    { secondFactorPolicy: { acrValues: ["a b"] } },
    "secondFactorPolicy.acrValues[0] must be printable ASCII without a space",
  ],
  [
    { acrValues: ["mfa"], secondFactorPolicy: { acrValues: ["mfa"] } },
    "secondFactorPolicy.acrValues[0] must not be one of acrValues",
  ],
];

for (const [given, message] of mistakes) {
  test(`second factor: ${JSON.stringify(given)} is a set-up error`, async () => {
    await assertCannotCreate(() => createWorld(given), message);
  });
}

test("second factor: a secret of 16 octets is long enough (RFC 4226 §4)", () =>
  inWorld({
    ...options,
    people: [{ username: "a", secondFactor: { kind: "totp", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY" } }],
  }, async (world) => {
    assertEquals((await world.authorize()).status, 200);
  }));

test("second factor: the mark of a used code stays for a server whose clock is two minutes behind (RFC 6238 §5.2)", async () => {
  const store = memoryStore();
  const marks: number[] = [];
  const watched: typeof store = {
    ...store,
    put(kind, id, value, terms) {
      if (kind.name === "once") marks.push(terms.expiresAt);
      return store.put(kind, id, value, terms);
    },
  };
  await using world = createWorld({ ...options, store: watched });
  const browser = createBrowser(world);
  const page = await signIn(world, "carol", { acr_values: "mfa" }, browser);
  marks.length = 0;
  await browser.submit(page, { code: appCode(world.clock.now, 1) });
  // Each server accepts the code until the step after its own has ended.
  assertEquals(marks, [(Math.floor(world.clock.now / 30) + 3) * 30 + 120]);
});

test("second factor: of two servers with one store, one accepts a code (RFC 6238 §5.2)", async () => {
  const store = memoryStore();
  const clock = createClock();
  await using one = createWorld({ ...options, store, clock });
  await using other = createWorld({ ...options, store, clock });
  const started = await Promise.all([one, other].map(async (world) => {
    const browser = createBrowser(world);
    return { browser, page: await signIn(world, "carol", { acr_values: "mfa" }, browser) };
  }));
  const code = appCode(clock.now);
  const answers = await Promise.all(started.map(({ browser, page }) => browser.submit(page, { code })));
  assertEquals(answers.map(({ status }) => status).toSorted(), [200, 400]);
});

const carol = { username: "carol", secondFactor: { kind: "totp", secret } } as const;

const reasons: readonly (readonly [reason: string, options: object, params: Record<string, string>])[] = [
  ["acr_values", {}, { acr_values: "mfa" }],
  ["claims", {}, { claims: JSON.stringify({ id_token: { acr: { value: "mfa" } } }) }],
  ["person", { people: [{ ...carol, secondFactor: { ...carol.secondFactor, always: true } }] }, {}],
  ["policy", { secondFactorPolicy: { always: true } }, { acr_values: "mfa" }],
  [
    "client",
    { clients: [{ client_id: "public", redirect_uris: [redirectUri], require_second_factor: true }] },
    {},
  ],
];

for (const [reason, changed, params] of reasons) {
  test(`second factor: the journal says who wants it: ${reason}`, () =>
    inWorld({ login: "picker", people: [carol], ...changed }, async (world) => {
      const page = await signIn(world, "carol", params);
      assert(asksForCode(page));
      assertEquals(world.journal.at(-1)?.facts.more, { second_factor: { wantedBy: reason } });
    }));
}
