/** The sign-up: which requests show its page, what it accepts, and who the new person is. */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createServer, memoryStore } from "../../../src/mod.ts";
import { testIn } from "../../test_in.ts";
import { begin, deviceOptions } from "./device_login.ts";
import {
  createBrowser,
  createWorld,
  encodeForm,
  inWorld,
  type Page,
  type Params,
  type World,
  type WorldOptions,
} from "../../world.ts";
import { assertCannotCreate, assertTokens } from "../oauth/refusals.ts";
import { attribute, byId, findById, readHtml, textOf } from "../pages/read_html.ts";
import { formType } from "../../security/site.ts";
import { test } from "../../runner.ts";

const people: NonNullable<WorldOptions["people"]> = [
  { username: "alice", claims: { name: "Alice", email: "Alice@example.com" } },
  { username: "bob" },
];
const withPassword = [{ username: "carol", password: "carol's password" }];
const options: WorldOptions = { login: "picker", people, signUp: true, growingPeople: "in memory" };

const it = testIn<[World]>((work) => inWorld(options, work));
const inHidden = testIn<[World]>((work) => inWorld({ ...options, frontPage: "issuer" }, work));
const inOpen = testIn<[World]>((work) => inWorld({ ...options, frontPage: "full" }, work));
const withPasswords = testIn<[World]>((work) => inWorld({ ...options, people: withPassword }, work));

const create = { prompt: "create", scope: "openid profile email" };

async function openForm(world: World, params: Params = {}, browser = createBrowser(world)) {
  const page = await browser.open(world.authorizeUrl({ ...create, ...params }));
  return { browser, page, send: (fields: Params) => browser.submit(page, fields) };
}

function has({ html }: Page, id: string): boolean {
  return findById(readHtml(html), id) !== undefined;
}

function textIn({ html }: Page, id: string): string {
  return textOf(byId(readHtml(html), id));
}

function valueOf({ html }: Page, id: string): string | undefined {
  return attribute(byId(readHtml(html), id), "value");
}

function errorOf({ leftFor }: Page): string | null {
  return new URL(leftFor!).searchParams.get("error");
}

async function claimsOf(world: World, { leftFor, html }: Page): Promise<Readonly<Record<string, unknown>>> {
  assert(leftFor !== undefined, html.slice(0, 300));
  const tokens = await assertTokens(await world.redeem(new URL(leftFor).searchParams.get("code")!));
  const { access_token, id_token } = tokens;
  const userinfo = await world.get("/userinfo", { authorization: `Bearer ${access_token}` });
  return { ...decodeJwt(`${id_token}`), ...await userinfo.json() };
}

it("sign-up: the page makes a person who is signed in, with the claims that were typed (Prompt Create §4.1)", async (world) => {
  const { browser, page, send } = await openForm(world);
  assertEquals([page.status, world.journal.at(-1)?.facts.question], [200, "sign_up"]);
  const consent = await send({
    username: " dave ",
    name: "Dave D.",
    email: "dave@example.com",
    password: "",
  });
  assertEquals(world.journal.find(({ facts }) => facts.subjectIsNew)?.request.path, "/oauth2/sign_up");
  const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
  assertEquals(
    [claims["name"], claims["email"], claims["email_verified"], claims["auth_time"], claims["amr"]],
    ["Dave D.", "dave@example.com", false, world.clock.now, undefined],
  );
  // The next person of this name must not get the tokens of this one.
  assertMatch(`${claims["sub"]}`, /^[\w-]{22}$/);
  const again = await browser.open(world.authorizeUrl({ scope: "openid", prompt: "none" }));
  assertEquals(errorOf(again), null);
});

withPasswords(
  "sign-up: a server whose people have passwords wants one, which signs in later (RFC 8176 §2)",
  async (world) => {
    const { page, send } = await openForm(world);
    const required = (id: string) => attribute(byId(readHtml(page.html), id), "required");
    assertEquals(["username", "name", "email", "password"].map(required), ["", undefined, undefined, ""]);
    assertMatch(textIn(page, "password-note"), /^Needed, because other people here have one\. At least 8/);
    assertMatch(
      textIn(await send({ username: "dave", password: "" }), "password-problem"),
      /choose a password/,
    );
    assert(has(await send({ username: "dave", password: "12345678" }), "approve"));
    const browser = createBrowser(world);
    const signIn = await browser.open(world.authorizeUrl({ scope: "openid" }));
    assert(has(await browser.submit(signIn, { username: "dave", password: "12345679" }), "problem"));
    const consent = await browser.submit(signIn, { username: "dave", password: "12345678" });
    const claims = await claimsOf(world, await browser.submit(consent, { decision: "approve" }));
    assertEquals(claims["amr"], ["pwd"]);
  },
);

const long = "x".repeat(256);
const right = { username: "dave", name: "Dave", email: "dave@example.com", password: "long enough" };

/** What the form has in place of the right text, the field that is marked, and its sentence. */
const mistakes: readonly (readonly [name: string, changed: Params, field: string, sentence: RegExp])[] = [
  ["no username", { username: "" }, "username", /choose a username/],
  ["spaces as username", { username: "  " }, "username", /choose a username/],
  ["no field username", { username: undefined }, "username", /choose a username/],
  ["a long username", { username: long }, "username", /255 visible/],
  ["a hidden character in the username", { username: "da\u200bve" }, "username", /255 visible/],
  ["a dot segment as username", { username: ".." }, "username", /not \. or \.\./],
  ["a long name", { name: long }, "name", /255 visible/],
  ["a line end in the name", { name: "Da\nve" }, "name", /255 visible/],
  ["an email without @", { email: "dave" }, "email", /not an email/],
  ["an email with a space", { email: "da ve@example.com" }, "email", /not an email/],
  ["an email with two @", { email: "da@ve@example.com" }, "email", /not an email/],
  ["an email with a hidden character", { email: "da\u200bve@example.com" }, "email", /not an email/],
  ["a long email", { email: `${long}@example.com` }, "email", /not an email/],
  ["a short password", { password: "1234567" }, "password", /at least 8 characters/],
];

for (const [name, changed, field, sentence] of mistakes) {
  it(`sign-up: with ${name}, the field says so, the others stay, and nothing is made`, async (world) => {
    const { browser, send } = await openForm(world);
    const sent = { ...right, ...changed };
    const again = await send(sent);
    assertEquals([again.status, world.lastRefusal()?.reason], [400, "sign_up_fields_unfit"]);
    assertMatch(textIn(again, `${field}-problem`), sentence);
    for (const other of ["username", "name", "email"].filter((each) => each !== field)) {
      assertEquals(valueOf(again, other), Reflect.get(right, other));
      assertFalse(has(again, `${other}-problem`));
    }
    assertEquals(valueOf(again, "password"), undefined);
    const input = byId(readHtml(again.html), field);
    assertEquals(attribute(input, "aria-invalid"), "true");
    assertMatch(attribute(input, "aria-describedby")!, new RegExp(`^${field}-problem`));
    assertFalse(JSON.stringify(world.lastRefusal()).includes("dave"));
    // Reload opens the page again, and the corrected form works.
    const reloaded = await browser.open(attribute(byId(readHtml(again.html), "problem"), "data-address")!);
    assert(has(await browser.submit(reloaded, right), "approve"));
  });
}

it("sign-up: a person without an email has no claim about one (OpenID Connect Core §5.1)", async (world) => {
  const { browser, send } = await openForm(world);
  const claims = await claimsOf(
    world,
    await browser.submit(await send({ username: "dave" }), { decision: "approve" }),
  );
  assertEquals([claims["preferred_username"], claims["email_verified"]], ["dave", undefined]);
});

it("sign-up: every mistake is marked at once, and the cursor is at the first", async (world) => {
  const again = await (await openForm(world)).send({ username: "dave", email: "x", password: "y" });
  assertEquals(["username", "name", "email", "password"].map((each) => has(again, `${each}-problem`)), [
    false,
    false,
    true,
    true,
  ]);
  assertEquals(attribute(byId(readHtml(again.html), "email"), "autofocus"), "");
  assertEquals(attribute(byId(readHtml(again.html), "username"), "autofocus"), undefined);
  assertEquals(world.lastRefusal()?.received, "email: malformed, password: short");
});

/** Texts that an existing person has, and the field that is marked where the front page lists the people. */
const taken: readonly (readonly [Params, "username" | "email"])[] = [
  [{ username: "alice" }, "username"],
  [{ username: "BOB" }, "username"],
  [{ username: "Alice@Example.com" }, "username"],
  [{ username: "dave", email: "ALICE@example.com" }, "email"],
];

for (const [fields, field] of taken) {
  const what = `${field} ${fields[field]}`;
  inOpen(`sign-up: where the front page lists the people, the ${what} is marked as taken`, async (world) => {
    const again = await (await openForm(world)).send(fields);
    assertEquals(world.lastRefusal()?.reason, "sign_up_taken");
    assertMatch(textIn(again, `${field}-problem`), /Another person has this/);
  });
  inHidden(`sign-up: elsewhere, one sentence refuses the ${what}, and no field is marked`, async (world) => {
    const again = await (await openForm(world)).send(fields);
    assertEquals([again.status, world.lastRefusal()?.reason], [400, "sign_up_taken"]);
    assertMatch(textIn(again, "problem"), /cannot be created with this username and this email/);
    assertFalse(has(again, "username-problem") || has(again, "email-problem"));
  });
}

/** Sends a form as a program does that has its cookies, from an address. */
function sendFrom(
  peer: string,
  { browser, page }: Pick<Awaited<ReturnType<typeof openForm>>, "browser" | "page">,
  fields: Params,
  world: World,
): Promise<Response> {
  const [, request = ""] = /name="request" value="([^"]*)"/.exec(page.html) ?? [];
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const body = encodeForm({ request, ...fields });
  const headers = { ...formType, cookie };
  return world.fetch(new Request(`${world.issuer}/oauth2/sign_up`, { method: "POST", headers, body }), {
    peer,
  });
}

test("sign-up: after 20 names that are taken, an address waits at each server on the store, and no other one does (RFC 6749 §10.10)", async () => {
  const store = memoryStore();
  await inWorld(
    { ...options, store },
    (first) =>
      inWorld({ ...options, store, clock: first.clock }, async (second) => {
        const form = await openForm(first);
        const send = (world: World, username: string, peer = "192.0.2.1") =>
          sendFrom(peer, form, { username }, world);
        for (let attempt = 0; attempt < 10; attempt++) {
          assertEquals((await send(first, "alice")).status, 400);
          assertEquals((await send(second, "bob")).status, 400);
        }
        const slowed = await send(first, "dave");
        assertEquals([slowed.status, slowed.headers.get("retry-after")], [429, "60"]);
        assertEquals(first.lastRefusal()?.reason, "sign_up_too_many");
        assertMatch(await slowed.text(), /wait 60 seconds/);
        assertEquals((await send(second, "dave")).status, 429);
        assertEquals((await send(first, "erin", "192.0.2.2")).status, 303);
        first.clock.advance(60);
        assertEquals((await send(first, "dave")).status, 303);
      }),
  );
});

it("sign-up: a new person ends the count of failures, and mistakes in a field are none", async (world) => {
  const { send } = await openForm(world);
  for (let round = 0; round < 2; round++) {
    for (let attempt = 0; attempt < 19; attempt++) {
      assertEquals((await send({ username: "alice" })).status, 400);
      assertEquals((await send({ username: "" })).status, 400);
    }
    const { send: sendAnother } = await openForm(world);
    assert(has(await sendAnother({ username: `dave ${round}` }), "approve"));
  }
});

const combinations: readonly (readonly [prompt: string, reason: string])[] = [
  ["create none", "prompt_none_with_others"],
  ["none create", "prompt_none_with_others"],
  ["create login", "prompt_create_with_others"],
  ["select_account create", "prompt_create_with_others"],
  ["Create", "prompt_unsupported"],
];

for (const [prompt, reason] of combinations) {
  it(`sign-up: prompt=${prompt} is refused (Prompt Create §4.1)`, async (world) => {
    const { page } = await openForm(world, { prompt });
    assertEquals([errorOf(page), world.lastRefusal()?.reason], ["invalid_request", reason]);
  });
}

it("sign-up: other prompts work as before, together, too", async (world) => {
  const { page } = await openForm(world, { prompt: "login select_account consent" });
  assertFalse(has(page, "sign-up"));
});

it("sign-up: a request for a person who exists is refused before any form (OpenID Connect Core §3.1.2.2)", async (world) => {
  const claims = JSON.stringify({ id_token: { sub: { value: "alice" } } });
  const { page } = await openForm(world, { claims });
  assertEquals([errorOf(page), world.lastRefusal()?.reason], ["invalid_request", "sign_up_for_known_person"]);
});

it("sign-up: login_hint fills in the username, or the email (OpenID Connect Core §3.1.2.1)", async (world) => {
  const { page: named } = await openForm(world, { login_hint: "dave" });
  assertEquals([valueOf(named, "username"), valueOf(named, "email")], ["dave", undefined]);
  const { page: mailed } = await openForm(world, { login_hint: "dave@example.com" });
  assertEquals([valueOf(mailed, "username"), valueOf(mailed, "email")], [undefined, "dave@example.com"]);
});

it("sign-up: a person who has an account signs in with it", async (world) => {
  const { browser, send } = await openForm(world);
  const signIn = await send({ decision: "sign_in" });
  assertEquals(world.journal.at(-1)?.facts.question, "sign_in");
  const consent = await browser.submit(signIn, { person: "bob" });
  assertEquals((await claimsOf(world, await browser.submit(consent, { decision: "approve" })))["sub"], "bob");
});

it("sign-up: Deny sends the person back without an account", async (world) => {
  assertEquals(errorOf(await (await openForm(world)).send({ decision: "deny", ...right })), "access_denied");
  assert(has(await (await openForm(world)).send(right), "approve"));
});

it("sign-up: the page comes at a browser where another person is signed in, who stays so", async (world) => {
  const browser = createBrowser(world);
  const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  await browser.submit(consent, { decision: "approve" });
  const { page, send } = await openForm(world, {}, browser);
  assert(has(page, "sign-up"));
  const mine = await claimsOf(world, await browser.submit(await send(right), { decision: "approve" }));
  assertEquals(mine["name"], "Dave");
  const chooser = await browser.open(world.authorizeUrl());
  assertEquals(world.journal.at(-1)?.facts.question, "account");
  assertMatch(chooser.html, /Alice/);
});

test("sign-up: automatic sign-in shows the page, too, and approves other requests as before", () =>
  inWorld({ ...options, login: "auto:bob" }, async (world) => {
    const { browser, send } = await openForm(world, { login_hint: "dave" });
    // The hint names a person who does not exist yet, so nothing is to be advised.
    assertEquals(world.journal.at(-1)?.facts.advice, undefined);
    const claims = await claimsOf(world, await browser.submit(await send(right), { decision: "approve" }));
    assertEquals(claims["name"], "Dave");
    const other = await browser.open(world.authorizeUrl({ scope: "openid" }));
    assertEquals((await claimsOf(world, other))["sub"], "bob");
  }));

it("sign-up: a consent that the request wants comes after it (OpenID Connect Core §3.1.2.1)", async (world) => {
  const { send } = await openForm(world, { prompt: "consent create", max_age: "0" });
  assert(has(await send(right), "approve"));
});

it("sign-up: the form of another page makes no person", async (world) => {
  const browser = createBrowser(world);
  const page = await browser.open(world.authorizeUrl());
  const moved = { ...page, html: page.html.replaceAll("/oauth2/sign_in", "/oauth2/sign_up") };
  await browser.submit(moved, right);
  assertEquals(world.journal.at(-1)?.facts.question, "sign_in");
  assert(has(await (await openForm(world)).send(right), "approve"));
});

it("sign-up: a page of another site cannot send the form (RFC 9700 §4.7)", async (world) => {
  const { browser, page } = await openForm(world);
  const foreign = await browser.submit(page, right, {
    "sec-fetch-site": "cross-site",
    origin: "https://evil.test",
  });
  assertEquals(foreign.status, 403);
  const stranger = await createBrowser(world).submit(page, right);
  assertEquals([stranger.status, world.lastRefusal()?.reason], [403, "form_not_ours"]);
  assert(has(await browser.submit(page, right), "approve"));
});

it("sign-up: of two browsers that choose one username at once, one gets it", async (world) => {
  const forms = await Promise.all([openForm(world), openForm(world)]);
  const pages = await Promise.all(forms.map(({ send }) => send(right)));
  assertEquals(pages.filter((page) => has(page, "approve")).length, 1);
  assertEquals(pages.filter(({ status }) => status === 400).length, 1);
});

test("sign-up: a server with 1000 people makes no more", () => {
  const many = Array.from({ length: 999 }, (_, at) => ({ username: `person ${at}` }));
  return inWorld({ ...options, people: many }, async (world) => {
    assert(has(await (await openForm(world)).send({ username: "dave" }), "approve"));
    const full = await (await openForm(world)).send({ username: "erin" });
    assertEquals([full.status, world.lastRefusal()?.reason], [503, "sign_up_people_full"]);
    assertMatch(textIn(full, "problem"), /as many people/);
  });
});

test("sign-up: while fifty passwords wait to be hashed, the form asks to try again", () =>
  inWorld(options, async (world) => {
    const form = await openForm(world);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_none, at) => {
        const fields = { username: `dave ${at}`, password: "long enough" };
        return sendFrom(`192.0.2.${at}`, form, fields, world);
      }),
    );
    const busy = answers.filter(({ status }) => status === 503);
    assert(busy.length > 0, "the queue has an end");
    assertEquals(answers.filter(({ status }) => status === 303).length, 60 - busy.length);
    assertEquals(busy[0]!.headers.get("retry-after"), "3");
    assertMatch(await busy[0]!.text(), /wait 3 seconds/);
  }));

test("sign-up: without the option, no metadata has it, and prompt=create is refused with the option (Prompt Create §4.1)", () =>
  inWorld({ ...options, signUp: false }, async (world) => {
    const { signUp: _on, ...leftOut } = options;
    await using other = createWorld(leftOut);
    assertEquals((await other.post("/oauth2/sign_up", right)).status, 404);
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.prompt_values_supported, ["none", "login", "consent", "select_account"]);
    const { page } = await openForm(world);
    assertEquals([errorOf(page), world.lastRefusal()?.reason], ["invalid_request", "prompt_create_off"]);
    assertMatch(new URL(page.leftFor!).searchParams.get("error_description")!, /signUp is off/);
    assertEquals(world.lastRefusal()?.remedy, JSON.stringify({ signUp: true }, null, 2));
    assertEquals((await world.post("/oauth2/sign_up", right)).status, 404);
    assertFalse((await createBrowser(world).open(world.authorizeUrl())).html.includes("create-account"));
  }));

it("sign-up: the sign-in page leads to it, in the same request, also after a mistake (Prompt Create §4.1)", async (world) => {
  for (const isAgain of [false, true]) {
    const browser = createBrowser(world);
    const params = { scope: "openid", state: "kept", prompt: "login consent" };
    const first = await browser.open(world.authorizeUrl(params));
    const page = isAgain ? await browser.submit(first, { username: "nobody", password: "wrong" }) : first;
    const form = await browser.open(attribute(byId(readHtml(page.html), "create-account"), "href")!);
    assertEquals(
      world.journal.at(-1)?.facts.question,
      "sign_up",
      JSON.stringify(world.journal.at(-1)?.facts),
    );
    const consent = await browser.submit(form, { username: `dave ${isAgain}` });
    const { leftFor } = await browser.submit(consent, { decision: "approve" });
    assertEquals(new URL(leftFor!).searchParams.get("state"), "kept");
  }
});

it("sign-up: another person at the browser gets there, and prompt=consent stays (Prompt Create §4.1)", async (world) => {
  const browser = createBrowser(world);
  const openLink = async ({ html }: Page) => {
    const form = await browser.open(attribute(byId(readHtml(html), "create-account"), "href")!);
    assertEquals(world.journal.at(-1)?.facts.question, "sign_up");
    return form;
  };
  const signIn = await browser.open(world.authorizeUrl());
  const consent = await browser.submit(signIn, { person: "alice" });
  await openLink(await browser.submit(consent, { decision: "change_person" }));
  await browser.submit(consent, { decision: "approve" });
  const form = await openLink(await browser.open(world.authorizeUrl({ prompt: "login consent" })));
  // Instead of a new account, the person who has approved before.
  const back = await browser.submit(form, { decision: "sign_in" });
  assert(has(await browser.submit(back, { person: "alice" }), "approve"));
});

test("sign-up: the login of a device has no link to it, because its request has no prompt (RFC 8628 §3.3)", () =>
  inWorld({ ...options, ...deviceOptions }, async (world) => {
    const { user_code } = await begin(world);
    const browser = createBrowser(world);
    const signIn = await browser.submit(await browser.open(`/device?user_code=${user_code}`), { user_code });
    assertEquals([has(signIn, "pick-heading"), has(signIn, "create-account")], [true, false]);
  }));

it("sign-up: a request that names a person has no link to it", async (world) => {
  const open = async (params: Params) => (await createBrowser(world).open(world.authorizeUrl(params))).html;
  const named = await open({
    scope: "openid",
    claims: JSON.stringify({ id_token: { sub: { value: "alice" } } }),
  });
  assertFalse(named.includes("create-account"));
  const other = await open({ scope: "openid" });
  assert(other.includes("create-account"));
});

it("sign-up: metadata has the value create (Prompt Create §4.2)", async (world) => {
  const metadata = await (await world.get("/.well-known/openid-configuration")).json();
  assertEquals(metadata.prompt_values_supported, ["none", "login", "consent", "select_account", "create"]);
});

test("sign-up: a server that cannot add people does not start, and says which ones can", async () => {
  const given = { issuer: "https://as.test", exposeDemo: true };
  await createServer({ ...given, signUp: false }).close();
  await assertCannotCreate(
    () => createServer({ ...given, signUp: true }),
    "signUp needs the test kit or the command start, which can add people",
  );
  await assertCannotCreate(() => createWorld({ ...options, signUp: "yes" as never }), "signUp must be");
});
