/** The playground: builds requests, and says what the server would answer. */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import type { ServerOptions } from "../../../src/mod.ts";
import { challengeOf } from "../../world.ts";
import { unescapeHtml } from "../../../src/kit/mock/client/html.ts";
import { findById, readHtml, textOf as readText } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import {
  formTokenOf,
  openControlled,
  type OpenedDashboard,
  openPlain,
  origin,
  requireOwnLinks,
} from "./open_dashboard.ts";

const path = "/playground";

async function page(from: Pick<OpenedDashboard, "send">, query = ""): Promise<string> {
  const response = await from.send(path + query);
  assertEquals(response.status, 200, query);
  return await response.text();
}

/** Sends the form as the page does. */
async function build(
  from: OpenedDashboard,
  request: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const token = formTokenOf(await page(from, `?kind=${request}`), path);
  return await from.post(path, { form_token: token, kind: request, ...fields });
}

async function built(
  from: OpenedDashboard,
  request: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await build(from, request, fields);
  if (response.status === 200) return await response.text();
  return await follow(from, response);
}

/** Opens the page to which the form leads. */
async function follow(from: OpenedDashboard, response: Response): Promise<string> {
  assertEquals(response.status, 303);
  return await page(from, response.headers.get("location")!.slice(path.length).replace(/#.*/, ""));
}

function textOf(html: string, id: string): string {
  const element = findById(readHtml(html), id);
  return element === undefined ? "" : readText(element);
}

const outcomeOf = (html: string) => /id="check" data-outcome="(\w+)"/.exec(html)?.[1];

const startOf = (html: string) => unescapeHtml(/id="start" href="([^"]*)"/.exec(html)?.[1] ?? "");

const kindsOf = (html: string) => [...html.matchAll(/\?kind=([\w.]+)"/g)].map(([, kind]) => kind);

test("playground: the main button sends only a request that the server would accept", async () => {
  const faceOf = (html: string) => findById(readHtml(html), "start")?.attributes.get("class");
  assertEquals(faceOf(await page(openPlain())), "button primary");
  const refused = await page(
    openPlain(),
    "?kind=authorize&client_id=demo&redirect_uri=http://localhost:3000/x",
  );
  assertEquals([outcomeOf(refused), faceOf(refused)], ["refused", "button"]);
});

test("playground: the field that a refusal is about is marked as wrong", async () => {
  const wrongOf = (html: string) =>
    [...html.matchAll(/ id="field-(\w+)"[^>]* aria-invalid="true"/g)].map(([, name]) => name);
  const cases: readonly (readonly [query: string, wrong: string | undefined])[] = [
    ["kind=authorize", undefined],
    ["kind=authorize&client_id=demo&redirect_uri=http://localhost:3000/x", "redirect_uri"],
    ["kind=authorize&client_id=&redirect_uri=", "client_id"],
    [
      "kind=authorize&client_id=demo&redirect_uri=http://localhost:9000/authorized&response_type=code&pkce=none",
      "pkce",
    ],
    [
      "kind=authorize&response_type=code&client_id=demo&redirect_uri=http://localhost:9000/authorized&prompt=none",
      "prompt",
    ],
    ["kind=token.authorization_code&client_id=demo&code=x", "code"],
    ["kind=token.refresh_token&client_id=demo&refresh_token=x", "refresh_token"],
  ];
  for (const [query, wrong] of cases) {
    assertEquals(wrongOf(await page(openPlain(), `?${query}`)), wrong === undefined ? [] : [wrong], query);
  }
});

test("playground: the list of requests comes from the endpoints and the grant types of the server", async () => {
  const all = kindsOf(await page(openPlain()));
  const kinds = [
    "authorize",
    "par",
    "token.authorization_code",
    "token.refresh_token",
    "register",
    "logout",
  ];
  for (const each of kinds) {
    assert(all.includes(each), each);
  }
  const options: ServerOptions = { registration: false };
  assert(!kindsOf(await page(openPlain(options))).includes("register"));
});

test("playground: a field suggests the values that the metadata names, with each of its endings", async () => {
  const html = await page(openPlain(), "?kind=authorize");
  for (
    const known of [
      '"ui_locales-known"><option value="en"',
      '"code_challenge_method-known"><option value="S256"',
    ]
  ) {
    assertStringIncludes(html, known);
  }
});

test("playground: the field of the redirect URI suggests those of the chosen client, and only the scope lists names", async () => {
  const clients = ["one", "two"].map((id) => ({
    client_id: id,
    redirect_uris: [`https://${id}.example/cb`],
  }));
  for (const { client_id, redirect_uris: [uri] } of clients) {
    const html = await page(openPlain({ clients }), `?kind=authorize&client_id=${client_id}`);
    const [, suggested] = /id="redirect_uri-known"[^>]*>(.*?)<\/datalist>/.exec(html) ?? [];
    assertEquals(suggested, `<option value="${uri}"></option>`);
    assertEquals(html.match(/This server knows/g)?.length, 1);
  }
  const redirect_uris = Array.from({ length: 51 }, (_, at) => `https://many.example/${at}`);
  const many = await page(
    openPlain({ clients: [{ client_id: "many", redirect_uris }] }),
    "?kind=authorize&client_id=many",
  );
  assertEquals(many.match(/<option value="https:\/\/many/g)?.length, 50);
});

test("playground: the hint of the scope says whether other names than the known ones are accepted", async () => {
  const hint = async (options: ServerOptions) => textOf(await page(openPlain(options)), "scope-about");
  assertMatch(await hint({}), /This server knows .*phone, and accepts any other name\.$/);
  assertMatch(await hint({ scopes: { read: "Read" } }), /This server knows .*read\.$/);
});

test("playground: the PKCE pair is that of the request, and its arithmetic is right (RFC 7636 §4.2)", async () => {
  const html = await page(openPlain());
  const start = new URL(startOf(html), origin).searchParams;
  assertEquals(challengeOf(textOf(html, "verifier")), start.get("code_challenge"));
  assertEquals(textOf(html, "challenge"), start.get("code_challenge"));
  const octets = textOf(html, "verifier-hash").match(/../g)!.map((digits) => parseInt(digits, 16));
  assertEquals(
    btoa(String.fromCharCode(...octets)).replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    start.get("code_challenge"),
  );
});

test("playground: a started request ends at /authorized, which knows the verifier", async () => {
  const from = openPlain({ login: "auto" });
  const html = await page(from);
  const answer = await from.send(startOf(html), { headers: { "sec-fetch-site": "same-origin" } });
  assertEquals(answer.status, 303);
  const callback = new URL(answer.headers.get("location")!);
  const authorized = await (await from.send(callback.pathname + callback.search)).text();
  assertStringIncludes(authorized, textOf(html, "verifier"));
});

const mistakes: readonly (readonly [Readonly<Record<string, string>>, rule: RegExp])[] = [
  [{ client_id: "unknown" }, /not known|does not know|no client|unknown/i],
  [{ redirect_uri: "https://elsewhere.example/cb" }, /redirect URI is not registered/],
  [{ pkce: "none" }, /PKCE is required/],
  [{ pkce: "own", code_challenge: "x".repeat(43), code_challenge_method: "plain" }, /use S256/],
  [{ more: "scope=a" }, /scope must not be repeated/],
];

test("playground: each mistake is the refusal of the server itself, and nothing is recorded", async () => {
  const entries: unknown[] = [];
  const options: ServerOptions = {
    journal: (entry) => entries.push(entry),
    clients: [{ client_id: "app", redirect_uris: ["https://app.example/cb"] }],
    scopes: { openid: "Sign in", read: "Read" },
  };
  const from = openPlain(options);
  const right = {
    client_id: "app",
    redirect_uri: "https://app.example/cb",
    response_type: "code",
    scope: "openid",
    pkce: "page",
    state: "s",
  };
  const accepted = await built(from, "authorize", right);
  assertEquals(outcomeOf(accepted), "accepted", textOf(accepted, "check"));
  assertEquals(entries.length, 0);
  for (const [changed, sentence] of mistakes) {
    const before = entries.length;
    const html = await built(from, "authorize", { ...right, ...changed });
    assertEquals(entries.length, before);
    assertEquals(outcomeOf(html), "refused", JSON.stringify(changed));
    assertMatch(textOf(html, "check"), sentence);
    const start = await from.send(startOf(html));
    const location = start.headers.get("location");
    assert(
      start.status >= 400 || location?.includes("error="),
      `${JSON.stringify(changed)}: ${start.status}`,
    );
  }
});

test("playground: a refusal has the change that helps, the values and the rule", async () => {
  const html = await built(openPlain(), "authorize", {
    client_id: "demo",
    redirect_uri: `${origin}/authorized`,
  });
  assertEquals(outcomeOf(html), "refused");
  assertStringIncludes(html, "response_type_missing");
  assertMatch(html, /href="https:\/\/datatracker[^"]*"[^>]*>OAuth 2.1 §4.1.1</);
});

test("playground: a form without a secret has an address, and its link opens the same form", async () => {
  const from = openPlain();
  const fields = { client_id: "demo", scope: "openid a&b", pkce: "none", more: "a=1\n a = 2\n \n b " };
  const response = await build(from, "authorize", fields);
  const html = await follow(from, response);
  const shared = new URL(textOf(html, "share"));
  assertEquals(
    [...shared.searchParams],
    [["kind", "authorize"], ...Object.entries(fields)].sort((a, b) =>
      [...shared.searchParams.keys()].indexOf(a[0]!) - [...shared.searchParams.keys()].indexOf(b[0]!)
    ) as [string, string][],
  );
  const start = new URL(startOf(html), origin);
  assertEquals([...start.searchParams].filter(([name]) => /^\s*[ab]?\s*$/.test(name)), [
    ["a", "1"],
    ["a", " 2"],
    ["b", ""],
  ]);
});

test("playground: a login without openid has no nonce", async () => {
  const client = { client_id: "app", redirect_uris: ["https://app.example/cb"], scope: "read" };
  const from = openPlain({ clients: [client], scopes: { openid: "Sign in", read: "Read" } });
  const start = new URL(startOf(await page(from)), origin);
  assertEquals(["state", "nonce"].map((name) => start.searchParams.has(name)), [true, false]);
});

test("playground: a value keeps its first 32,000 characters", async () => {
  const html = await built(openPlain(), "register", { metadata: "x".repeat(32_001) });
  assertEquals(Math.max(...html.match(/x+/g)!.map(({ length }) => length)), 32_000);
});

test("playground: a token and a proof that were copied with line breaks are sent in one line", async () => {
  const html = await built(openPlain(), "userinfo", { access_token: "a.b\n.c", dpop: " d.e\r\n.f" });
  const { headers } = JSON.parse(unescapeHtml(/data-request="([^"]*)"/.exec(html)![1]!));
  assertEquals(headers, [["authorization", "DPoP a.b.c"], ["dpop", "d.e.f"]]);
});

test("playground: a shared link makes a new state and nonce each time, because they belong to one login", async () => {
  const from = openPlain();
  const fields = { client_id: "demo", scope: "openid", state: "the-first-state", nonce: "the-first-nonce" };
  const response = await build(from, "authorize", fields);
  const html = await follow(from, response);
  const shared = new URL(textOf(html, "share"));
  assertNotMatch(shared.href, /the-first/);
  const opened = await Promise.all([1, 2].map(() => page(from, shared.search)));
  const starts = opened.map((each) => new URL(startOf(each), origin).searchParams);
  for (const name of ["state", "nonce"]) {
    const [first, second] = starts.map((each) => each.get(name));
    assert(first && second && first !== second && first !== fields[name as keyof typeof fields], name);
  }
  assertEquals(starts.map((each) => each.get("scope")), ["openid", "openid"]);
  // A login without a nonce stays a login without a nonce.
  const bare = await build(from, "authorize", { client_id: "demo", scope: "openid", state: "s" });
  const link = textOf(await follow(from, bare), "share");
  assertEquals(
    new URL(startOf(await page(from, new URL(link).search)), origin).searchParams.get("nonce"),
    null,
  );
});

test("playground: secrets are in no address, and an address cannot fill in a secret", async () => {
  const from = openPlain();
  const secrets = { code: "a-code", code_verifier: "a-verifier", client_secret: "a-secret" };
  const response = await build(from, "token.authorization_code", {
    ...secrets,
    client_id: "demo-confidential",
    client_authentication: "client_secret_post",
  });
  assertEquals([response.status, response.headers.get("location")], [200, null]);
  const html = await response.text();
  assertNotMatch(textOf(html, "share"), /a-code|a-verifier|a-secret/);
  const query = new URLSearchParams({ kind: "token.authorization_code", ...secrets });
  assertNotMatch(await page(from, `?${query}`), /a-code|a-verifier|a-secret/);
  const more = await build(from, "authorize", { more: "client_secret=a-secret" });
  assertEquals([more.status, more.headers.get("location")], [200, null]);
});

test("playground: the request that it sends is the request that it shows", async () => {
  const from = openPlain();
  const html = await built(from, "token.client_credentials", {
    client_id: "demo-confidential",
    client_authentication: "client_secret_basic",
    client_secret: "demo-secret",
    scope: "read",
  });
  assertEquals(outcomeOf(html), "accepted");
  const { method, target, headers, body } = JSON.parse(
    unescapeHtml(/data-request="([^"]*)"/.exec(html)?.[1] ?? "{}"),
  );
  assertStringIncludes(
    textOf(html, "copy-curl"),
    `authorization: Basic ${btoa("demo-confidential:demo-secret")}`,
  );
  const answer = await from.send(target, { method, headers: Object.fromEntries(headers), body });
  assertEquals(answer.status, 200);
  const sent = await (await from.send(`${path}/sent?${new URLSearchParams({ method, path: target })}`))
    .json();
  assertMatch(sent.href, /^\/inspector\/[\w-]+$/);
  const other = await from.send(`${path}/sent?${new URLSearchParams({ method: "GET", path: target })}`);
  assertEquals(await other.json(), {});
});

test("playground: each kind of request can be built, and its check changes nothing", async () => {
  const from = await openControlled();
  const html = await page(from);
  const before = from.as.requests.length;
  for (const kind of kindsOf(html)) {
    assertMatch(outcomeOf(await page(from, `?kind=${kind}`)) ?? "", /accepted|refused/, kind);
  }
  assertEquals(from.as.requests.length, before);
});

test("playground: only its own page can send its form, and other sites get nothing", async () => {
  const from = openPlain();
  const foreign = { origin: "https://evil.test", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
  const token = formTokenOf(await page(from), path);
  const forgeries = [
    [{ form_token: token, kind: "authorize" }, foreign],
    [{ kind: "authorize" }, {}],
    [{ form_token: "x".repeat(43), kind: "authorize" }, {}],
  ] as const;
  for (const [fields, headers] of forgeries) {
    const response = await from.post(path, fields as Record<string, string>, { headers });
    assertEquals(response.status, 403);
    assertEquals(response.headers.get("access-control-allow-origin"), null);
  }
  for (const each of [path, `${path}/sent?method=GET&path=/`]) {
    assertEquals((await from.send(each, { headers: foreign })).status, 403);
  }
});

test("playground: a tenant has its own, with its own endpoints", async () => {
  const from = await openControlled();
  from.as.tenant("acme");
  const html = await (await from.send("/acme/playground")).text();
  assertMatch(startOf(html), /^\/acme\/oauth2\/authorize\?/);
  assertStringIncludes(textOf(html, "share"), `${origin}/acme/playground?`);
});

const hostile = [
  `"><svg onload=alert(1)></title><script>alert(1)</script>';//`,
  "javascript:alert(1)",
  "//evil.test/\u202e",
];

test("playground: a new form of a device login is one that the server accepts (RFC 8628 §3.1)", async () => {
  const usual = await page(openPlain(), "?kind=device_authorization");
  assertEquals(outcomeOf(usual), "accepted", textOf(usual, "check"));
  assertMatch(usual, /value="my-device"/);
  const tv = {
    client_id: "tv",
    client_secret: "a secret",
    grant_types: ["urn:ietf:params:oauth:grant-type:device_code"],
  };
  const shop = { client_id: "shop", redirect_uris: ["https://shop.test/cb"] };
  const configured = await page(openPlain({ clients: [shop, tv] }), "?kind=device_authorization");
  assertMatch(configured, /value="tv"/);
  for (const name of ["scope", "resource", "login_hint", "client_authentication", "dpop"]) {
    assertMatch(configured, new RegExp(`id="field-${name}"`), name);
  }
});

test("playground: the form of a user code has the code and no token (RFC 8628 §3.3)", async () => {
  const form = await built(openPlain(), "device_verification", { user_code: "WDJB-MJHT" });
  assertMatch(form, /id="field-user_code"[^>]*value="WDJB-MJHT"/);
  assertNotMatch(form, /id="field-access_token"/);
  assertEquals([outcomeOf(form), startOf(form)], [
    "accepted",
    "/oauth2/device_verification?user_code=WDJB-MJHT",
  ]);
});

test("playground: hostile text is inert in each field, and links lead to this server only", async () => {
  const from = openPlain();
  for (const kind of ["authorize", "token.authorization_code", "device_verification", "logout"]) {
    const form = await page(from, `?kind=${kind}`);
    const names = [...form.matchAll(/id="field-(\w+)" name/g)].map(([, name = ""]) => name);
    for (const text of hostile) {
      const html = await built(from, kind, Object.fromEntries(names.map((name) => [name, text])));
      assertNotMatch(html, /<svg onload|<script>/);
      // The fields and the sent request hold what the person typed. The text makes such characters visible.
      const outcome = html.slice(html.indexOf('id="answer"')).replace(/<[^>]*>/g, "");
      assertNotMatch(outcome, /\u202e/);
      requireOwnLinks(html);
      const start = startOf(html);
      if (start !== "") {
        assertMatch(start, /^\/(oauth2\/authorize|oauth2\/device_verification|connect\/logout)(\?|$)/);
      }
    }
  }
});
