/** The page of one request: what happened, what to change, the steps of its login, and the way back to the list. */

import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { exchangeGrant, secretOf, typeOf } from "../../server/tokens/exchange_world.ts";
import { key, load, openControlled, type OpenedDashboard, openPlain } from "./open_dashboard.ts";
import { readItems } from "./read_rows.ts";
import { getCode, redeem, redirectUri, requestTokens, spa, spaOptions } from "./spa.ts";

/** Opens the last request that the list shows. The requests of one login are in the order of time. */
async function openLast(opened: OpenedDashboard, filter: string, query = ""): Promise<string> {
  const list = await load(opened, `/inspector?${new URLSearchParams({ q: filter, open: "all" })}`);
  const paths = [...list.matchAll(/href="(\/inspector\/[\w-]{12})/g)].map(([, path]) => path!);
  return await load(opened, paths.at(-1)! + query);
}

test("entry: an entry begins with the fault, the change and the facts, and says each of them once", async () => {
  const opened = openPlain(spaOptions);
  await redeem(opened, await getCode(opened), { code_verifier: "x".repeat(43) });
  const page = await openLast(opened, "outcome:refused");
  const head = page.slice(page.indexOf("<article"), page.indexOf('role="tablist"'));
  assertMatch(head, /^<article class="entry" data-entry="[\w-]{12}">/);
  assertStringIncludes(head, "<strong>The code_verifier does not match the code_challenge.</strong>");
  assertStringIncludes(head, "To fix it: Keep the code_verifier of the authorization request");
  assertMatch(head, /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC/);
  assertStringIncludes(head, '<a href="/inspector?q=client:spa">spa</a>');
  assertStringIncludes(head, "POST /oauth2/token");
  for (const once of ["does not match the code_challenge.<", "To fix it", "Keep the code_verifier of"]) {
    assertEquals(page.split(once).length, 2, once);
  }
});

test("entry: a request with commas in its scope is answered, and the entry says that it is one scope", async () => {
  const opened = openPlain(spaOptions);
  await getCode(opened, { scope: "openid,profile" });
  const page = await openLast(opened, "path:/oauth2/authorize");
  const sentence = "This is one scope with commas: scopes are separated by spaces.";
  assertStringIncludes(page, `<p class="notice caution"><strong>${sentence}</strong>`);
  assertStringIncludes(page, "Separate the names of the scope by single spaces.");
});

test("entry: an answered request begins with what it gave", async () => {
  const opened = openPlain(spaOptions);
  await redeem(opened, await getCode(opened));
  await opened.send("/oauth2/jwks");
  const gave = async (filter: string) => {
    return /<\/h1>.*?<p>([^<]+)<\/p>/s.exec(await openLast(opened, filter))?.[1];
  };
  assertEquals(
    await gave("endpoint:token"),
    "It gave an access token for 1 h, a refresh token and an ID token, with the scope openid offline_access.",
  );
  assertEquals(await gave("endpoint:authorize"), "The browser brings a code to the client.");
  assertEquals(await gave("endpoint:jwks"), "It gave the public keys.");
});

test("entry: an ID-JAG is no access token (RFC 8693 §2.2.1)", async () => {
  const { as, ...opened } = await openControlled({
    clients: [{
      client_id: "wiki",
      client_secret: "wiki secret",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", exchangeGrant],
      token_exchange: { id_jag: [{ audience: "https://chat.example/", client_id: "x" }] },
    }],
  });
  const { id_token } = await as.login("alice", { scope: "openid" });
  await opened.send("/oauth2/token", {
    method: "POST",
    headers: { ...secretOf("wiki"), cookie: "" },
    body: new URLSearchParams({
      grant_type: exchangeGrant,
      subject_token: id_token!,
      subject_token_type: typeOf("id_token"),
      requested_token_type: typeOf("id-jag"),
      audience: "https://chat.example/",
    }),
  });
  const { id } = as.requests.at(-1)!;
  const page = await load(opened, `/inspector/${id}`);
  assertStringIncludes(page, "<title>Token exchange · Postern</title>");
  assertStringIncludes(page, "It gave a token for 5 min that is no access token.");
});

test("entry: the Deny of a person has a mark of its own, in the list, too: the client made no mistake", async () => {
  const { as, ...opened } = await openControlled({ clients: [spa] });
  await assertRejects(() => as.login("alice", { deny: true }));
  const [login] = readItems(await load(opened, "/inspector?open=all"));
  assertEquals([login!.outcome, login!.reason], ["denied", "The person said no"]);
  const denied = as.requests.at(-1)!;
  const page = await load(opened, `/inspector/${denied.id}`);
  assertMatch(page, /<h1 class="mark outcome-denied">/);
  assertMatch(page, /class="mark outcome-denied" aria-current="page"/);
  assertStringIncludes(page, '<p class="notice caution"><strong>The person said no.</strong>');
  assertEquals(denied.refusal?.reason, "user_denied");
  assertEquals(readItems(await load(opened, "/inspector?q=outcome:refused&open=all")).length, 1);
});

test("entry: an entry leads through the steps of its login, and back to the list as it was shown", async () => {
  const opened = openPlain(spaOptions);
  const tokens = await (await redeem(opened, await getCode(opened))).json() as { refresh_token: string };
  let token = tokens.refresh_token;
  for (let times = 0; times < 12; times++) {
    const refreshed = await requestTokens(opened, { grant_type: "refresh_token", refresh_token: token });
    token = (await refreshed.json() as { refresh_token: string }).refresh_token;
  }
  const query = "?q=client:spa&order=oldest";
  const escaped = query.replaceAll("&", "&amp;");
  let page = await openLast(opened, "endpoint:authorize", query);
  const afterPresent = /aria-current="page">\d+ [^<]*<\/a><\/li><li><a href="([^"]+)"/;
  for (let next: string | undefined; (next = afterPresent.exec(page)?.[1]) !== undefined;) {
    page = await load(opened, next.replaceAll("&amp;", "&"));
  }
  const steps = /<ol start="(\d+)">(.*?)<\/ol>/s.exec(page)!;
  assertEquals([steps[1], steps[2]!.match(/<li>/g)?.length], ["6", 9]);
  assertMatch(steps[2]!, /aria-current="page">14 Refresh</);
  assertStringIncludes(page, `<a id="close-entry" href="/inspector${escaped}">`);
  const links = [...page.matchAll(/href="\/inspector\/[\w-]{12}(?:\/again)?([^"]*)"/g)].map(([, rest]) =>
    rest
  );
  assertEquals([links.length > 9, new Set(links)], [true, new Set([escaped])]);
});

test("entry: an entry says how wrong the clock was only if the top of the page does not say it", async () => {
  const opened = await openControlled(spaOptions);
  await using as = opened.as;
  const says = async (filter: string) => {
    const page = await openLast(opened, filter);
    return /The (server's )?clock was [^<.]+/.exec(page.slice(page.indexOf("<article")))?.[0];
  };
  await opened.send("/oauth2/jwks");
  as.clock.advance("20m");
  await opened.send("/.well-known/openid-configuration");
  await opened.send("/userinfo", { headers: { authorization: "Bearer x" } });
  assertEquals(
    await says("endpoint:metadata"),
    "The server's clock was 20 min ahead of the clock of this machine",
  );
  assertEquals(await says("endpoint:userinfo"), undefined);
  assertEquals(await says("endpoint:jwks"), undefined);
});

const unread = "This client asked for profile and never called userinfo, where the claim name is";

test("entry: a login whose client reads only the ID token says, after a while, where the name is (OpenID Connect Core §5.4)", async () => {
  const opened = await openControlled(spaOptions);
  await using as = opened.as;
  const login = async (scope: string): Promise<string> => {
    const tokens = await (await redeem(opened, await getCode(opened, { scope }))).json();
    return tokens.access_token;
  };
  const read = () => openLast(opened, "endpoint:token");
  await login("openid profile");
  as.clock.advance(29);
  assertEquals((await read()).includes("never called userinfo"), false);
  as.clock.advance(1);
  const page = await read();
  assertStringIncludes(page, `<strong>${unread}.</strong>`);
  assertStringIncludes(page, "For a library that reads only the ID token, set claimsIn.idToken.");
  const [, remedy = ""] = /<pre><code>(\{\s+"claimsIn".*?)<\/code>/s.exec(page) ?? [];
  const { claimsIn } = JSON.parse(remedy);
  assertEquals(claimsIn.idToken.slice(0, 2), ["name", "family_name"]);

  const two = await openControlled(spaOptions);
  await using second = two.as;
  await redeem(two, await getCode(two, { scope: "openid profile email" }));
  second.clock.advance(60);
  const both = await openLast(two, "endpoint:token");
  assertStringIncludes(both, "asked for profile and email and never called userinfo");
  assertMatch(both, /"idToken": \[\s+"name",[^\]]+"email"/);

  const some = await openControlled({ ...spaOptions, claimsIn: { idToken: ["email"] } });
  await using third = some.as;
  await redeem(some, await getCode(some, { scope: "openid profile" }));
  third.clock.advance(60);
  assertMatch(await openLast(some, "endpoint:token"), /"idToken": \[\s+"email",\s+"name",/);

  // With that configuration, the ID token has the name, and nothing is missing.
  const mended = await openControlled({ ...spaOptions, claimsIn });
  await using other = mended.as;
  await redeem(mended, await getCode(mended, { scope: "openid profile" }));
  other.clock.advance(60);
  assertEquals((await openLast(mended, "endpoint:token")).includes("never called userinfo"), false);
});

for (
  const [what, scope, callsUserinfo = false, refreshes = false] of [
    ["that called userinfo", "openid profile", true],
    ["that asked for no claims", "openid offline_access"],
    ["without an ID token", "profile"],
    ["at its refresh", "openid profile offline_access", false, true],
  ] as const
) {
  test(`entry: a login ${what} has no such advice`, async () => {
    const opened = await openControlled(spaOptions);
    await using as = opened.as;
    const { access_token, refresh_token } = await (await redeem(opened, await getCode(opened, { scope })))
      .json();
    if (callsUserinfo) {
      await opened.send("/userinfo", { headers: { authorization: `Bearer ${access_token}` } });
    }
    if (refreshes) await requestTokens(opened, { grant_type: "refresh_token", refresh_token });
    as.clock.advance(60);
    assertEquals((await openLast(opened, "endpoint:token")).includes("never called userinfo"), false);
  });
}

test("entry: the raw view has JSON as it was sent, with its secrets hidden", async () => {
  const opened = openPlain(spaOptions);
  const tokens = await (await redeem(opened, await getCode(opened))).json() as Record<string, string>;
  const raw = async () => {
    const page = await openLast(opened, "endpoint:token");
    return textOf(findById(readHtml(page), "entry-raw")!);
  };
  const hidden = await raw();
  for (const line of ["POST /oauth2/token", "client_id=spa", "&grant_type=authorization_code"]) {
    assertStringIncludes(hidden, line);
  }
  assertStringIncludes(hidden, '"token_type": "Bearer",');
  assertStringIncludes(hidden, '"expires_in": 3600,');
  assertMatch(hidden, /"refresh_token": …,[^"]*hidden, \d+ characters, SHA-256 begins with/);
  await opened.enter(key);
  assertStringIncludes(await raw(), `"refresh_token": "${tokens["refresh_token"]}"`);
});
