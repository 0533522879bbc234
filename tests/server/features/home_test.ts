/** The front page over HTTP, and its links that start a flow. */

import { assertEquals, assertFalse, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import type { ServerOptions } from "../../../src/mod.ts";
import { assertRefusedOnPage } from "../oauth/refusals.ts";
import { byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { challenge, clients, inWorld, redirectUri, type World } from "../../world.ts";

const own = { client_id: "own", redirect_uris: ["https://as.test/authorized"] };
const options = { clients: [...clients, own] };

const it = testInWorld(options);

it("home: shows the issuer, every client, every person and every endpoint", async (world) => {
  const document = readHtml(await (await world.get("/")).text());
  assertEquals(textOf(byId(document, "issuer")), world.issuer);
  const listed = (id: string) => textOf(byId(document, id));
  for (const { client_id } of options.clients) assertMatch(listed("clients"), new RegExp(client_id));
  for (const person of ["Alice Adams", "Bob Brown"]) assertMatch(listed("people"), new RegExp(person));
  for (const path of ["authorize", "token", "jwks"]) {
    assertMatch(listed("endpoints"), new RegExp(`https://as\\.test/oauth2/${path}`));
  }
  assertEquals(listed("automatic").includes("alice"), true);
});

for (const issuer of ["https://as.test", "https://as.test/tenant", "https://as.test/tenant/"]) {
  test(`home: with the issuer ${issuer}, links to the OpenID metadata`, () =>
    inWorld({ issuer }, async (world) => {
      const base = issuer.replace(/\/$/, "");
      const link = byId(readHtml(await (await world.get(`${base}/`)).text()), "metadata");
      const url = textOf(link);
      assertEquals(url, `${base}/.well-known/openid-configuration`);
      assertEquals(new URL(link.attributes.get("href")!, base).href, url);
      assertEquals((await (await world.get(url)).json()).issuer, issuer);
    }));
}

test("home: without OpenID discovery, links to the other metadata, if any", async () => {
  const features = (left: readonly string[]) =>
    defaultFeatures({ ...everyFeature, firstUse: false }).filter(({ name }) =>
      !["openid_discovery", "server_metadata"].includes(name) || left.includes(name)
    );
  const issuer = "https://as.test/tenant";
  const linked = async (left: readonly string[]) => {
    let href: string | undefined;
    await inWorld({ issuer, features: features(left) }, async (world) => {
      href = findById(readHtml(await (await world.get("/")).text()), "metadata")?.attributes.get("href");
    });
    return href;
  };
  assertEquals(await linked(["server_metadata"]), "/.well-known/oauth-authorization-server/tenant");
  assertEquals(await linked([]), undefined);
});

const robots = [
  { client_id: "robot", client_secret: "s" },
  {
    client_id: "worker",
    client_secret: "s",
    grant_types: ["client_credentials"],
    redirect_uris: ["https://w.test/cb"],
  },
];

async function startsOf(world: World): Promise<readonly string[]> {
  const links = findAll(readHtml(await (await world.get("/")).text()), "a");
  return links.map(({ attributes }) => attributes.get("href")!).filter((href) => /start/.test(href));
}

test("home: has a start link for every client with sign-in, and first for one whose flow ends here", () =>
  inWorld({ clients: [...robots, ...options.clients] }, async (world) => {
    const [first, ...each] = await startsOf(world);
    assertEquals(first, "/start?client_id=own");
    assertEquals(each, [...clients, own].map(({ client_id }) => `/start?client_id=${client_id}`));
    for (const url of each) {
      const { status, headers } = await world.get(url);
      const asked = new URL(headers.get("location")!);
      assertEquals([status, asked.pathname], [303, "/oauth2/authorize"]);
      const back = new URL((await world.get(asked.href)).headers.get("location")!);
      const [uri] = options.clients.find(({ client_id }) => url.endsWith(`=${client_id}`))!.redirect_uris!;
      assertEquals([back.origin + back.pathname, back.searchParams.has("code")], [uri, true]);
    }
  }));

test("home: without a client that ends here, the first link is for the first client that can start", () =>
  inWorld({ clients: [...robots, ...clients] }, async (world) => {
    assertEquals((await startsOf(world))[0], "/start?client_id=public");
  }));

const rows = [
  ["robot", "client_cannot_start"],
  ["worker", "client_cannot_start"],
  ["unknown", "client_unknown"],
  ["__proto__", "client_unknown"],
] as const;
for (const [client_id, reason] of rows) {
  test(`start: ${client_id} is refused (${reason})`, () =>
    inWorld({ clients: [...robots, ...options.clients] }, async (world) => {
      const response = await world.get(`/start?client_id=${client_id}`);
      await assertRefusedOnPage(world, response, { error: "invalid_request", reason });
    }));
}

test("home: a client that must push or sign has no link, and the page says what to do (RFC 9126 §6)", () => {
  const pushing = { ...clients[0]!, require_pushed_authorization_requests: true };
  return inWorld({ clients: [pushing, clients[1]!] }, async (world) => {
    assertEquals(await startsOf(world), ["/start?client_id=basic", "/start?client_id=basic"]);
    const html = await (await world.get("/")).text();
    assertStringIncludes(
      html,
      "Start in the application: this client must send each request as a pushed request.",
    );
    const own = `redirect_uri=${encodeURIComponent(redirectUri)}&state=s&code_challenge=${challenge}`;
    for (const query of ["client_id=public", `client_id=public&${own}`, own]) {
      const response = await world.get(`/start?${query}`);
      const expected = { error: "invalid_request", reason: "client_cannot_start" };
      const page = await assertRefusedOnPage(world, response, expected);
      assertStringIncludes(page, "start it in the application");
      assertEquals(world.lastRefusal()?.spec, "RFC 9126 §6");
    }
  });
});

test("home: if every client must push and sign, no link starts a flow (RFC 9101 §10.5)", () =>
  inWorld({ ...options, requirePushedRequests: true, requireSignedRequests: true }, async (world) => {
    assertEquals(await startsOf(world), []);
    const html = await (await world.get("/")).text();
    assertStringIncludes(html, "as a pushed request and a signed request object.");
  }));

for (const frontPage of ["full", "issuer"] as const) {
  test(`start: with a client that cannot start, the page lists those that can (${frontPage})`, () =>
    inWorld({ frontPage, clients: [...robots, ...options.clients] }, async (world) => {
      const queries = [
        ...(frontPage === "issuer" ? [["", "client_id_missing"] as const] : []),
        ["?client_id=nobody", "client_unknown"],
        ["?client_id=robot", "client_cannot_start"],
      ] as const;
      for (const [query, reason] of queries) {
        const expected = { error: "invalid_request", reason };
        const answer = await world.get(`/start${query}`);
        const page = readHtml(await assertRefusedOnPage(world, answer, expected));
        const list = findById(page, "clients");
        // The page says an id once, also where it is the name.
        for (const row of list === undefined ? [] : findAll(list, "li")) {
          assertFalse(/^(\S+) ?\1$/.test(textOf(row)), textOf(row));
        }
        assertEquals(
          list === undefined ? [] : findAll(list, "a").map(({ attributes }) => attributes.get("href")),
          frontPage === "issuer"
            ? []
            : [...clients, own].map(({ client_id: id }) => `/start?client_id=${id}`),
        );
      }
    }));
}

it("start: without a client, the link leads to the clients of the front page", async (world) => {
  const answer = await world.get("/start");
  assertEquals([answer.status, answer.headers.get("location")], [303, "/#clients"]);
  assertEquals(world.lastRefusal(), undefined);
  const table = byId(readHtml(await (await world.get("/")).text()), "clients");
  const titles = findAll(table, "a").map(({ attributes }) => attributes.get("title")).filter(Boolean);
  assertEquals(titles.length, [...clients, own].length);
  assertEquals(titles.at(-1), `The login ends at ${world.issuer}/authorized`);
});

it("start: what the link repeats has a bound", async (world) => {
  // The characters take three times the place when they are encoded.
  const long = '"'.repeat(3_000);
  const own = { redirect_uri: redirectUri, state: "s", code_challenge: challenge };
  const links = [
    { ...own, redirect_uri: `${redirectUri}?${long}` },
    { ...own, state: long },
    { resource: `https://api.test/${long}` },
  ];
  for (const link of links) {
    const query = `${new URLSearchParams({ client_id: "public", ...link })}`.replaceAll("%22", '"');
    const response = await world.get(`/start?${query}`);
    const expected = { error: "invalid_request", reason: "start_too_long" };
    const html = await assertRefusedOnPage(world, response, expected);
    assertEquals(findById(readHtml(html), "clients"), undefined);
  }
});

test("start: finds the client of a redirect URI, and uses the page's own state and challenge", () =>
  inWorld(
    { clients: [...clients, { client_id: "app", redirect_uris: ["http://127.0.0.1/done"] }] },
    async (world) => {
      const query = { redirect_uri: "http://127.0.0.1:4000/done", state: "mine", code_challenge: challenge };
      const { headers } = await world.get(`/start?${new URLSearchParams(query)}`);
      const asked = new URL(headers.get("location")!).searchParams;
      for (const [name, value] of Object.entries({ ...query, client_id: "app" })) {
        assertEquals(asked.get(name), value);
      }
      assertEquals([asked.get("code_challenge_method"), headers.get("set-cookie")], ["S256", null]);
    },
  ));

const asked = async (world: World, query: string) =>
  new URL((await world.get(`/start?${query}`)).headers.get("location")!).searchParams;

it("start: the request has every parameter of the link (OpenID Connect Core §3.1.2.1)", async (world) => {
  const link = {
    scope: "openid email",
    prompt: "select_account",
    max_age: "60",
    login_hint: "bob",
    acr_values: "gold",
    ui_locales: "de",
    display: "popup",
    claims: '{"userinfo":{"email":null}}',
    response_mode: "form_post",
    dpop_jkt: challenge,
    authorization_details: "[]",
    unknown: "a b",
  };
  const resources = ["https://api.test/", "https://other.test/"];
  const own = { redirect_uri: redirectUri, state: "mine", code_challenge: challenge, nonce: "n" };
  for (const more of [{}, own]) {
    const query = new URLSearchParams({ client_id: "public", ...link, ...more });
    for (const each of resources) query.append("resource", each);
    const params = await asked(world, `${query}`);
    for (const [name, value] of Object.entries({ ...link, ...more })) {
      assertEquals(params.getAll(name), [value], name);
    }
    assertEquals(params.getAll("resource"), resources);
    const usual = ["response_type", "code_challenge_method"].map((name) => params.getAll(name));
    assertEquals(usual, [["code"], ["S256"]]);
  }
});

it("start: the server's own state, nonce and challenge replace single ones of a link (RFC 9700 §2.1.1)", async (world) => {
  for (const name of ["state", "nonce", "code_challenge"]) {
    const params = await asked(world, `client_id=own&${name}=mine&code_challenge_method=plain&prompt=`);
    assertNotEquals(params.get(name), "mine");
    const all = ["state", "nonce", "code_challenge", "code_challenge_method", "prompt"];
    assertEquals(all.map((each) => params.getAll(each).length), [1, 1, 1, 1, 0]);
    assertEquals(params.get("code_challenge_method"), "S256");
  }
  assertEquals((await asked(world, "client_id=own&scope=read&nonce=mine")).has("nonce"), false);
});

it("start: the request repeats what a link repeats (OAuth 2.1 §3.1)", async (world) => {
  const params = await asked(world, "client_id=own&prompt=login&prompt=none");
  assertEquals(params.getAll("prompt"), ["login", "none"]);
});

const isWhole = async (world: World) => {
  const html = await (await world.get("/")).text();
  const shown = ["clients", "people"].filter((id) => findById(readHtml(html), id) !== undefined);
  const leaks = ["Alice Adams", "alice@example.com", "public", "app.example", "/start"].filter((text) =>
    html.includes(text)
  );
  assertEquals(textOf(byId(readHtml(html), "issuer")), world.issuer);
  return [shown.length, leaks.length];
};

const reaches: readonly (readonly [issuer: string, isElsewhere: boolean])[] = [
  ["http://localhost:9000", false],
  ["http://[::1]:9000/tenant", false],
  ["https://as.test", false],
  ["https://id.shop.com", true],
  ["https://localhost.shop.com", true],
  // https without --tls-cert means a proxy in front, which other machines may reach.
  ["https://localhost:9000", true],
];

for (const [issuer, isElsewhere] of reaches) {
  test(`home: with the issuer ${issuer}, shows ${isElsewhere ? "no configuration" : "the configuration"} by default`, async () => {
    const whole = [2, 5], nothing = [0, 0];
    const seen = async (more: ServerOptions) => {
      let found: readonly number[] = [];
      await inWorld({ issuer, ...more }, async (world) => void (found = await isWhole(world)));
      return found;
    };
    assertEquals(await seen({}), isElsewhere ? nothing : whole);
    assertEquals(await seen({ frontPage: "full" }), whole);
    assertEquals(await seen({ frontPage: "issuer" }), nothing);
  });
}

it("start: each flow has its own state and challenge, also in one browser", async (world) => {
  const first = await world.get("/start?client_id=own");
  const cookie = first.headers.get("set-cookie")!.split(";")[0]!;
  const second = await world.get("/start?client_id=own", { cookie });
  assertEquals([first.status, second.status, second.headers.get("set-cookie")], [303, 303, null]);
  const [one, other] = [first, second].map((response) =>
    new URL(response.headers.get("location")!).searchParams
  );
  for (const name of ["state", "code_challenge"]) assertNotEquals(one!.get(name), other!.get(name));
});

test("home: says why a client cannot start a flow", () =>
  inWorld({
    clients: [
      { client_id: "machine", client_secret: "x", grant_types: ["client_credentials"], response_types: [] },
    ],
  }, async (world) => {
    const text = textOf(byId(readHtml(await (await world.get("/")).text()), "clients"));
    assertStringIncludes(text, "its grant_types lack authorization_code");
  }));

test("start: the usual scope is a sign-in and the scopes of the configuration, or those of the client", () =>
  inWorld({
    clients: [own, { ...own, client_id: "narrow", scope: "orders" }],
    scopes: { orders: "Orders" },
  }, async (world) => {
    const scopes = await Promise.all(["own", "narrow"].map((id) => asked(world, `client_id=${id}`)));
    assertEquals(scopes.map((params) => params.get("scope")), ["openid profile orders", "orders"]);
  }));
