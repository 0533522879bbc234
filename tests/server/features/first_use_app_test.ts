/** First use by an app with a private scheme: a public client, which no other site can get approved (RFC 8252). */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertCode, assertRefusedInJson, assertRefusedOnPage, assertTokens } from "../oauth/refusals.ts";
import { byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { basic, createBrowser, type Params, withoutClients } from "../../world.ts";
import { refresh } from "../tokens/bearer.ts";

const redirect_uri = "com.example.app:/cb";
const app: Params = { client_id: "my-app", redirect_uri };

test("first use of an app: its private scheme gets the code, and both pages name the scheme (RFC 8252 §7.1)", () =>
  withoutClients({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const signIn = await browser.open(world.authorizeUrl(app));
    assertEquals(
      textOf(byId(readHtml(signIn.html), "destination")),
      "The answer will go to the app on this device that opens com.example.app: links.",
    );
    const consent = await browser.submit(signIn, { person: "alice" });
    const page = readHtml(consent.html);
    assert(findById(page, "unverified") !== undefined);
    assertEquals(textOf(byId(page, "redirect-uri")), redirect_uri);
    assertEquals(findAll(byId(page, "redirect-uri"), "strong").map(textOf), ["com.example.app:"]);
    assertEquals(
      textOf(byId(page, "goes-to-app")),
      "Any app on this device that opens links with this scheme can receive it.",
    );
    const { leftFor = "" } = await browser.submit(consent, { decision: "approve" });
    assertStringIncludes(leftFor, `${redirect_uri}?code=`);
    const code = new URL(leftFor).searchParams.get("code")!;
    await assertTokens(await world.redeem(code, app));
  }));

const it = testInWorld({}, withoutClients);

for (const uri of ["com.example.app:/cb", "com.example.MyApp:/cb", "com.example.app://cb?x=1", "a.b:/"]) {
  it(`first use of an app: ${uri} works, and later requests must send the same URI`, async (world) => {
    const request = { ...app, redirect_uri: uri };
    await assertTokens(await world.redeem(await world.code(request), request));
    for (const other of [`${uri}x`, "com.example.other:/cb", "http://localhost:3000/cb"]) {
      const expected = { error: "invalid_request", reason: "redirect_uri_unregistered" };
      await assertRefusedOnPage(world, await world.authorize({ ...app, redirect_uri: other }), expected);
    }
  });
}

const notPrivate = [
  // Without a scheme, the host looks like one.
  "app.localhost:3000/cb",
  "com.example.app:cb",
  "myapp:/cb",
  "localhost:3000/cb",
  ".com.example:/cb",
  "1com.example:/cb",
  "com.exämple:/cb",
  "com.example app:/cb",
  " com.example.app:/cb",
  "javascript:alert(1)",
  "javascript:/.a:/",
  "intent:/a.b:/",
];

it("first use of an app: other URIs have no private scheme", async (world) => {
  const expected = { error: "invalid_request", reason: "client_unknown" };
  for (const uri of notPrivate) {
    await assertRefusedOnPage(world, await world.authorize({ ...app, redirect_uri: uri }), expected);
  }
});

it("first use of an app: a user name in the URI is refused with the reason on a page (OAuth 2.1 §2.3)", async (world) => {
  const request = { ...app, redirect_uri: "com.example.app://name@host/cb" };
  const html = await assertRefusedOnPage(world, await world.authorize(request), {
    error: "invalid_request",
    reason: "redirect_uri_unfit",
  });
  const sentence = "the redirect_uri must not have a user name or a password before its host";
  assertEquals(textOf(byId(readHtml(html), "expected")), sentence);
});

it("first use of an app: it is a public client from the start (RFC 8252 §8.4)", async (world) => {
  const code = await world.code(app);
  const cases = [
    [{ ...app, client_id: undefined }, basic("my-app", "secret")],
    [{ ...app, client_secret: "secret" }, {}],
  ] as const;
  for (const [form, headers] of cases) {
    await assertRefusedInJson(world, await world.redeem(code, form, headers), {
      error: "invalid_client",
      reason: "public_client_sent_secret",
      status: 401,
      challenge: "Basic",
    });
  }
  const { refresh_token } = await assertTokens(await world.redeem(code, app));
  const refreshed = await refresh(world, `${refresh_token}`, { client_id: "my-app" });
  await assertTokens(refreshed);
});

it("first use of an app: automatic sign-in approves it, but not for a page of another site", async (world) => {
  const fromAnotherSite = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };
  const askFrom = async (headers: HeadersInit) => {
    const response = await world.get(world.authorizeUrl(app), headers);
    if (response.status === 303) {
      const { pathname } = new URL(response.headers.get("location")!);
      return response.headers.get("location")!.startsWith(redirect_uri) ? "a code" : pathname;
    }
    return findById(readHtml(await response.text()), "from-another-site") === undefined
      ? `${response.status}`
      : "consent page";
  };
  for (const isKnown of [false, true]) {
    assertEquals(await askFrom(fromAnotherSite), "consent page", `known: ${isKnown}`);
    for (const dest of ["iframe", "image", "empty"]) {
      assertEquals(await askFrom({ ...fromAnotherSite, "sec-fetch-dest": dest }), "403");
    }
    if (!isKnown) assertEquals(await askFrom({ "sec-fetch-site": "none" }), "a code");
  }
});

it("first use of an app: an error of its first request stays on a page, also with prompt=none", async (world) => {
  for (const prompt of [undefined, "none"]) {
    const response = await world.authorize({ ...app, prompt, scope: '"' });
    const html = await assertRefusedOnPage(world, response, {
      error: "invalid_scope",
      reason: "scope_malformed",
    });
    assertEquals(textOf(byId(readHtml(html), "would-have-gone-to")), redirect_uri);
  }
});

it("first use of an app: after sign-out the browser may go to any address with its scheme", async (world) => {
  assertCode(await world.authorize(app));
  const logOutTo = (uri: string) =>
    world.get(`/connect/logout?client_id=my-app&post_logout_redirect_uri=${encodeURIComponent(uri)}`);
  const left = await logOutTo("com.example.app:/signed-out");
  assertEquals([left.status, left.headers.get("location")], [303, "com.example.app:/signed-out"]);
  for (const uri of ["com.example.other:/signed-out", "http://localhost:3000/", "https://app.example/"]) {
    await assertRefusedOnPage(world, await logOutTo(uri), {
      error: "invalid_request",
      reason: "post_logout_uri_unregistered",
    });
  }
});
