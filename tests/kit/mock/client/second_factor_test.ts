/** The second factor in the test kit: logins with it, the codes, authenticator apps, and pages that show a code. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type Mock, Refused } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { authorizeUrl } from "../authorize_url.ts";

const it = testUsing(() => createMock({ alg: "ES256" }));

const factorsOf = ({ access_token }: { readonly access_token: string }) => {
  const { acr, amr } = decodeJwt(access_token);
  return { acr, amr };
};

const strong = { acr: "mfa", amr: ["otp", "mfa"] };
const weak = { acr: undefined, amr: undefined };
const params = { acr_values: "mfa" };

it("login: `secondFactor: true` proves the second factor, also if the request needs none", async (as) => {
  assertEquals(factorsOf(await as.login("alice", { secondFactor: true })), strong);
  assertEquals(factorsOf(await as.login("alice")), weak);
  // Without a name, the default person signs in.
  assertEquals(factorsOf(await as.login(undefined, { secondFactor: true })), strong);
});

it("login: a request that needs the second factor gets it, and a session keeps it", async (as) => {
  const browser = as.browser();
  assertEquals(factorsOf(await as.login("alice", { params, browser })), strong);
  assertEquals(factorsOf(await as.login(undefined, { params, browser, prompt: "none" })), strong);
  // Proving it once more adds nothing.
  assertEquals(factorsOf(await as.login(undefined, { secondFactor: true, browser })), strong);
  assertEquals(factorsOf(await as.login("bob", { params })), strong);
});

it("login: a step-up in the browser of an earlier login keeps its auth_time (RFC 9470 §4)", async (as) => {
  const browser = as.browser();
  const first = await as.login("alice", { browser });
  as.clock.advance("10m");
  const second = await as.login(undefined, { browser, params });
  assertEquals(factorsOf(second), strong);
  assertEquals(decodeJwt(second.access_token)["auth_time"], decodeJwt(first.access_token)["auth_time"]);
});

async function reasonOf(login: Promise<unknown>): Promise<string | undefined> {
  return (await assertRejects(() => login, Refused)).reason;
}

it("login: with a wrong code, with none and for a person without a factor it is refused", async (as) => {
  const code = await as.codeOf("alice");
  const other = code.replace(/./, (digit) => `${(Number(digit) + 1) % 10}`);
  assertEquals(await reasonOf(as.login("alice", { secondFactor: other })), "second_factor_code_wrong");
  assertEquals(await reasonOf(as.login("alice", { secondFactor: "12345" })), "second_factor_code_malformed");
  assertEquals(await reasonOf(as.login("alice", { secondFactor: false, params })), "second_factor_withheld");
  assertEquals(factorsOf(await as.login("alice", { secondFactor: false })), weak);
  assertEquals(factorsOf(await as.login("alice", { secondFactor: code })), strong);
  as.people.add({ username: "carol" });
  assertEquals(await reasonOf(as.login("carol", { secondFactor: true })), "second_factor_missing");
});

it("codeOf: each code works once: on a frozen clock there are two, and then the clock must advance", async (as) => {
  const first = await as.codeOf("alice");
  assertEquals(await as.codeOf("alice"), first);
  await as.login("alice", { secondFactor: first });
  const second = await as.codeOf("alice");
  assert(second !== first);
  assertEquals(await reasonOf(as.login("alice", { secondFactor: first })), "second_factor_code_used");
  await as.login("alice", { secondFactor: second });
  const now = as.clock.now;
  const wait = 30 - Math.floor(now) % 30;
  await assertRejects(() => as.codeOf("alice"), TypeError, `Advance the clock by ${wait} s`);
  assertEquals(factorsOf(await as.login("alice", { secondFactor: true })), strong);
  as.clock.advance(wait);
  assert(![first, second].includes(await as.codeOf("alice")));
});

it("codeOf, authenticatorOf: a person without the factor is an error that says what to do", async (as) => {
  as.people.add({ username: "carol" });
  for (const call of [as.codeOf, as.authenticatorOf]) {
    await assertRejects(
      () => call("carol"),
      TypeError,
      'as.people.change("carol", { secondFactor: "totp" })',
    );
    await assertRejects(() => call("nobody"), TypeError, "There is no person nobody");
  }
  await assertRejects(() => as.authenticatorOf("bob"), TypeError, "take the code by codeOf");
});

test("authenticatorOf: gives the configured secret, or one of this server, as apps read it", async () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const people = [
    { username: "carol ä", sub: "carol", secondFactor: { kind: "totp", secret: secret.toLowerCase() } },
    { username: "dave", secondFactor: "totp" },
    { username: "erin", secondFactor: "totp" },
  ] as const;
  await using as = await createMock({ alg: "ES256", issuer: "http://localhost:9123", people });
  const { qrCode, ...carol } = await as.authenticatorOf("carol ä");
  assert(qrCode?.startsWith("<svg "));
  assertEquals(carol, {
    secret,
    uri: `otpauth://totp/localhost%209123:carol%20%C3%A4?secret=${secret}&issuer=localhost%209123`,
  });
  const [dave, erin] = [await as.authenticatorOf("dave"), await as.authenticatorOf("erin")];
  assertEquals([dave.secret.length, erin.secret.length], [32, 32]);
  assert(dave.secret !== erin.secret);
});

/** Reads a link as pyotp 2.9 does, which demands one issuer at both places, and as the format says (Key Uri Format). */
function readLink(link: string): { readonly issuer: string; readonly account: string } {
  const { pathname, searchParams } = new URL(link.replace("otpauth:", "http:"));
  const [, label = ""] = /^\/(.*)$/.exec(pathname)!;
  const [issuer = "", account = "", ...more] = decodeURIComponent(label).split(":");
  assertEquals([more, searchParams.get("issuer")], [[], issuer], `${link} has one colon, and one issuer`);
  return { issuer, account };
}

test("authenticatorOf: no part of the label has a colon, for any issuer and username (Key Uri Format)", async () => {
  const rows = [
    ["http://localhost:9000", "carol", "localhost 9000", "carol"],
    ["http://127.0.0.1:56201/tenant", "urn:user:7", "127.0.0.1 56201", "urn user 7"],
    ["http://[::1]:9000", "::", "[ 1] 9000", " "],
    ["https://login.example", "a%3Ab/?#&", "login.example", "a%3Ab/?#&"],
  ] as const;
  for (const [issuer, username, shownIssuer, account] of rows) {
    await using as = await createMock({ alg: "ES256", issuer, people: [{ username, secondFactor: "totp" }] });
    const { uri } = await as.authenticatorOf(username);
    assertEquals(readLink(uri), { issuer: shownIssuer, account });
  }
});

test("authenticatorOf: a secret that ends within a letter is shown as it was configured (RFC 4648 §6)", async () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY";
  const people = [{ username: "carol", secondFactor: { kind: "totp" as const, secret } }];
  await using as = await createMock({ alg: "ES256", people });
  assertEquals((await as.authenticatorOf("carol")).secret, secret);
});

test("login: a client that requires the second factor gets it at each login", async () => {
  const client = { client_id: "bank", redirect_uris: ["https://bank.test/cb"], require_second_factor: true };
  await using as = await createMock({ alg: "ES256", clients: [client] });
  assertEquals(factorsOf(await as.login("alice")), strong);
  assertEquals(await reasonOf(as.login("alice", { secondFactor: false })), "second_factor_withheld");
});

/** Returns the page on which alice, or another person, types the code. */
async function openCodePage(
  as: Mock,
  headers: Record<string, string>,
  person = "alice",
): Promise<string> {
  const start = authorizeUrl(as.issuer, params);
  const page = await as.fetch(start.href, { headers: { accept: "text/html", ...headers } });
  const html = await page.text();
  const request = /name="request" value="([^"]*)"/.exec(html)![1]!;
  const cookie = page.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
  const body = new URLSearchParams({ request, person });
  const post = await as.fetch(new URL("/oauth2/sign_in", start), {
    method: "POST",
    headers: { cookie, ...headers },
    body,
    redirect: "manual",
  });
  const cookies = [cookie, ...post.headers.getSetCookie().map((each) => each.split(";")[0])].join("; ");
  const next = new URL(post.headers.get("location")!, start);
  return await (await as.fetch(next, { headers: { accept: "text/html", cookie: cookies, ...headers } }))
    .text();
}

it("second factor: while the clock is turned by more than a step, the page says that an app on a phone shows other codes", async (as) => {
  const says = async (person: string) => (await openCodePage(as, {}, person)).includes('id="turned-clock"');
  assertEquals(await says("alice"), false);
  as.clock.freeze();
  for (const [seconds, isSaid] of [[10, false], [90, true], [-40, true], [-10, false]] as const) {
    as.clock.set(new Date(Date.now() + seconds * 1000));
    // bob has a code that the server gives.
    assertEquals([await says("alice"), await says("bob")], [isSaid, false], `${seconds} s`);
  }
  for (
    const [seconds, said] of [[7230, /is 2 h( 30 s)? ahead of/], [
      -7230,
      /is 2 h( 30 s| 29 s)? behind/,
    ]] as const
  ) {
    as.clock.set(new Date(Date.now() + seconds * 1000));
    assertMatch((await openCodePage(as, {})).replace(/<[^>]+>/g, ""), said);
  }
});

const forwarded = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

test("second factor: a page shows the code of a demo person on loopback, and to no proxy", async () => {
  await using as = await createMock({ alg: "ES256", issuer: "http://localhost:9123" });
  const html = await openCodePage(as, {});
  assert(html.includes(`<code>${await as.codeOf("alice")}</code>`), html);
  assert((await openCodePage(as, {}, "bob")).includes(await as.codeOf("bob")));
  for (const name of forwarded) {
    const page = await openCodePage(as, { [name]: "for=203.0.113.9" });
    assert(page.includes('id="code"'));
    assert(!page.includes(await as.codeOf("alice")), name);
  }
});

const hidden: Readonly<Record<string, Parameters<typeof createMock>[0]>> = {
  "at an issuer that is not on loopback": { issuer: "https://as.test" },
  "with another name of the server": {
    issuer: "http://localhost:9123",
    also: ["https://as.example"],
    exposeDemo: true,
  },
  "of a person who is no demo person": {
    issuer: "http://localhost:9123",
    people: [{ username: "alice", secondFactor: "totp" }],
  },
};

for (const [name, options] of Object.entries(hidden)) {
  test(`second factor: no page, timeline and journal has the code ${name}`, async () => {
    await using as = await createMock({ alg: "ES256", ...options });
    const page = await openCodePage(as, {});
    const code = await as.codeOf("alice");
    assert(page.includes('id="code"'));
    assert(!page.includes(code));
    assert(!as.timeline("jsonl").includes(code));
  });
}

it("second factor: neither timeline nor journal has a code or a secret", async (as) => {
  const code = await as.codeOf("alice");
  await as.login("alice", { secondFactor: code });
  const { secret } = await as.authenticatorOf("alice");
  const next = await as.codeOf("alice");
  for (
    const text of [
      as.timeline("text"),
      as.timeline("har"),
      JSON.stringify(as.requests.toArray()),
      as.explain() ?? "",
    ]
  ) {
    for (const each of [code, next, secret]) assert(!text.includes(each));
  }
});
