/** A client's own authorization requests: authorize, authorizeForm and nextSignIn. */

import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, HarnessError, type MockOptions, Refused } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { authorizeUrl } from "../authorize_url.ts";

const quick: MockOptions = { alg: "ES256" };

const it = testUsing(() => createMock(quick));

it("authorize: a client's own URL ends at the callback with a code and the state", async (as) => {
  const callback = await as.authorize(authorizeUrl(as.issuer), { as: "bob" });
  assertEquals(callback.origin + callback.pathname, "https://app.test/callback");
  assertEquals(callback.searchParams.get("state"), "af0ifjsldkj");
  assertMatch(callback.searchParams.get("code")!, /\S/);
  assertEquals(as.requests.authorize.last?.person, "bob");
});

it("authorize: a denial sends the error to the client, and without a name the first person approves", async (as) => {
  const denied = await as.authorize(authorizeUrl(as.issuer), { deny: true });
  assertEquals(denied.searchParams.get("error"), "access_denied");
  await as.authorize(authorizeUrl(as.issuer));
  assertEquals(as.requests.authorize.last?.person, "alice");
});

it("authorize: a request that names its person is answered for that person only (OpenID Connect Core §5.5.1)", async (as) => {
  const claims = JSON.stringify({ id_token: { sub: { value: "bob" } } });
  const url = authorizeUrl(as.issuer, { scope: "openid", nonce: "n", claims });
  const refused = await as.authorize(url, { as: "alice" });
  assertEquals(refused.searchParams.get("error"), "login_required");
  assertEquals(as.requests.authorize.last?.refusal?.reason, "another_person_signed_in");
  assertMatch((await as.authorize(url, { as: "bob" })).searchParams.get("code")!, /\S/);
});

it("authorize: a request that may not be redirected rejects, and the error explains why", async (as) => {
  const elsewhere = authorizeUrl(as.issuer, { redirect_uri: "https://evil.test/" });
  const error = await assertRejects(() => as.authorize(elsewhere), Refused) as Refused;
  assertEquals(error.reason, "redirect_uri_unregistered");
  assertMatch(error.message, /received .*evil\.test/);
});

it("authorizeForm: gives the request that the browser would send to the client", async (as) => {
  const url = authorizeUrl(as.issuer, { response_mode: "form_post", state: `"&'<` });
  const request = await as.authorizeForm(url, { as: "bob" });
  assertEquals([request.method, request.url], ["POST", "https://app.test/callback"]);
  const form = new URLSearchParams(await request.text());
  assertEquals([form.get("state"), form.get("iss")], [`"&'<`, "https://as.test"]);
  await assertRejects(() => as.authorize(url), Error, "use as.authorizeForm()");
  await assertRejects(() => as.authorizeForm(authorizeUrl(as.issuer)), Error, "use as.authorize()");
});

it("authorize: a response in a message rejects, and the error says that it needs a browser", async (as) => {
  const url = authorizeUrl(as.issuer, { response_mode: "web_message" });
  await assertRejects(
    () => as.authorize(url, { as: "bob" }),
    Error,
    "(response_mode=web_message): use a browser",
  );
  const wrong = authorizeUrl(as.issuer, { response_mode: "web_message", scope: '"' });
  const refused = await assertRejects(() => as.authorize(wrong), Refused) as Refused;
  assertEquals(refused.reason, "scope_malformed");
});

it("authorize: a page of the server's own, or a URL of another server, rejects, and the error does not show the query", async (as) => {
  const browser = as.browser();
  await as.login("alice", { browser });
  const page = `${as.issuer}/connect/logout?state=hidden-state`;
  const messages = [
    "Cannot sign out: the server asks the person to confirm the sign-out, because the URL has no id_token_hint of " +
    "a session in this browser; give the ID token as id_token_hint, or use as.endSession()",
    "Cannot authorize: the server shows a page of its own at https://as.test/connect/logout; " +
    "expected a client's authorization URL, which sends the browser back",
  ];
  for (const [index, play] of [as.authorize, as.authorizeForm].entries()) {
    const { message } = await assertRejects(() => play(page, { browser }), Error);
    assertEquals(message, messages[index]);
  }
  const other = "https://other.test/oauth2/authorize";
  const foreign = await assertRejects(() => as.authorize(`${other}?state=secret`), TypeError);
  assertEquals(
    foreign.message,
    `Cannot authorize: expected a URL below as.issuer (https://as.test), or at a host of a look-alike that is on, but got ${other}`,
  );
  const lineBreak = `${authorizeUrl(as.issuer, { state: "hidden-state" })}\n`;
  const { message } = await assertRejects(() => as.authorize(lineBreak), TypeError);
  assertEquals(message, "Cannot request https://as.test/oauth2/authorize: expected an http or https URL");
});

it("authorize: an unknown person is refused, with deny as well", async (as) => {
  const unknown =
    'There is no person zed: known are alice, bob. Add one with as.people.add({ username: "zed" })';
  for (const play of [as.authorize, as.authorizeForm]) {
    const attempt = () => play(authorizeUrl(as.issuer), { as: "zed", deny: true });
    await assertRejects(attempt, TypeError, unknown);
  }
  assertThrows(() => as.nextSignIn("zed"), TypeError, unknown);
  assertEquals(as.requests.length, 0);
});

test("authorize: the mock passes a tenant's URL to the tenant", async () => {
  const issuer = "https://as.test/base";
  await using as = await createMock({ ...quick, issuer });
  const acme = as.tenant("acme", { people: [{ username: "wile" }] });
  const callback = await as.authorize(authorizeUrl(acme.issuer), { as: "wile" });
  assertEquals(callback.searchParams.get("iss"), `${issuer}/acme`);
  const form = authorizeUrl(acme.issuer, { response_mode: "form_post" });
  const answer = await (await as.authorizeForm(form.href, { as: "wile" })).text();
  assertEquals(new URLSearchParams(answer).get("iss"), `${issuer}/acme`);
  assertEquals([as.requests.length, acme.requests.length], [0, 2]);
  assertEquals(acme.requests.authorize.last?.person, "wile");
  const unknown = () => as.authorize(authorizeUrl(acme.issuer), { as: "bob" });
  await assertRejects(unknown, TypeError, "known are wile");
  const elsewhere = () => acme.authorize(authorizeUrl(as.issuer));
  await assertRejects(elsewhere, TypeError, `expected a URL below as.issuer (${issuer}/acme)`);
  await acme.close();
  const gone = await assertRejects(() => as.authorize(authorizeUrl(`${issuer}/acme`)), Refused) as Refused;
  assertEquals(gone.reason, "path_unknown");
});

it("nextSignIn: decides the next requests in order, for the named client or any, and then the page is shown", async (as) => {
  as.nextSignIn("bob");
  as.nextSignIn({ deny: true }, { client: "app-confidential" });
  as.nextSignIn("alice");
  const open = async (client_id: string) => {
    const response = await as.fetch(authorizeUrl(as.issuer, { client_id }), { redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null) return response.status;
    return new URL(location).searchParams.get("error") ?? as.requests.authorize.last?.person;
  };
  // A program that looks whether the address answers signs nobody in.
  await as.fetch(authorizeUrl(as.issuer), { method: "HEAD", redirect: "manual" });
  assertEquals(await open("app"), "bob");
  assertEquals(await open("app-confidential"), "access_denied");
  assertEquals(await open("app-confidential"), "alice");
  assertEquals(await open("app"), 200);
});

it("nextSignIn: an entry for one client does not apply to another or to a named person, and decides one request", async (as) => {
  as.nextSignIn("bob", { client: "app-confidential" });
  await as.authorize(authorizeUrl(as.issuer));
  assertEquals(as.requests.authorize.last?.person, "alice");
  const url = authorizeUrl(as.issuer, { client_id: "app-confidential" });
  await as.authorize(url, { as: "alice" });
  await Promise.all([as.authorize(url), as.authorize(url)]);
  const persons = as.requests.authorize.map(({ person }) => person);
  assertEquals([persons[1], ...persons.slice(2).sort()], ["alice", "alice", "bob"]);
  as.nextSignIn("bob");
  await as.authorizeForm(authorizeUrl(as.issuer, { response_mode: "form_post" }));
  assertEquals(as.requests.authorize.last?.person, "bob");
});

it("login: without a name, the person signed in at the browser approves, and signs in again with prompt=login", async (as) => {
  const browser = as.browser();
  const first = await as.login("bob", { browser });
  as.clock.advance("10m");
  const again = await as.login(undefined, { browser });
  const fresh = await as.login(undefined, { browser, prompt: "login" });
  const times = [first, again, fresh].map(({ id_token: token }) => decodeJwt(token!)["auth_time"] as number);
  assertEquals(decodeJwt(fresh.access_token).sub, "bob");
  assertEquals(times[1], times[0]);
  assertEquals(times[2]! - times[0]! >= 600, true);
  const silently = { browser, prompt: "none" };
  await assertRejects(() => as.login("alice", silently), TypeError, "bob is signed in at this browser");
  // Of two people, it is the one who has signed in last.
  await as.login("alice", { browser, prompt: "select_account" });
  assertEquals(decodeJwt((await as.login(undefined, { browser })).access_token).sub, "alice");
});

it("nextSignIn: the fault names a person who was removed before the request", async (as) => {
  as.nextSignIn("bob");
  as.people.remove("bob");
  const callback = await as.authorize(authorizeUrl(as.issuer));
  assertEquals(callback.searchParams.get("error"), "server_error");
  assertMatch(`${as.requests.authorize.last?.fault}`, /Cannot sign in bob: this person has been removed/);
});

test("authorize: follows a sign-out to the client, and ends the session in the browser", async () => {
  const uri = "https://app.test/goodbye";
  await using as = await createMock();
  as.clients.change("app", { post_logout_redirect_uris: [uri] });
  const browser = as.browser();
  const { id_token = "" } = await as.login("bob", { scope: "openid", browser });
  const logout = (query: Record<string, string>) =>
    as.authorize(`${as.issuer}/connect/logout?${new URLSearchParams(query)}`, { browser });
  await assertRejects(
    () => logout({}),
    HarnessError,
    "Cannot sign out: the server asks the person to confirm",
  );
  const foreign = await assertRejects(() => logout({ id_token_hint: "x" }), Refused, "Cannot sign out: ");
  assertEquals(foreign.reason, "hint_not_ours");
  assertEquals((await logout({ id_token_hint: id_token, post_logout_redirect_uri: uri })).href, uri);
  const silent = { scope: "openid", browser, prompt: "none" };
  const refused = await assertRejects(() => as.login(undefined, silent), Refused);
  assertEquals(refused.error, "login_required");
  const missing =
    "Cannot sign out: the server shows its own page after the sign-out, because the URL has no ";
  await assertRejects(() => logout({ id_token_hint: id_token }), Error, missing);
  using _wrong = as.misbehave("logout.not_returned");
  const { message } = await assertRejects(
    () => logout({ id_token_hint: id_token, post_logout_redirect_uri: uri }),
    HarnessError,
  );
  assertMatch(
    message,
    /^Cannot sign out: the server shows its own page after the sign-out: .*logout\.not_returned/,
  );
  assertEquals(message.includes("has no post_logout_redirect_uri"), false);
});
