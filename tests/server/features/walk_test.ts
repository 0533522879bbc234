/** The buttons of `/authorized`: each sends a real request of the client, and shows what came of it. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { reachAuthorized } from "../../flows/sample_flow.ts";
import { overtakenStore } from "../overtaken_store.ts";
import { attribute, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { appCode, secret } from "./second_factor.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import {
  type Browser,
  createBrowser,
  createWorld,
  inWorld,
  type Page,
  sampleKey,
  verifier,
  type World,
} from "../../world.ts";
import {
  checksOf,
  choiceOf,
  endedOf,
  heading,
  press,
  send,
  sendTicket,
  statusesOf,
  textAt,
  tokensOf,
} from "./walk.ts";

interface Flow {
  readonly world: World;
  readonly browser: Browser;
  readonly page: Page;
}

/** Runs a sample flow of a demo client to `/authorized`. */
function inFlow(
  work: (flow: Flow) => Promise<void>,
  { client = "demo", ...options }: ServerOptions & { readonly client?: string } = {},
): Promise<void> {
  return inWorld({ alg: "ES256", signingKeys: [sampleKey], login: "picker", ...options }, async (world) => {
    await work({ world, ...await reachAuthorized(world, client) });
  }, {});
}

/** The paths and statuses of the requests that clients sent, in order. */
function requestsOf({ journal }: World): readonly string[] {
  return journal.filter(({ request }) => !/^\/(authorized|start|static|$)/.test(request.path))
    .map(({ request, response }) => `${request.method} ${request.path} ${response.status}`);
}

/** The requests since the last call. */
function watch(world: World): () => readonly string[] {
  let seen = requestsOf(world).length;
  return () => {
    const all = requestsOf(world);
    const since = all.slice(seen);
    seen = all.length;
    return since;
  };
}

const passed = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, "passed"]));

const it = testIn(inFlow);

it("walk: the exchange is a real request of the client, and the page shows it and the response as sent", async ({ world, browser, page }) => {
  const since = watch(world);
  const exchanged = await press(world, browser, page, "exchange");
  assertEquals(since(), ["POST /oauth2/token 200", "GET /oauth2/jwks 200"]);
  const entry = world.journal.find(({ request }) => request.path === "/oauth2/token")!;
  assertEquals([entry.facts.clientId, entry.facts.grantType], ["demo", "authorization_code"]);
  assertEquals(heading(exchanged), "The code was exchanged");
  const sent = textAt(exchanged, "act-request").split("\n");
  assertEquals(sent[0], "POST http://localhost:9000/oauth2/token");
  for (const [name, value] of new URLSearchParams(entry.request.body)) {
    assert(sent.some((line) => line.replace(/^&/, "") === `${name}=${value}`), name);
  }
  const received = textAt(exchanged, "act-response");
  assert(received.startsWith("HTTP 200\n"));
  assertEquals(JSON.parse(received.slice(received.indexOf("{"))), JSON.parse(entry.response.body!));
  assertEquals(tokensOf(exchanged), {
    "Access token claims, step 1": "works",
    "Refresh token step 1": "works",
    "ID token claims, step 1": "read once",
  });
});

it("walk: the tokens pass the checks of OpenID Connect Core §3.1.3.7 and RFC 9068 §4", async ({ world, browser, page }) => {
  const exchanged = await press(world, browser, page, "exchange");
  assertEquals(checksOf(exchanged, "id_token"), passed("signature alg iss aud exp iat nonce at_hash"));
  assertEquals(
    checksOf(exchanged, "access_token"),
    passed("signature alg typ iss aud exp iat client_id scope"),
  );
  const { now } = world.clock;
  for (const expected of ["http://localhost:9000", `> ${now}`, `${now} ± 60`]) {
    assertStringIncludes(textAt(exchanged, "decoded-id_token"), `passed: ${expected}`);
  }
  const refreshed = await press(world, browser, exchanged, "refresh");
  assertEquals(checksOf(refreshed, "id_token"), passed("signature alg iss aud exp iat at_hash sub"));
});

/** The rest of the life of each token, and whom it is for, by the table of the page. */
const livesOf = ({ html }: Page) =>
  Object.fromEntries(
    findAll(readHtml(html), "tr").flatMap((row) => {
      const kind = attribute(row, "data-kind");
      return kind === undefined ? [] : [[kind, findAll(row, "td").map(textOf).slice(1, 3)]];
    }),
  );

const withFactor: ServerOptions = {
  people: [{ username: "alice", secondFactor: { kind: "totp", secret } }],
  secondFactorPolicy: { acrValues: ["urn:two&more", "mfa"] },
};

/** The address of the link that starts a flow with the second factor. */
const stepUpOf = ({ html }: Page) => {
  const link = findById(readHtml(html), "step-up");
  return link && attribute(link, "href");
};

test("walk: a link asks for the second factor, until the access token states it (RFC 9470 §4)", () =>
  inFlow(async ({ world, browser, page }) => {
    const exchanged = await press(world, browser, page, "exchange");
    assertEquals(stepUpOf(exchanged), "/start?client_id=demo&acr_values=urn%3Atwo%26more");
    const asked = await browser.open(new URL(stepUpOf(exchanged)!, world.issuer).href);
    const consent = await browser.submit(asked, { code: appCode(world.clock.now) });
    const again = await browser.submit(consent, { decision: "approve" });
    const stronger = await press(world, browser, again, "exchange");
    assertStringIncludes(textAt(stronger, "decoded-access_token"), "urn:two&more");
    assertEquals(stepUpOf(stronger), undefined);
  }, withFactor));

test("walk: no link asks for a second factor that no person has", () =>
  inFlow(async ({ world, browser, page }) => {
    assertEquals(stepUpOf(await press(world, browser, page, "exchange")), undefined);
  }, { people: [{ username: "alice" }] }));

const wrong = { iss: "https://evil.test", nonce: "n", exp: 1, aud: "other", at_hash: "x" };
const unsigned = (text: string) => `${btoa('{"alg":"none"}')}.${text.split(".")[1]}.`;

const forgeries:
  readonly (readonly [name: string, seams: NonNullable<ServerOptions["seams"]>, failed: string])[] = [
    ["wrong claims", {
      claims: (value) =>
        value.token === "id_token" ? { ...value, claims: { ...value.claims, ...wrong } } : value,
    }, "at_hash aud exp iss nonce"],
    ["a JWKS without keys", { key_set: () => ({ keys: [] }) }, "signature"],
    ["a JWKS with things that are no keys", {
      key_set: () => ({ keys: [null, 1, "x"] as unknown as readonly [] }),
    }, "signature"],
    ["an ID token without a signature", {
      signed: (value) => value.token === "id_token" ? { ...value, text: unsigned(value.text) } : value,
    }, "alg signature"],
  ];

for (const [name, seams, failed] of forgeries) {
  test(`walk: the checks fail for ${name}`, () =>
    inFlow(async ({ world, browser, page }) => {
      const checks = checksOf(await press(world, browser, page, "exchange"), "id_token");
      const found = Object.keys(checks).filter((each) => checks[each] === "failed");
      assertEquals(found.sort().join(" "), failed);
    }, { seams }));
}

it("walk: Back and reload do not act again, and a form that is sent twice acts once", async ({ world, browser, page }) => {
  const since = watch(world);
  const exchanged = await press(world, browser, page, "exchange");
  since();
  const again = await send(world, browser, page, "exchange");
  assertEquals([again.status, again.headers.get("location")], [
    303,
    new URL(exchanged.url).pathname + new URL(exchanged.url).search,
  ]);
  const reloaded = await browser.open(exchanged.url);
  assertEquals([heading(reloaded), since()], ["The code was exchanged", []]);
  const back = await browser.open(page.url);
  const link = findById(readHtml(back.html), "see-steps")!.attributes.get("href")!;
  assertEquals([new URL(link, page.url).href, since()], [exchanged.url, []]);
  const twice = await Promise.all([0, 1].map(() => send(world, browser, exchanged, "refresh")));
  assertEquals(twice.map(({ status }) => status), [303, 303]);
  assertEquals(since(), ["POST /oauth2/token 200", "GET /oauth2/jwks 200"]);
});

it("walk: two clicks at once exchange the code once", async ({ world, browser, page }) => {
  const since = watch(world);
  await Promise.all([0, 1].map(() => send(world, browser, page, "exchange")));
  assertEquals(since(), ["POST /oauth2/token 200", "GET /oauth2/jwks 200"]);
});

it("walk: the list of steps leads back to each page", async ({ world, browser, page }) => {
  let now = await press(world, browser, page, "exchange");
  for (const step of ["userinfo", "refresh", "tamper_verifier"]) {
    now = await press(world, browser, now, step);
  }
  assertEquals(statusesOf(now), ["400", "200", "200", "200"]);
  const links = findAll(readHtml(now.html), "a").map(({ attributes }) => attributes.get("href")!);
  for (const step of [1, 2, 3]) {
    const { pathname, search } = new URL(now.url.replace("step=4", `step=${step}`));
    assertEquals(links.includes(pathname + search), true, `${step}`);
  }
  const second = await browser.open(now.url.replace("step=4", "step=2"));
  assertEquals(heading(second), "Userinfo answered");
  // The buttons of an older step act on the newest tokens.
  const third = await press(world, browser, second, "userinfo");
  assertStringIncludes(textAt(third, "act-response"), "Alice Adams");
});

test("walk: introspection is for a confidential client, and a public client learns why not (RFC 7662 §2.1)", async () => {
  await inFlow(async ({ world, browser, page }) => {
    const shown = await press(world, browser, await press(world, browser, page, "exchange"), "introspect");
    assertEquals(heading(shown), "The server described the access token");
    assertStringIncludes(textAt(shown, "act-response"), '"active": true');
  }, { client: "demo-confidential" });
  await inFlow(async ({ world, browser, page }) => {
    const exchanged = await press(world, browser, page, "exchange");
    assertEquals(choiceOf(exchanged, "introspect"), [
      true,
      "A public client may not introspect, because it cannot prove who it is.",
    ]);
    const refused = await send(world, browser, exchanged, "introspect");
    assertEquals([refused.status, world.lastRefusal()?.reason], [400, "walk_step_impossible"]);
  });
});

it("walk: a form with a step that its page does not have is refused", async ({ world, browser, page }) => {
  const rows = [["", "walk_step_unknown"], ["exchange_all", "walk_step_unknown"], ["userinfo", "walk_gone"]];
  for (const [step, reason] of rows) {
    const refused = await send(world, browser, page, step!);
    assertEquals([refused.status, world.lastRefusal()?.reason], [400, reason]);
  }
});

it("walk: revocation of the refresh token ends all tokens, and userinfo proves it (RFC 7009 §2.1)", async ({ world, browser, page }) => {
  const exchanged = await press(world, browser, page, "exchange");
  const since = watch(world);
  const revoked = await press(world, browser, exchanged, "revoke");
  assertEquals(since(), ["POST /oauth2/revoke 200", "GET /userinfo 401"]);
  assertStringIncludes(textAt(revoked, "act-request"), "token_type_hint=refresh_token");
  assertEquals(endedOf(revoked), ["Access token of step 1", "Refresh token of step 1"]);
  assertStringIncludes(textAt(revoked, "proof"), "HTTP 401");
});

test("walk: a revocation leaves no step that would be refused, except those that show a refusal", () =>
  inFlow(async ({ world, browser, page }) => {
    const revoked = await press(world, browser, await press(world, browser, page, "exchange"), "revoke");
    const names = ["userinfo", "refresh", "revoke", "introspect", "replay_code", "tamper_verifier"];
    const offered = names.filter((name) => !choiceOf(revoked, name)[0]);
    assertEquals(offered, ["introspect", "replay_code", "tamper_verifier"]);
    const [, about] = choiceOf(revoked, "refresh");
    assertEquals(about, "Not offered: the refresh token is useless now (ended with its login).");
    const ended = "ended with its login";
    assertEquals(Object.values(tokensOf(revoked)), [ended, ended, "read once"]);
  }, { client: "demo-confidential" }));

test("walk: while a refresh token works, it is what is revoked, also behind the end of the access token", () =>
  inFlow(async ({ world, browser, page }) => {
    const { url } = await press(world, browser, page, "exchange");
    world.clock.advance(61);
    const late = await browser.open(url);
    assertEquals(["userinfo", "refresh", "revoke"].map((name) => choiceOf(late, name)[0]), [
      true,
      false,
      false,
    ]);
  }, { lifetimes: { accessToken: 60 } }));

test("walk: a code works once, and a second use ends the tokens of the first (OAuth 2.1 §4.1.3)", () =>
  inFlow(async ({ world, browser, page }) => {
    const since = watch(world);
    const exchanged = await press(world, browser, page, "exchange");
    since();
    const replayed = await press(world, browser, exchanged, "replay_code");
    assertEquals([
      heading(replayed),
      world.journal.some(({ facts }) => facts.refusal?.reason === "code_replayed"),
    ], ["The code did not work twice", true]);
    // The client is confidential, so it asks by introspection.
    assertEquals(since(), [
      "POST /oauth2/token 400",
      "POST /oauth2/introspect 200",
      "POST /oauth2/introspect 200",
    ]);
    assertEquals(endedOf(replayed), ["Access token of step 1", "Refresh token of step 1"]);
    assertEquals(textAt(replayed, "proofs").match(/"active": false/g)?.length, 2);
    assertStringIncludes(textAt(replayed, "proof"), "active: false, active: false");
    assertStringIncludes(textAt(replayed, "rule"), "OAuth 2.1 §4.1.3");
  }, { client: "demo-confidential" }));

it("walk: a wrong verifier is refused, and ends no token of a used code (RFC 7636 §4.6)", async ({ world, browser, page }) => {
  const exchanged = await press(world, browser, page, "exchange");
  const tampered = await press(world, browser, exchanged, "tamper_verifier");
  assertEquals([heading(tampered), endedOf(tampered)], ["The wrong verifier was refused", []]);
  assert(world.journal.some(({ facts }) => facts.refusal?.reason === "verifier_wrong"));
  assertStringIncludes(textAt(tampered, "proofs"), "HTTP 200");
  assertStringIncludes(textAt(tampered, "rule"), "RFC 7636 §4.6");
  assertEquals(heading(await press(world, browser, tampered, "refresh")), "The tokens were refreshed");
});

it("walk: an old refresh token ends all tokens of the flow (OAuth 2.1 §4.3.1)", async ({ world, browser, page }) => {
  const exchanged = await press(world, browser, page, "exchange");
  assertEquals(choiceOf(exchanged, "reuse_refresh_token"), [
    true,
    "No refresh token has been replaced yet. Refresh first.",
  ]);
  const refreshed = await press(world, browser, exchanged, "refresh");
  assertEquals(endedOf(refreshed), ["Refresh token of step 1"]);
  const reused = await press(world, browser, refreshed, "reuse_refresh_token");
  assertEquals(heading(reused), "The old refresh token was refused");
  assert(world.journal.some(({ facts }) => facts.refusal?.reason === "refresh_reused"));
  assertEquals(endedOf(reused), [
    "Access token of step 1",
    "Access token of step 2",
    "Refresh token of step 2",
  ]);
  assertStringIncludes(textAt(reused, "proofs"), "HTTP 401");
});

test("walk: within refreshGrace the old refresh token gives the same new one, and ends nothing", () =>
  inFlow(async ({ world, browser, page }) => {
    const refreshed = await press(world, browser, await press(world, browser, page, "exchange"), "refresh");
    const reused = await press(world, browser, refreshed, "reuse_refresh_token");
    assertEquals([heading(reused), endedOf(reused)], ["The old refresh token worked again", []]);
    assertEquals(Object.keys(tokensOf(reused)).filter((name) => name.startsWith("Refresh")), [
      "Refresh token step 2",
      "Refresh token step 1",
    ]);
  }, { lifetimes: { refreshGrace: 60 } }));

test("walk: the API of the server takes a token that is for it, and userinfo does not (RFC 8707 §2)", () =>
  inFlow(async ({ world, browser, page }) => {
    const exchanged = await press(world, browser, page, "exchange");
    const [isDisabled, about] = choiceOf(exchanged, "call_api");
    assertEquals(isDisabled, true);
    assertStringIncludes(
      about,
      "It is for http://localhost:9000, and the API is http://localhost:9000/resource.",
    );
    const start = "/start?client_id=demo&resource=http%3A%2F%2Flocalhost%3A9000%2Fresource";
    assertStringIncludes(exchanged.html, `href="${start.replace("&", "&amp;")}"`);
    const consent = await browser.open(start);
    const arrived = await browser.submit(consent, { decision: "approve" });
    const second = await press(world, browser, arrived, "exchange");
    assertEquals(checksOf(second, "access_token")["aud"], "passed");
    assertEquals(choiceOf(second, "userinfo")[0], true);
    const called = await press(world, browser, second, "call_api");
    assertEquals(heading(called), "The API answered");
    assertStringIncludes(textAt(called, "act-response"), '"person": "alice"');
  }, { demoResource: "/resource" }));

it("walk: a code that expired on the open page leads back to the page, which says so", async ({ world, browser, page }) => {
  world.clock.advance(300);
  const since = watch(world);
  const response = await send(world, browser, page, "exchange");
  const back = await browser.open(response.headers.get("location")!);
  assertEquals([response.status, since()], [303, []]);
  assertMatch(textAt(back, "code-life"), /^The code expired at/);
  assertEquals(findById(readHtml(back.html), "exchange-form"), undefined);
});

it("walk: a code that a program used meanwhile leads back to the page, which says so", async ({ world, browser, page }) => {
  const values = ["code", "code-verifier", "redirect-uri"].map((id) => textAt(page, id));
  const [code, code_verifier, redirect_uri] = values as [string, string, string];
  const redeemed = await world.redeem(code, { client_id: "demo", code_verifier, redirect_uri });
  assertEquals(redeemed.status, 200);
  const response = await send(world, browser, page, "exchange");
  const back = await browser.open(response.headers.get("location")!);
  assertEquals([response.status, back.status], [303, 200]);
  assertMatch(textAt(back, "code-life"), /^The code has been exchanged/);
});

test("walk: a step is kept also if another server has just written its walk", () =>
  inFlow(async ({ world, browser, page }) => {
    assertEquals(statusesOf(await press(world, browser, page, "exchange")), ["200"]);
  }, { store: overtakenStore() }));

test("walk: its pages and requests are below the path of the issuer", () => {
  const issuer = "http://localhost:9000/realms/one";
  const options = {
    issuer,
    alg: "ES256",
    signingKeys: [sampleKey],
    login: "auto",
    demoResource: "/api",
  } as const;
  return inWorld(options, async (world) => {
    const browser = createBrowser(world);
    const api = encodeURIComponent("http://localhost:9000/api");
    const page = await browser.open(`${issuer}/start?client_id=demo&resource=${api}`);
    assertStringIncludes(page.html, 'action="/realms/one/authorized/walk"');
    const ticketOf = ({ html }: Page) => /name="walk" value="([^"]+)"/.exec(html)![1]!;
    const since = watch(world);
    const response = await sendTicket(world, browser, ticketOf(page), { step: "exchange" });
    const exchanged = await browser.open(new URL(response.headers.get("location")!, page.url).href);
    assertEquals([exchanged.status, heading(exchanged)], [200, "The code was exchanged"]);
    await sendTicket(world, browser, ticketOf(exchanged), { step: "call_api" });
    assertEquals(since().filter((each) => !each.includes("/authorized")), [
      "POST /realms/one/oauth2/token 200",
      "GET /realms/one/oauth2/jwks 200",
      "GET /api 200",
    ]);
  }, {});
});

test("walk: an opaque access token has no claims to check, and works", () =>
  inFlow(async ({ world, browser, page }) => {
    const exchanged = await press(world, browser, page, "exchange");
    assertStringIncludes(textAt(exchanged, "decoded-access_token"), "The access token is opaque");
    assertEquals(checksOf(exchanged, "id_token")["at_hash"], "passed");
    assertEquals(livesOf(exchanged), {
      access_token: ["in 1 h", world.issuer],
      id_token: ["in 1 h", "the client demo"],
      refresh_token: ["in 30 d", "this server, at its token endpoint"],
    });
    assertEquals(heading(await press(world, browser, exchanged, "userinfo")), "Userinfo answered");
  }, { accessTokens: "opaque" }));

const own = "https://as.test/authorized";

/** Reaches `/authorized` with a code of a flow that another application began. */
async function arrive(world: World, client_id: string, scope = "openid"): Promise<Omit<Flow, "world">> {
  const code = await world.code({ client_id, redirect_uri: own, scope, nonce: "n-1" });
  const browser = createBrowser(world);
  return { browser, page: await browser.open(`/authorized?code=${code}&state=af0ifjsldkj`) };
}

const foreign: ServerOptions = {
  clients: [
    { client_id: "app", redirect_uris: [own], grant_types: ["authorization_code"] },
    { client_id: "shop", client_secret: "SECRET-CANARY-1234", redirect_uris: [own] },
    {
      client_id: "signer",
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [{ kty: "EC", crv: "P-256", x: sampleKey.x!, y: sampleKey.y! }] },
      redirect_uris: [own],
    },
    { client_id: "bound", dpop_bound_access_tokens: true, redirect_uris: [own] },
  ],
};

test("walk: a code of another application needs its verifier", () =>
  inWorld(foreign, async (world) => {
    const { browser, page } = await arrive(world, "app", "read");
    assertEquals(findById(readHtml(page.html), "person"), undefined);
    const exchanged = await press(world, browser, page, "exchange", {
      client_id: "app",
      code_verifier: verifier,
    });
    assertEquals(heading(exchanged), "The code was exchanged");
    assertEquals(choiceOf(exchanged, "userinfo"), [true, "The access token lacks the scope openid."]);
    assertEquals(choiceOf(exchanged, "refresh"), [
      true,
      "The client got no refresh token. Its grant_types must have refresh_token.",
    ]);
    assertEquals(choiceOf(exchanged, "call_api"), [
      true,
      "This server has no API of its own. The flag --resource /resource adds one.",
    ]);
    const since = watch(world);
    const refused = await press(world, browser, exchanged, "revoke", { client_secret: "typed" });
    // A secret makes no other client of it: it may not introspect.
    assertEquals(since(), ["POST /oauth2/revoke 401"]);
    const revoked = await press(world, browser, refused, "revoke");
    assertStringIncludes(textAt(revoked, "act-request"), "token_type_hint=access_token");
  }));

test("walk: a wrong value of another application is refused, and the page offers another try while the code is good", () =>
  inWorld(foreign, async (world) => {
    const { browser, page } = await arrive(world, "shop");
    const refused = await press(world, browser, page, "exchange", {
      client_id: "shop",
      code_verifier: verifier,
      client_secret: "wrong",
    });
    assertEquals(heading(refused), "The server refused the code");
    assertStringIncludes(textAt(refused, "act-response"), '"error": "invalid_client"');
    const retryUrl = findById(readHtml(refused.html), "retry")!.attributes.get("href")!;
    assertEquals(retryUrl, new URL(page.url).pathname + new URL(page.url).search);
    const retry = await browser.open(retryUrl);
    const exchanged = await press(world, browser, retry, "exchange", {
      client_id: "shop",
      code_verifier: verifier,
      client_secret: "SECRET-CANARY-1234",
    });
    assertEquals([heading(exchanged), statusesOf(exchanged)], ["The code was exchanged", ["200", "401"]]);
  }));

test("walk: a typed secret is in no page, and each request needs it again", async () => {
  await using world = createWorld(foreign);
  const { browser, page } = await arrive(world, "shop");
  const typed = { client_id: "shop", code_verifier: verifier, client_secret: "SECRET-CANARY-1234" };
  const exchanged = await press(world, browser, page, "exchange", typed);
  assertStringIncludes(textAt(exchanged, "act-request"), "authorization: Basic ••••••••");
  assertEquals(
    heading(await press(world, browser, exchanged, "refresh")),
    "The server refused the refresh token",
  );
  const since = watch(world);
  const unproven = await press(world, browser, await browser.open(exchanged.url), "replay_code");
  // Without its secret, the client cannot introspect.
  assertEquals(since(), ["POST /oauth2/token 401", "GET /userinfo 200"]);
  assertEquals([heading(unproven), endedOf(unproven)], ["The server refused the request", []]);
  assertStringIncludes(textAt(unproven, "meaning"), "its credentials are wrong");
  const again = await browser.open(exchanged.url);
  const refreshed = await press(world, browser, again, "refresh", { client_secret: "SECRET-CANARY-1234" });
  assertEquals(heading(refreshed), "The tokens were refreshed");
  for (const { html } of [exchanged, refreshed]) {
    assertFalse(/SECRET-CANARY|c2hvcDpTRUNSRVQ/.test(html));
  }
});

const rows = [
  ["signer", /signs an assertion with a key of its own/],
  ["bound", /bound to a key \(DPoP\)/],
] as const;
for (const [client, because] of rows) {
  test(`walk: the page cannot act for the client ${client}, says why, and shows the commands`, () =>
    inWorld({ ...foreign, login: "picker", mtls: {} }, async (world) => {
      const browser = createBrowser(world);
      const asked = { client_id: client, redirect_uri: own, scope: "openid" };
      const consent = await browser.submit(await browser.open(world.authorizeUrl(asked)), {
        person: "alice",
      });
      const page = await browser.submit(consent, { decision: "approve" });
      assertMatch(textAt(page, "no-exchange"), because);
      const document = readHtml(page.html);
      assertEquals(findById(document, "exchange-form"), undefined);
    }));
}
