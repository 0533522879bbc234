/** Device logins as the person sees them: the code, the questions and the end (RFC 8628 §3.3, §5.1, §5.4, §6.1). */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore } from "../../../src/mod.ts";
import { throttleId, throttles } from "../../../src/server/oauth/secrets/throttle.ts";
import { attribute, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createBrowser, createWorld, inWorld, type Page, type World } from "../../world.ts";
import { payment, types } from "./authorization_details.ts";
import {
  answer,
  begin,
  deviceClients,
  deviceOptions,
  openConsent,
  poll,
  pollFor,
  typeCode,
} from "./device_login.ts";

const pending = "400 authorization_pending device_login_pending";
const crossSite = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

function textById({ html }: Page, id: string): string | undefined {
  const element = findById(readHtml(html), id);
  return element && textOf(element);
}

async function codeOf(world: World): Promise<string> {
  return (await begin(world)).user_code;
}

/** A code that no login has. */
function wrongCode(right: string, number = 0): string {
  const letters = "BCDFGHJKLM";
  const wrong = `${letters[number % 10]}${letters[Math.floor(number / 10) % 10]}BBBBBB`;
  return wrong === right.replace("-", "") ? "ZZZZZZZZ" : wrong;
}

const it = testInWorld(deviceOptions);

it("device pages: the consent page shows client, scopes, code and warning, also after the complete address (RFC 8628 §3.3.1, §5.4)", async (world) => {
  const codes = await begin(world, { scope: "openid read" });
  for (const address of [codes.verification_uri, codes.verification_uri_complete]) {
    const browser = createBrowser(world);
    const form = await browser.open(address);
    const signIn = await browser.submit(form, { user_code: codes.user_code });
    assertStringIncludes(signIn.html, "Television");
    const consent = await browser.submit(signIn, { person: "alice" });
    assertStringIncludes(consent.html, "Television");
    assertEquals(textById(consent, "user-code"), codes.user_code);
    assertStringIncludes(
      textById(consent, "device-warning")!,
      "only if you started this on your own device",
    );
    assertStringIncludes(textById(consent, "scopes")!, "read");
  }
  assertEquals(await pollFor(world, codes), pending);
});

test("device pages: the complete address fills in the code, and approves nothing (RFC 8628 §3.3.1)", () =>
  inWorld({ ...deviceOptions, login: "auto" }, async (world) => {
    const codes = await begin(world);
    const browser = createBrowser(world);
    const page = await browser.open(codes.verification_uri_complete);
    assertStringIncludes(page.html, `value="${codes.user_code}"`);
    await browser.open(codes.verification_uri_complete);
    assertEquals(await pollFor(world, codes), pending);
    for (const text of ["<b>shouting</b>", "CALL ME AT 555", "BBBB", "CALL-MEEE", "12345678"]) {
      const other = await world.get(`/device?user_code=${encodeURIComponent(text)}`);
      assertEquals(/name="user_code"[^>]*\svalue=/.test(await other.text()), false, text);
    }
  }));

it("device pages: a page of another site fills in no code", async (world) => {
  const codes = await begin(world);
  const link = await world.get(`/oauth2/device_verification?user_code=${codes.user_code}`, crossSite);
  assertEquals(link.status, 200);
  assert(!(await link.text()).includes(codes.user_code));
});

it("device pages: a form with two codes is refused (RFC 6749 §3.1)", async (world) => {
  const user_code = [wrongCode(await codeOf(world)), await codeOf(world)];
  const response = await world.post("/oauth2/device_verification", { user_code });
  assertEquals([response.status, world.lastRefusal()?.reason], [400, "repeated_parameter"]);
});

it("device pages: a form of another site is refused, and counts no wrong code (RFC 9700 §4.7)", async (world) => {
  const codes = await begin(world);
  const headers = { origin: "https://evil.example", ...crossSite };
  for (let sent = 0; sent < 11; sent++) {
    const response = await world.post("/oauth2/device_verification", { user_code: "BBBBBBBB" }, headers);
    assertEquals([response.status, world.lastRefusal()?.reason], [403, "form_from_another_site"]);
  }
  assertEquals((await answer(world, codes)).status, 200);
  assertEquals(await pollFor(world, codes), "tokens");
});

test("device pages: where browsers do not name the site, a form needs the cookie of the page (RFC 9700 §4.7)", () =>
  inWorld({ ...deviceOptions, issuer: "http://as.test", allowPrivateHttp: true }, async (world) => {
    const codes = await begin(world);
    const hidden = { origin: "null" };
    const foreign = await world.post("/oauth2/device_verification", { user_code: codes.user_code }, hidden);
    assertEquals([foreign.status, world.lastRefusal()?.reason], [403, "code_form_not_ours"]);
    const own = await typeCode(createBrowser(world), codes.user_code, hidden);
    assertStringIncludes(own.html, "/oauth2/sign_in");
  }));

test("device pages: a page of another site cannot begin a device login (RFC 8628 §5.4)", () =>
  inWorld({ ...deviceOptions, issuer: "http://localhost:9000" }, async (world) => {
    const send = async (origin: string) => {
      const headers = { origin };
      const response = await world.post("/oauth2/device_authorization", { client_id: "tv" }, headers);
      assertEquals(response.headers.get("access-control-allow-origin"), null);
      return [response.status, world.lastRefusal()?.reason];
    };
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.dev"]) {
      assertEquals(await send(origin), [403, "device_login_from_foreign_origin"]);
    }
    assertEquals(await send("http://localhost:3000"), [200, undefined]);
  }));

it("device pages: case, dashes and spaces of the code are ignored (RFC 8628 §6.1)", async (world) => {
  const code = (await codeOf(world)).replace("-", "");
  const typed = [
    code.toLowerCase(),
    ` ${code.slice(0, 2)} ${code.slice(2)} `,
    [...code].join("-"),
    `${code.slice(0, 4)}\u2013${code.slice(4)}`,
  ];
  for (const each of typed) {
    const page = await typeCode(createBrowser(world), each);
    assertStringIncludes(page.html, "/oauth2/sign_in");
  }
});

test("device pages: below the path of an issuer, all addresses lead to its pages", () =>
  inWorld({ ...deviceOptions, issuer: "https://as.test/tenant/1" }, async (world) => {
    const codes = await begin(world);
    assertEquals(codes.verification_uri, "https://as.test/tenant/1/device");
    const browser = createBrowser(world);
    const form = await browser.open(codes.verification_uri);
    const signIn = await browser.submit(form, { user_code: codes.user_code });
    const consent = await browser.submit(signIn, { person: "alice" });
    assertEquals((await browser.submit(consent, { decision: "approve" })).status, 200);
    assertEquals(await pollFor(world, codes), "tokens");
  }));

it("device pages: a wrong, an empty and an expired code are explained on the form", async (world) => {
  const code = await codeOf(world);
  const attempt = async (typed: string) => {
    const page = await typeCode(createBrowser(world), typed);
    assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
    return `${page.status} ${world.lastRefusal()?.reason} ${textById(page, "problem")}`;
  };
  assertEquals(
    await attempt(wrongCode(code)),
    "400 user_code_wrong No device waits with this code. Please check each letter.",
  );
  assertEquals(await attempt(""), "400 user_code_missing Please enter the code.");
  world.clock.advance(600);
  assertEquals(
    await attempt(code),
    "400 user_code_expired This code has expired. Please start again on your device.",
  );
  // The entry stands in the login of the device.
  assertEquals(world.journal.at(-1)!.facts.flow, world.journal[0]!.facts.flow);
  assert(world.journal[0]!.facts.flow !== undefined);
});

it("device pages: an approval after the code has expired is refused (RFC 8628 §3.5)", async (world) => {
  const codes = await begin(world);
  const browser = createBrowser(world);
  const consent = await openConsent(browser, codes);
  world.clock.advance(600);
  const end = await browser.submit(consent, { decision: "approve" });
  assertEquals([end.status, world.lastRefusal()?.reason], [400, "device_login_expired"]);
  assertEquals(await pollFor(world, codes), "400 expired_token device_code_expired");
});

test("device pages: neither automatic sign-in, nor a session, nor remembered consent approves a device (RFC 8628 §5.4)", () =>
  inWorld({
    ...deviceOptions,
    login: "auto",
    clients: deviceClients.map((client) => ({ ...client, remember_consent: true })),
  }, async (world) => {
    const browser = createBrowser(world);
    const first = await begin(world);
    await answer(world, first, "approve", browser);
    assertEquals(await pollFor(world, first), "tokens");
    // Alice is signed in and has consented to the same client and scope.
    const codes = await begin(world);
    const consent = await typeCode(browser, codes.user_code);
    assertEquals(textById(consent, "user-code"), codes.user_code);
    assertEquals(await pollFor(world, codes), pending);
    await browser.submit(consent, { decision: "approve" });
    assertEquals(await pollFor(world, codes), "tokens");
  }));

it("device pages: a denied or approved login cannot be answered again", async (world) => {
  const browser = createBrowser(world);
  const cases = [["deny", "approve", "already_denied"], ["approve", "deny", "already_approved"]] as const;
  for (const [decision, other, reason] of cases) {
    const codes = await begin(world);
    const consent = await openConsent(browser, codes);
    assertEquals((await browser.submit(consent, { decision })).status, 200);
    const again = await browser.submit(consent, { decision: other });
    assertEquals([again.status, world.lastRefusal()?.reason], [409, reason]);
    assertEquals(findById(readHtml(again.html), "start-again"), undefined);
    const typed = await typeCode(browser, codes.user_code);
    assertEquals([typed.status, world.lastRefusal()?.reason], [409, reason]);
  }
});

it("device pages: a form with an error ends no login (RFC 8628 §3.3)", async (world) => {
  const browser = createBrowser(world);
  const codes = await begin(world, { scope: "read write" });
  const consent = await openConsent(browser, codes);
  const rows = [[{}, "no_scope_granted"], [{ scope: "admin" }, "scope_not_requested"]] as const;
  for (const [scope, reason] of rows) {
    const page = await browser.submit(consent, { scope_choice: "1", decision: "approve", ...scope });
    assertEquals([page.status, world.lastRefusal()?.reason], [400, reason]);
  }
  assertEquals(await pollFor(world, codes), pending);
  await browser.submit(consent, { decision: "approve" });
  assertEquals(await pollFor(world, codes), "tokens");
});

it("device pages: the sign-in page and the consent page can deny the login", async (world) => {
  const codes = await begin(world);
  const browser = createBrowser(world);
  const signIn = await typeCode(browser, codes.user_code);
  assertStringIncludes(signIn.html, "Deny gives the device no access.");
  const consent = await browser.submit(signIn, { person: "alice" });
  assertStringIncludes(consent.html, "Deny gives the device no access.");
  const end = await browser.submit(signIn, { decision: "deny" });
  assertEquals([end.status, textById(end, "outcome")], [
    200,
    "Television gets no access. Go back to your device if you want to start again.",
  ]);
  assertEquals(await pollFor(world, codes), "400 access_denied device_login_denied");
});

test("device pages: prompt=login and max_age ask for a new sign-in, and acr_values reach the ID token", () =>
  inWorld({ ...deviceOptions, acrValues: ["urn:example:gold"] }, async (world) => {
    for (const changed of [{ prompt: "login" }, { max_age: "0" }]) {
      const browser = createBrowser(world);
      await answer(world, await begin(world, { scope: "openid" }), "approve", browser);
      const codes = await begin(world, { scope: "openid", acr_values: "urn:example:gold", ...changed });
      const page = await typeCode(browser, codes.user_code);
      assertStringIncludes(page.html, "/oauth2/sign_in");
      const consent = await browser.submit(page, { person: "bob" });
      await browser.submit(consent, { decision: "approve" });
      const { id_token } = await (await poll(world, codes)).json();
      const claims = JSON.parse(atob(id_token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")));
      assertEquals([claims.sub, claims.acr], ["bob", "urn:example:gold"]);
    }
  }));

test("device pages: a login_hint of the device names the person on the sign-in page (OpenID Connect Core §3.1.2.1)", () => {
  const people = [{ username: "bob", password: "correct horse" }, { username: "zoe", password: "battery" }];
  return inWorld({ ...deviceOptions, people }, async (world) => {
    for (const username of ["bob", "zoe"]) {
      const { user_code } = await begin(world, { login_hint: username });
      const { html } = await typeCode(createBrowser(world), user_code);
      assertEquals(attribute(findById(readHtml(html), "username")!, "value"), username);
    }
  });
});

test("device pages: what a person leaves out is absent from the tokens (RFC 9396 §7)", () =>
  inWorld({ ...deviceOptions, authorizationDetails: types }, async (world) => {
    const browser = createBrowser(world);
    const details = JSON.stringify([payment("5.00"), payment("6.00")]);
    const codes = await begin(world, { authorization_details: details });
    const consent = await openConsent(browser, codes);
    const [first] = findAll(findById(readHtml(consent.html), "authorization_details")!, "input");
    await browser.submit(consent, {
      line_choice: "1",
      line: attribute(first!, "value")!,
      decision: "approve",
    });
    const { authorization_details: granted } = await (await poll(world, codes)).json();
    assertEquals(granted, [payment("5.00")]);
  }));

/** The status and the Retry-After of a code that the peer types. */
async function typeFrom(world: World, peer: string, code: string): Promise<string> {
  const request = new Request(`${world.issuer}/oauth2/device_verification`, {
    method: "POST",
    body: new URLSearchParams({ user_code: code }),
  });
  const response = await world.fetch(request, { peer });
  return `${response.status} ${response.headers.get("retry-after") ?? ""}`.trim();
}

test("device pages: after ten wrong codes, each code of a peer gets 429 for ten minutes, at every server (RFC 8628 §5.1)", async () => {
  const store = memoryStore();
  await using world = createWorld({ ...deviceOptions, store });
  await using other = createWorld({ ...deviceOptions, store, clock: world.clock });
  const code = await codeOf(world);
  // A right code is no wrong one, and does not end the count.
  for (let number = 0; number < 10; number++) {
    assertEquals(await typeFrom(world, "192.0.2.1", code), "303");
    assertEquals(
      await typeFrom(number % 2 === 0 ? world : other, "192.0.2.1", wrongCode(code, number)),
      "400",
    );
  }
  for (const each of [world, other]) {
    assertEquals(await typeFrom(each, "192.0.2.1", code), "429 600");
    assertEquals(each.lastRefusal()?.reason, "too_many_user_codes");
    assertEquals(await typeFrom(each, "192.0.2.1", wrongCode(code)), "429 600");
    assertEquals(await typeFrom(each, "192.0.2.2", code), "303");
  }
  world.clock.advance(600);
  const fresh = await codeOf(world);
  assertEquals(await typeFrom(world, "192.0.2.1", fresh), "303");
});

test("device pages: a right code that is looked up while the ten minutes end allows no more guesses (RFC 8628 §5.1)", async () => {
  const interrupted = interruptedStore("get", "user_code");
  await using world = createWorld({ ...deviceOptions, store: interrupted.store });
  assertEquals(await typeFrom(world, "192.0.2.1", wrongCode(await codeOf(world))), "400");
  world.clock.advance(599);
  const code = await codeOf(world);
  interrupted.meanwhile = () => world.clock.advance(1);
  assertEquals(await typeFrom(world, "192.0.2.1", code), "303");
  for (let number = 0; number < 10; number++) {
    assertEquals(await typeFrom(world, "192.0.2.1", wrongCode(code, number)), "400");
  }
  assertEquals(await typeFrom(world, "192.0.2.1", wrongCode(code)), "429 600");
});

it("device pages: simultaneous guesses do not exceed the limit (RFC 8628 §5.1)", async (world) => {
  const code = await codeOf(world);
  const guesses = Array.from(
    { length: 20 },
    (_, number) => typeFrom(world, "192.0.2.1", wrongCode(code, number)),
  );
  const answers = await Promise.all(guesses);
  assertEquals(answers.filter((each) => each === "400").length, 10);
  assertEquals(answers.filter((each) => each === "429 600").length, 10);
});

test("device pages: after 1,000 wrong codes in all, the first wrong code of a peer blocks it (RFC 8628 §5.1)", async () => {
  const store = memoryStore();
  await using world = createWorld({ ...deviceOptions, store });
  const code = await codeOf(world);
  const typeEach = async (typed: string, outcome: string, peers: readonly string[]) => {
    for (const peer of peers) assertEquals(await typeFrom(world, peer, typed), outcome, peer);
  };
  const peersIn = (network: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${network}.${at}`);
  const wrong = wrongCode(code);
  await typeEach(wrong, "400", peersIn("198.51.100", 2));
  // As if other peers had typed 988 wrong codes.
  const id = throttleId({ purpose: "user_code", account: "of all peers", peer: undefined });
  const { expiresAt, value } = (await store.get(throttles, id, world.clock.now))!;
  assertEquals(value.failures, 2);
  await store.put(throttles, id, { failures: 990 }, { expiresAt, now: world.clock.now });
  // Right codes count for no peer, and not in all.
  await typeEach(code, "303", peersIn("203.0.113", 11));
  await typeEach(wrong, "400", peersIn("192.0.3", 9));
  await typeEach(code, "303", ["192.0.3.0"]);
  await typeEach(wrong, "400", ["192.0.4.0"]);
  await typeEach(code, "303", peersIn("203.0.113", 2));
  await typeEach(code, "429 600", ["198.51.100.0"]);
  await typeEach(code, "303", ["192.0.2.1"]);
  await typeEach(wrong, "400", ["192.0.2.1"]);
  await typeEach(code, "429 600", ["192.0.2.1"]);
  world.clock.advance(600);
  await typeEach(await codeOf(world), "303", ["192.0.2.1"]);
});

it("device pages: a guess that cannot be counted in a crowd is not looked up (RFC 8628 §5.1)", async (world) => {
  const code = await codeOf(world);
  // All of them write the count of all peers, so some of them lose every attempt to write it.
  const guesses = Array.from(
    { length: 200 },
    (_, number) => typeFrom(world, `198.51.100.${number}`, number < 199 ? wrongCode(code, number) : code),
  );
  const answers = await Promise.all(guesses);
  const [first, last] = [answers[0], answers.at(-1)];
  assertEquals([first, last?.slice(0, 3)], ["400", "503"]);
  assertEquals(await typeFrom(world, "198.51.100.199", code), "303");
});
