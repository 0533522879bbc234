/** The callback page over HTTP: it shows the parameters, redeems no code, and is not cached. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { encodePart } from "../../../src/ground/crypto/bytes.ts";
import type { Seams } from "../../../src/mod.ts";
import { assertTokens } from "../oauth/refusals.ts";
import { byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { encryptingClient } from "../tokens/encryption.ts";
import { createBrowser, createWorld, inWorld, type World } from "../../world.ts";

const own = "https://as.test/authorized";
const ownClient = { client_id: "own", redirect_uris: [own] };
const options = {
  clients: [ownClient, { client_id: "secretive", client_secret: "SECRET-CANARY", redirect_uris: [own] }],
};
const asked = { client_id: "own", redirect_uri: own };

async function show(
  world: World,
  query: string,
): Promise<{ response: Response; document: ReturnType<typeof readHtml>; html: string }> {
  const response = await world.get(`/authorized${query}`);
  const html = await response.text();
  return { response, html, document: readHtml(html) };
}

const it = testInWorld(options);

it("callback page: shows a member of a JWT that no text can be made of (JARM §2.1)", async (world) => {
  const [header, claims] = [{ alg: "ES256" }, { code: { toString: null } }].map((each) => encodePart(each));
  const { response, html } = await show(world, `?response=${header}.${claims}.x`);
  assertEquals(response.status, 200);
  assertStringIncludes(html, "toString");
});

it("callback page: has no link to an address of the query (OAuth 2.1 §7.13.1)", async (world) => {
  const evil = "https://evil.test/";
  const names = ["redirect_uri", "return_to", "homeUrl", "iss", "state", "code", "error", "error_uri"];
  for (const name of names) {
    const { response, document } = await show(world, `?${new URLSearchParams({ [name]: evil })}`);
    assertEquals([response.status, response.headers.get("location"), response.headers.get("refresh")], [
      200,
      null,
      null,
    ]);
    for (const { attributes } of findAll(document, "a")) {
      assertEquals(new URL(attributes.get("href")!, world.issuer).origin, world.issuer);
    }
  }
});

const others = {
  clients: [
    { client_id: "elsewhere", redirect_uris: ["https://app.example/cb"] },
    { client_id: "first", redirect_uris: [own] },
    { client_id: "second", redirect_uris: [own] },
  ],
};

function startOf({ html }: { readonly html: string }): string | undefined {
  return findById(readHtml(html), "start")?.attributes.get("href");
}

test("callback page: its start link is for the same client, after success and failure", () =>
  inWorld({ ...others, login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const asked = { client_id: "second", redirect_uri: own };
    const refused = await browser.open(world.authorizeUrl({ ...asked, code_challenge: undefined }));
    assertStringIncludes(refused.url, "error=invalid_request");
    assertEquals(startOf(refused), "/start?client_id=second");
    const asks = await browser.open(startOf(refused)!);
    const denied = await browser.submit(asks, { decision: "deny" });
    assertEquals([new URL(denied.url).searchParams.get("error"), startOf(denied)], [
      "access_denied",
      "/start?client_id=second",
    ]);
    const consent = await browser.submit(await browser.open(startOf(denied)!), { person: "alice" });
    const approved = await browser.submit(consent, { decision: "approve" });
    assertEquals(startOf(approved), "/start?client_id=second");
    world.clock.advance(7200);
    const forgotten = await browser.open(approved.url);
    assertStringIncludes(forgotten.html, "no longer knows");
    assertEquals(startOf(forgotten), "/start?client_id=second");
    // In another browser the flow is unknown, so the link is for the first client that ends here.
    assertEquals(startOf(await createBrowser(world).open(denied.url)), "/start?client_id=first");
  }));

test("callback page: without a client that ends here, the start link is for the first that can start, if any", async () => {
  const [elsewhere] = others.clients;
  await inWorld({ clients: [{ client_id: "robot", client_secret: "s" }, elsewhere!] }, async (world) => {
    assertEquals(startOf(await show(world, "?error=access_denied")), "/start?client_id=elsewhere");
    assertEquals((await world.get("/start?client_id=elsewhere")).status, 303);
  });
  await using world = createWorld({ clients: [] });
  assertEquals(startOf(await show(world, "?error=access_denied")), undefined);
});

test("callback page: with frontPage issuer, it names only a client that the browser has used", () =>
  inWorld({ ...others, frontPage: "issuer" }, async (world) => {
    assertEquals(startOf(await show(world, "?error=access_denied")), undefined);
    const code = await world.code({ client_id: "second", redirect_uri: own });
    assertEquals(startOf(await show(world, `?code=${code}`)), "/start?client_id=second");
  }));

test("callback page: a cookie that names no client is ignored", () =>
  inWorld(others, async (world) => {
    const browser = createBrowser(world);
    await browser.open(world.authorizeUrl({ client_id: "second", redirect_uri: own }));
    const [name] = [...browser.cookies.keys()].filter((each) => each.includes("client"));
    for (const value of ["", "!", "_w", "bm9ib2R5"]) {
      const response = await world.get("/authorized?error=x", { cookie: `${name}=${value}` });
      assertEquals(startOf({ html: await response.text() }), "/start?client_id=first", value);
    }
  }));

it("callback page: does not redeem the code, so it can be reloaded (RFC 9207 §2.4)", async (world) => {
  const location = (await world.authorize(asked)).headers.get("location")!;
  for (let time = 0; time < 3; time++) {
    const { document } = await show(world, new URL(location).search);
    assertMatch(textOf(byId(document, "code-life")), /^The code expires at/);
  }
  const code = new URL(location).searchParams.get("code")!;
  await assertTokens(await world.redeem(code, asked));
  const { response, document } = await show(world, new URL(location).search);
  assertEquals(response.status, 200);
  assertMatch(textOf(byId(document, "code-life")), /has been exchanged/);
});

it("callback page: an answer of another issuer causes a warning, on failures as well (RFC 9207 §2.4)", async (world) => {
  for (const rest of ["code=abc", "error=access_denied"]) {
    const iss = (issuer: string) => show(world, `?${rest}&iss=${encodeURIComponent(issuer)}`);
    for (const foreign of ["https://evil.test", "https://as.test/", "HTTPS://as.test"]) {
      assertStringIncludes(textOf(byId((await iss(foreign)).document, "foreign-issuer")), foreign);
    }
    assertEquals(findById((await iss("https://as.test")).document, "foreign-issuer"), undefined);
    assertEquals(findById((await show(world, `?${rest}`)).document, "foreign-issuer"), undefined);
  }
});

test("callback page: shows when the code expires by the server's clock, and that it has expired", () =>
  inWorld({ ...options, lifetimes: { code: 60 } }, async (world) => {
    const { search } = new URL((await world.authorize(asked)).headers.get("location")!);
    const read = async () => {
      const { document } = await show(world, search);
      return [
        textOf(byId(document, "code-life")),
        textOf(document).includes("The client has an authorization code"),
      ] as const;
    };
    assertEquals(await read(), ["The code expires at 08:01:00 UTC, in about a minute.", true]);
    world.clock.advance(60);
    const [life, isGood] = await read();
    assertMatch(life, /^The code expired at 08:01:00 UTC/);
    assertEquals(isGood, false);
  }));

it("callback page: shows facts of a code only for the complete code", async (world) => {
  const code = await world.code(asked);
  const [id = ""] = code.split(".");
  for (const other of [id, `${id}.`, `${id}.${"A".repeat(43)}`, code.slice(0, -1), "made-up"]) {
    const { document } = await show(world, `?code=${other}`);
    assertEquals(findAll(document, "h1").map(textOf), ["Authorization Successful!"]);
    assertMatch(textOf(document), /a code that the server does not know, or no longer knows/);
    const example = textOf(byId(document, "example-public"));
    assertEquals([findById(document, "code-life"), example.includes("client_id=own")], [undefined, false]);
  }
  const { document } = await show(world, `?code=${code}`);
  assertEquals(findAll(document, "h1").map(textOf), ["Authorization Successful!"]);
  assertStringIncludes(textOf(byId(document, "example-public")), "client_id=own");
});

it("callback page: never shows a configured secret", async (world) => {
  const code = await world.code({ ...asked, client_id: "secretive" });
  const pages = [await show(world, `?code=${code}`), await show(world, "?error=x")];
  const home = await (await world.get("/")).text();
  for (const html of [...pages.map(({ html }) => html), home]) {
    assertEquals(html.includes("SECRET-CANARY"), false);
  }
  assertStringIncludes(pages[0]!.html, "--user");
});

it("callback page: accepts a posted answer (Form Post Response Mode §2)", async (world) => {
  const response = await world.post("/authorized", { code: "abc", state: "xyz", iss: world.issuer });
  const document = readHtml(await response.text());
  assertEquals([response.status, textOf(byId(document, "code")), textOf(byId(document, "state"))], [
    200,
    "abc",
    "xyz",
  ]);
  const json = await world.post("/authorized", "{}", { "content-type": "application/json" });
  assertEquals([json.status, world.lastRefusal()?.reason], [400, "not_a_form"]);
});

test("callback page: with an issuer that has a path and a final slash, the page and all its links are below it", () => {
  const asked = { client_id: "own", redirect_uri: "https://as.test/tenant/authorized" };
  const clients = [{ client_id: "own", redirect_uris: [asked.redirect_uri] }];
  return inWorld({ issuer: "https://as.test/tenant/", clients }, async (world) => {
    const { document } = await show(world, `?code=${await world.code(asked)}`);
    assertEquals(textOf(byId(document, "token-endpoint")), "https://as.test/tenant/oauth2/token");
    const targets = ["a", "link", "script", "img"].flatMap((name) => findAll(document, name))
      .map(({ attributes }) => attributes.get("href") ?? attributes.get("src")!)
      .filter((target) => !target.startsWith("#"));
    for (const target of targets) {
      const { status } = await world.get(new URL(target, asked.redirect_uri).href);
      assertEquals([target.startsWith("/tenant/"), status < 400], [true, true], target);
    }
    assertEquals(targets.length > 5, true);
  });
});

/** Opens the page with the answer to a request for a JWT. */
async function showJwt(
  world: World,
  changed: Readonly<Record<string, string>> = {},
): Promise<ReturnType<typeof readHtml>> {
  const response = await world.authorize({ ...asked, response_mode: "jwt", ...changed });
  const { search } = new URL(response.headers.get("location")!);
  return (await show(world, search)).document;
}

it("callback page: a response that is a JWT is taken apart, and its code can be exchanged (JARM §2.4)", async (world) => {
  const document = await showJwt(world);
  assertEquals(textOf(findAll(document, "h1")[0]!), "Authorization Successful!");
  await assertTokens(await world.redeem(textOf(byId(document, "code")), asked));
  const text = textOf(byId(document, "response-jwt"));
  const shown = ['"aud"', '"exp"', '"code"', '"alg"', "af0ifjsldkj", "Copy the JWT of the response"];
  for (const each of shown) assertStringIncludes(text, each);
  assertEquals(textOf(byId(document, "iss")), world.issuer);
});

it("callback page: an error in a JWT is shown with the JWT (JARM §2.1)", async (world) => {
  const document = await showJwt(world, { resource: "relative" });
  assertEquals(textOf(byId(document, "error")), "invalid_target");
  assertStringIncludes(textOf(byId(document, "response-jwt")), '"error"');
});

for (const [claim, value] of [["aud", "another"], ["iss", "https://other.test"], ["exp", 1]] as const) {
  test(`callback page: a JWT with a wrong ${claim} is refused, and its code is not offered (JARM §2.4)`, () => {
    const seams: Seams = {
      jwt: (jwt) =>
        jwt.token === "authorization_response" ? { ...jwt, claims: { ...jwt.claims, [claim]: value } } : jwt,
    };
    return inWorld({ ...options, seams }, async (world) => {
      const document = await showJwt(world);
      assertEquals(textOf(findAll(document, "h1")[0]!), "Authorization Failed");
      assertEquals([findById(document, "code"), findById(document, "exchange")], [undefined, undefined]);
      assertStringIncludes(textOf(document), "a JWT that a client must refuse");
    });
  });
}

it("callback page: parameters beside the JWT say nothing (JARM §2.3)", async (world) => {
  for (const state of ["af0ifjsldkj", ""]) {
    const response = await world.authorize({ ...asked, response_mode: "jwt", state });
    const { search } = new URL(response.headers.get("location")!);
    const { document } = await show(world, `${search}&error=access_denied&state=forged&iss=forged`);
    assertEquals(textOf(findAll(document, "h1")[0]!), "Authorization Successful!");
    assertEquals(textOf(document).includes("forged"), false);
  }
});

it("callback page: a JWT that the server did not sign is refused (JARM §2.4)", async (world) => {
  const response = await world.authorize({ ...asked, response_mode: "jwt" });
  const { search } = new URL(response.headers.get("location")!);
  const { document } = await show(world, search.replace(/[^.]+$/, "AAAA"));
  assertStringIncludes(textOf(document), "a JWT that a client must refuse");
});

test("callback page: an encrypted response is for the client alone (JARM §2.2)", () => {
  const client = { ...encryptingClient({ authorization_encrypted_response_alg: "ECDH-ES" }), ...ownClient };
  return inWorld({ clients: [client] }, async (world) => {
    const document = await showJwt(world);
    assertEquals(textOf(findAll(document, "h1")[0]!), "The response is encrypted");
    assertStringIncludes(textOf(document), "Only the client can decrypt it");
    assertEquals(textOf(document).includes("Authorization Failed"), false);
    assertEquals(findById(document, "response-jwt"), undefined);
  });
});
