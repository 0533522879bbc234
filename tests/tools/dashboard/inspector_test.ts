/** The inspector: its list, the page of one exchange, the diagram, the exports, and sending a request again. */

import {
  assert,
  assertEquals,
  assertFalse,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { recordRequest } from "../../../src/tools/cli/start/log.ts";
import { filterNames } from "../../../src/kit/mock/journal/filter.ts";
import * as toolAssets from "../../../src/tools/guard/asset_texts.ts";
import { assets } from "../../../src/server/pages/assets.ts";
import { attribute, findAll, findById, readHtml } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { verifier } from "../../world.ts";
import {
  formTokenOf,
  key,
  load,
  openControlled,
  type OpenedDashboard,
  openPlain,
  submit,
} from "./open_dashboard.ts";
import { isListedGroup, listIds, readItems, readRows } from "./read_rows.ts";
import { authorizePath, getCode, redeem, redirectUri, requestTokens, spa, spaOptions } from "./spa.ts";

const clients = [
  spa,
  { client_id: "shop", client_secret: "CLIENT-CANARY", redirect_uris: [redirectUri] },
];
const options = { ...spaOptions, clients };

function wrongVerifier(opened: OpenedDashboard): Promise<Response> {
  return getCode(opened).then((code) => redeem(opened, code, { code_verifier: "x".repeat(43) }));
}

test("inspector: a refused request names the settings of its client that it is about, and links to its page", async () => {
  const opened = openPlain(options);
  await opened.send(authorizePath({ redirect_uri: `${redirectUri}/` }));
  const refused = await load(opened, `/inspector/${listIds(await load(opened, "/inspector")).at(-1)}`);
  assertStringIncludes(refused, '<a href="/clients/client?id=spa">spa</a>');
  assertStringIncludes(refused, "none: a public client, which has no secret");
  assertMatch(
    refused,
    /Registered redirect URIs<\/dt><dd><span><code class="value address">https:\/\/app.example\/<wbr\/>cb</,
  );
  await redeem(opened, await getCode(opened));
  const [redeemed] = listIds(await load(opened, "/inspector?q=endpoint%3Atoken"));
  const answered = await load(opened, `/inspector/${redeemed}`);
  assertStringIncludes(answered, '<a href="/clients/client?id=spa">spa</a>');
  assertNotMatch(answered, /The client at this server/);
});

const settingsOf:
  readonly (readonly [what: string, send: (opened: OpenedDashboard) => unknown, ...terms: string[]])[] = [
    [
      "an unknown redirect URI",
      ({ send }) => send(authorizePath({ redirect_uri: "https://x.test" })),
      "Registered redirect URIs",
    ],
    ["a client without logins", ({ send }) => send(authorizePath({ client_id: "machine" })), "Grant types"],
    ["a login that the server starts", ({ send }) => send("/start?client_id=service"), "Grant types"],
    [
      "another grant type",
      (opened) => requestTokens(opened, { grant_type: "client_credentials" }),
      "Grant types",
    ],
    [
      "another scope",
      ({ send }) => send(authorizePath({ scope: "openid email" })),
      "Scopes that it may request",
    ],
    ["no PKCE", ({ send }) => send(authorizePath({ code_challenge: "", code_challenge_method: "" })), "PKCE"],
    ["a wrong verifier", wrongVerifier],
  ];

for (const [what, send, ...terms] of settingsOf) {
  test(`inspector: the refusal of ${what} has the settings of the client that it is about: ${terms.join()}`, async () => {
    const service = { client_id: "service", client_secret: "s3cret", grant_types: ["client_credentials"] };
    const machine = { ...service, client_id: "machine", redirect_uris: [redirectUri] };
    const shop = { ...spa, scope: "openid offline_access" };
    const opened = openPlain({ ...options, clients: [shop, service, machine] });
    await send(opened);
    const [id] = listIds(await load(opened, "/inspector?q=outcome%3Arefused"));
    const page = await load(opened, `/inspector/${id}`);
    const shown = [...page.slice(page.indexOf("The client at this server")).matchAll(/<dt>(.*?)<\/dt>/g)].map(
      ([, term]) => term,
    );
    assertEquals(shown.slice(0, 2 + terms.length), ["Client", "Authentication", ...terms]);
    const others = settingsOf.flatMap(([, , ...all]) => all).filter((term) => !terms.includes(term));
    assertFalse(others.some((term) => shown.includes(term)));
  });
}

test("inspector: a client without PKCE and nonce reads the rule, and which setting would change it", async () => {
  const portal = { client_id: "portal", client_secret: "portal-secret", require_pkce: false };
  const opened = openPlain({ ...options, clients: [{ ...portal, redirect_uris: [redirectUri] }] });
  const without = { client_id: "portal", nonce: "", code_challenge: "", code_challenge_method: "" };
  await opened.send(authorizePath(without));
  const refused = await load(opened, `/inspector/${listIds(await load(opened, "/inspector")).at(-1)}`);
  assertStringIncludes(refused, "The request needs PKCE or a nonce, and has neither");
  assertStringIncludes(refused, "<dt>PKCE</dt><dd>not required with a nonce");
  assertStringIncludes(refused, "With oauth_version 2.0, the client need not even send a nonce");
  assertNotMatch(refused, /require_pkce/);
});

test("inspector: a request in a trace names it, and the filter finds it (W3C Trace Context)", async () => {
  const opened = openPlain(options);
  const traceId = "0af7651916cd43dd8448eb211c80319c", parentId = "b7ad6b7169203331";
  await opened.send("/oauth2/jwks", { headers: { traceparent: `00-${traceId}-${parentId}-01` } });
  await opened.send("/oauth2/jwks");
  const [id, ...others] = listIds(await load(opened, `/inspector?q=trace%3A${traceId}`));
  assertEquals(others, []);
  const page = await load(opened, `/inspector/${id}`);
  for (const text of ["Trace", traceId, "Span of the caller", parentId]) assertStringIncludes(page, text);
});

test("inspector: the reason of a row is the cause, also where the answer hides it (OAuth 2.1 §3.2.4)", async () => {
  const opened = openPlain(options);
  const form = { grant_type: "client_credentials", client_id: "nobody", client_secret: "s" };
  const response = await opened.send("/oauth2/token", { method: "POST", body: new URLSearchParams(form) });
  assertEquals((await response.json()).error_description, "Client authentication failed");
  const [row] = readRows(await load(opened, "/inspector"));
  assertEquals(row?.reason, "This client is not known here");
});

test("inspector: a wrong secret is named as such, beside the header with it", async () => {
  const opened = openPlain(options);
  const authorization = `Basic ${btoa("shop:WRONG-CANARY")}`;
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  await opened.send("/oauth2/token", { method: "POST", body, headers: { authorization } });
  const list = await load(opened, "/inspector");
  const [row] = readRows(list);
  assertEquals(row?.reason, "The client secret is wrong");
  const detail = await load(opened, `/inspector/${row?.id}`);
  assertStringIncludes(detail, "The client secret is wrong");
  assertMatch(
    detail,
    /<b>authorization: Basic client_secret <\/b>…<\/code><\/td><td>[^<]+<span class="note">/,
  );
  assertNotMatch(detail, /WRONG-CANARY/);
});

test("inspector: the page of a refusal marks where the value differs, and names the code", async () => {
  const opened = openPlain(options);
  await redeem(opened, await getCode(opened), { redirect_uri: `${redirectUri}/` });
  const list = await load(opened, "/inspector?q=endpoint%3Atoken");
  // The row says the reason, and leaves the values to the page.
  assertNotMatch(list, /<mark>/);
  const detail = await load(opened, `/inspector/${listIds(list)[0]}`);
  assertStringIncludes(detail, `<code class="told">${redirectUri}<mark>/</mark></code>`);
  assertStringIncludes(detail, ">The response with this code</a>");
});

test("inspector: the list says what a page asks the person", async () => {
  const opened = openPlain({ clients, login: "picker", people: [{ username: "alice" }] });
  await opened.send(authorizePath());
  const [row] = readRows(await load(opened, "/inspector"));
  assertEquals([row?.status, row?.outcome, row?.reason], ["200", "unfinished", "waits at sign-in"]);
  const home = await load(opened, "/");
  assert(home.includes("asks to sign in"));
});

test("inspector: in the diagram, the browser brings the code or the error to the client", async () => {
  const opened = openPlain(options);
  await redeem(opened, await getCode(opened));
  await opened.send(authorizePath({ code_challenge: "", code_challenge_method: "" }));
  const filtered = await load(opened, "/inspector/diagram?q=client%3Aspa");
  assertStringIncludes(filtered, '<a href="/inspector?q=client:spa">← These requests as a list</a>');
  const diagram = await load(opened, "/inspector/diagram");
  for (const id of listIds(await load(opened, "/inspector"))) {
    assertStringIncludes(diagram, `href="/inspector/${id}"`);
  }
  assertStringIncludes(diagram, '<a href="/inspector">← All requests</a>');
  assertEquals(diagram.match(/>brings the (code|error)</g), [">brings the code<", ">brings the error<"]);
});

test("inspector: the diagram of one login is named after its person and its client", async () => {
  const opened = openPlain(options);
  await redeem(opened, await getCode(opened));
  const link = /flow(?:%3A|:)[\w-]+/.exec(await load(opened, "/inspector?open=all"))![0];
  const headingOf = (page: string) => /<h1>(.*?)<\/h1>/.exec(page)![1];
  assertEquals(
    headingOf(await load(opened, `/inspector/diagram?q=${link}`)),
    "Login of alice at spa, step by step",
  );
  assertEquals(
    headingOf(await load(opened, `/inspector/diagram?q=${link}+client%3Aspa`)),
    "Sequence diagram",
  );
});

test("inspector: no filter selects the requests of the dashboard itself", async () => {
  const opened = await openControlled(options);
  for (const path of ["/", "/inspector", "/static/postern.svg", "/static/postern.css", "/authorized"]) {
    await opened.send(path);
  }
  assertEquals(opened.as.requests.length, 0);
  await getCode(opened);
  for (const line of ["", "clint:spa", "outcome:ok", "-endpoint:token", "clint:spa status:many"]) {
    const page = await load(opened, `/inspector?${new URLSearchParams({ q: line })}`);
    assertStringIncludes(page, "<strong>1 request · none refused</strong>", line);
  }
  await opened.as.close();
});

test("inspector: the filter selects, and an unknown name is explained", async () => {
  const opened = openPlain(options);
  await wrongVerifier(opened);
  await redeem(opened, await getCode(opened));
  const refused = await load(opened, "/inspector?q=outcome%3Arefused");
  assertEquals(listIds(refused).length, 1);
  assertStringIncludes(refused, 'value="outcome:refused"');
  const misspelt = await load(opened, "/inspector?q=clint%3Aspa");
  assertStringIncludes(misspelt, "is not known: did you mean client:spa?");
  assertEquals(listIds(misspelt).length, 4);
  const basic = { authorization: `Basic ${btoa("shop:WRONG-CANARY")}` };
  await opened.send("/oauth2/token", { method: "POST", body: new URLSearchParams(), headers: basic });
  for (const [words, count] of [["client secret is wrong", 1], ["Code exchange", 2]] as const) {
    const found = listIds(await load(opened, `/inspector?${new URLSearchParams({ q: `"${words}"` })}`));
    assertEquals(found.length, count, words);
  }
  // One box has all problems.
  const problems = readHtml(await load(opened, "/inspector?q=clint%3Aspa+status%3Amany"));
  const box = findById(problems, "filter-problem")!;
  const notices = findAll(problems, "p").filter((each) => attribute(each, "class")?.includes("notice"));
  assertEquals([attribute(box, "class"), findAll(box, "p").length, notices], ["notice caution", 2, []]);
});

test("inspector: a failure of the server is failed in the list, the filter and the log", async () => {
  const outcomes: unknown[] = [];
  const opened = openPlain({
    ...options,
    seams: {
      token_response() {
        throw new Error("The hook fails");
      },
    },
    journal: (entry) => outcomes.push(recordRequest(entry)["outcome"]),
  });
  await redeem(opened, await getCode(opened));
  await redeem(opened, "no-code");
  const all = await load(opened, "/inspector");
  assertStringIncludes(all, "<title>(1 refused · 1 failed) Inspector");
  assertEquals(listIds(all).length, 3);
  for (const outcome of ["ok", "refused", "failed"]) {
    const selected = await load(opened, `/inspector?q=outcome%3A${outcome}`);
    assertEquals([listIds(selected).length, outcomes.filter((each) => each === outcome).length], [1, 1]);
    assertEquals(readRows(selected).map((row) => row.outcome), [outcome]);
  }
});

test("inspector: the filter explains each of its names", async () => {
  const list = await load(openPlain(options), "/inspector");
  for (const name of filterNames) {
    assertMatch(list, new RegExp(`<code>${name}:</code></dt><dd>[^<]`), name);
  }
});

test("inspector: an exchange that is gone is a page that says so", async () => {
  const { send } = openPlain(options);
  const response = await send("/inspector/AAAAAAAAAAAA");
  assertEquals(response.status, 404);
  assertStringIncludes(await response.text(), "not in the journal");
});

test("inspector: HTML holds no secret without the key, and no password, cookie or client secret with it", async () => {
  const opened = openPlain({
    ...options,
    login: "picker",
    people: [{ username: "carol", password: "PASSWORD-CANARY" }],
  });
  const { send, post, enter } = opened;
  const page = await (await send(authorizePath({ client_id: "shop" }))).text();
  const action = /action="([^"]*sign_in)"/.exec(page)![1]!;
  const encrypted = /name="request" value="([^"]+)"/.exec(page)![1]!;
  const consent = await post(action, { request: encrypted, username: "carol", password: "PASSWORD-CANARY" });
  const consentPage = await (await send(consent.headers.get("location")!)).text();
  const asked = /name="request" value="([^"]+)"/.exec(consentPage)![1]!;
  const left = await post(/action="([^"]*consent)"/.exec(consentPage)![1]!, {
    request: asked,
    decision: "approve",
  });
  const code = new URL(left.headers.get("location")!).searchParams.get("code")!;
  const basic = `Basic ${btoa("shop:CLIENT-CANARY")}`;
  const tokens = await (await send("/oauth2/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
    headers: { authorization: basic, accept: "application/json" },
  })).json();
  await send("/userinfo", { headers: { authorization: `Bearer ${tokens.access_token}`, accept: "*/*" } });
  await send("/oauth2/token", {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: tokens.refresh_token }),
    headers: { authorization: basic },
  });
  const keyed = [
    ...["STATE-CANARY", "NONCE-CANARY", verifier, code, tokens.access_token, tokens.refresh_token],
    ...[tokens.access_token, tokens.id_token].map((token: string) => token.split(".")[2]!),
  ];
  const never = ["PASSWORD-CANARY", "CLIENT-CANARY", btoa("shop:CLIENT-CANARY"), key];
  const list = await load(opened, "/inspector");
  const details = listIds(list).map((id) => `/inspector/${id}`);
  const forms = ["html", "har", "jsonl", "mermaid", "text"].map((form) => `/inspector/export?form=${form}`);
  const read = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => await (await send(path)).text())).then((texts) => texts.join("\n"));
  const others = ["/people", "/people/person?username=carol", "/clients/client?id=shop"];
  const without = await read(["/inspector", "/inspector/diagram", ...others, ...details]);
  for (const secret of [...keyed, ...never]) assertFalse(without.includes(secret), secret);
  // Without the key there are no files.
  for (const file of [...forms, "/inspector/export?form=html&secrets=true"]) {
    assertEquals((await send(file)).status, 403, file);
  }

  await enter(key);
  const lists = await read(["/inspector", "/inspector/diagram", ...forms]);
  for (const secret of [...keyed, ...never]) assertFalse(lists.includes(secret), secret);
  const complete = await read([...details, "/inspector/export?form=html&secrets=true"]);
  for (const secret of keyed) assert(complete.includes(secret), secret);
  for (const secret of never) assertFalse(complete.includes(secret), secret);
});

test("inspector: with the key and the token, no page shows them, in no parameter, claim or name", async () => {
  const token = "a-token-of-sixteen-letters";
  const opened = await openControlled({
    clients,
    accessTokens: "opaque",
    people: [{ username: "alice", claims: { name: token, email: `${key}@example.com` } }],
    claimsIn: { idToken: ["name", "email"] },
  }, { control: { open: false, token } });
  const scope = "openid profile email";
  const tokens = await opened.as.login("alice", { client: "spa", scope });
  await opened.as.login("alice", { client: "spa", scope });
  await opened.send(authorizePath({ state: token, nonce: key }));
  await opened.send(authorizePath({ scope: `openid ${key}`, [token]: "a" }));
  await requestTokens(opened, { grant_type: "refresh_token", refresh_token: key });
  await requestTokens(opened, { grant_type: token });
  const headers = { authorization: `Bearer ${tokens.access_token}`, accept: "*/*" };
  assertStringIncludes(await (await opened.send("/userinfo", { headers })).text(), token);
  await opened.enter(key);
  await opened.enter(token, { purpose: "control" });
  const ids = listIds(await load(opened, "/inspector"));
  const paths = ["", "/compare", "/diagram", ...ids.flatMap((id) => [`/${id}`, `/${id}/again`])];
  const pages = await Promise.all(paths.map(async (path) => [path, await load(opened, `/inspector${path}`)]));
  const read = [tokens.id_token!, tokens.access_token, `https://app.example/cb?code=${token}&state=${key}`];
  for (const pasted of read) {
    const page = await (await submit(opened, "/playground/read", { pasted })).text();
    pages.push([pasted.slice(0, 9), page]);
  }
  for (const [name, page] of pages) {
    for (const secret of [token, key]) assertFalse(page!.includes(secret), `${name} has ${secret}`);
  }
  await opened.as.close();
});

test("inspector: a page shows the secrets of its own exchange only", async () => {
  const opened = openPlain(options);
  const code = await getCode(opened);
  await redeem(opened, code);
  await opened.enter(key);
  const [authorization, exchange] = listIds(await load(opened, "/inspector"));
  assertNotMatch(await load(opened, `/inspector/${authorization}`), new RegExp(verifier));
  assertMatch(await load(opened, `/inspector/${exchange}`), new RegExp(verifier));
});

test("inspector: exports say whether they are redacted", async () => {
  const opened = openPlain(options);
  await redeem(opened, await getCode(opened));
  await opened.enter(key);
  const name = async (query: string) =>
    (await opened.send(`/inspector/export?${query}`)).headers.get("content-disposition");
  assertEquals(await name("form=har"), 'attachment; filename="requests.redacted.har"');
  assertEquals(await name("form=html"), 'attachment; filename="requests.redacted.html"');
  assertEquals(await name("form=html&secrets=true"), 'attachment; filename="requests.html"');
  const har = JSON.parse(await (await opened.send("/inspector/export?form=har&q=endpoint%3Atoken")).text());
  assertEquals(har.log.entries.length, 1);
  const unknown = await opened.send("/inspector/export?form=xml");
  assertEquals(unknown.status, 400);
});

/** What a browser loads for a page, in bytes. */
function weigh(html: string): number {
  const files = [...html.matchAll(/(?:href|src)="\/static\/([\w.]+)/g)].map(([, name]) => name!);
  const texts: Readonly<Record<string, string>> = { ...assets, ...toolAssets };
  return [...new Set(files)].reduce(
    (sum, name) => sum + texts[name]!.length,
    new TextEncoder().encode(html).length,
  );
}

const mostBytes = 60_000;

test("inspector: no page is heavier than 60 KB, whatever a client sends", async () => {
  const opened = openPlain(options);
  const hostile = `"><svg onload=alert(1)>&&&&\u202e`.repeat(40);
  for (let at = 0; at < 2; at++) {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`p_${"x".repeat(i % 20)}${"abcdef"[i % 6]}`, hostile]),
    );
    await redeem(opened, "x", { ...many, client_id: hostile, redirect_uri: hostile, scope: hostile });
    await opened.send(`/userinfo?${new URLSearchParams({ client_id: hostile })}`, {
      headers: { "user-agent": "&".repeat(5000), accept: '"'.repeat(5000) },
    });
    await getCode(opened);
  }
  await opened.enter(key);
  const list = await load(opened, "/inspector");
  const ids = listIds(list);
  assert(ids.length > 3);
  for (const path of ["/inspector", "/inspector/diagram", ...ids.map((id) => `/inspector/${id}`)]) {
    const weight = weigh(await load(opened, path));
    assert(weight < mostBytes, `${path}: ${weight}`);
  }
});

test("inspector: without --control a request cannot be sent again, and the page names the flag", async () => {
  const opened = openPlain(options);
  await wrongVerifier(opened);
  const [id] = listIds(await load(opened, "/inspector"));
  for (const path of [`/inspector/${id}`, `/inspector/${id}/again`]) {
    assertStringIncludes(await load(opened, path), "--control");
  }
  assertEquals((await opened.post(`/inspector/${id}/again`, {})).status, 403);
});

test("inspector: a request is sent again with the secrets of the original, and the new exchange opens", async () => {
  const opened = await openControlled({ clients });
  await opened.as.login("alice", { client: "shop" });
  const [, exchange] = listIds(await load(opened, "/inspector"));
  const action = `/inspector/${exchange}/again`;
  const page = await load(opened, `/inspector/${exchange}`);
  assertFalse(page.includes("CLIENT-CANARY"));
  const sent = await opened.post(action, { form_token: formTokenOf(page, action) });
  assertEquals(sent.status, 303);
  const location = sent.headers.get("location")!;
  assert(location !== `/inspector/${exchange}`);
  // The client is authenticated, so its secret was sent, and the code is used for the second time.
  assertStringIncludes(await load(opened, location), "code_replayed");
  await opened.as.close();
});

test("inspector: of two requests that are sent again at the same time, each answer opens its own", async () => {
  const opened = await openControlled(options);
  const states = ["one", "other"];
  for (const state of states) await opened.send(authorizePath({ state }));
  const again = opened.as.requests.map(({ id }) => `/inspector/${id}/again`);
  const tokens = await Promise.all(again.map(async (path) => formTokenOf(await load(opened, path), path)));
  const sent = await Promise.all(again.map((path, at) => opened.post(path, { form_token: tokens[at]! })));
  const ids = sent.map(({ headers }) => headers.get("location")!.slice("/inspector/".length));
  const found = ids.map((id) =>
    new URLSearchParams(opened.as.requests.find((each) => each.id === id)?.raw().request.query)
  );
  assertEquals(found.map((query) => query.get("state")), states);
  await opened.as.close();
});

test("inspector: a request is sent again with changed, added and left out parameters", async () => {
  const opened = await openControlled({ clients });
  await opened.as.login("alice", { client: "spa" });
  const [authorization] = listIds(await load(opened, "/inspector"));
  const action = `/inspector/${authorization}/again`;
  assertStringIncludes(await load(opened, `/inspector/${authorization}`), `href="${action}"`);
  const page = await load(opened, action);
  const names = [...page.matchAll(/<label for="(query\.\d+)">([^<]+)<\/label>/g)];
  const field = (name: string) => names.find(([, , label]) => label === name)![1]!;
  const sent = await opened.post(action, {
    form_token: formTokenOf(page, action),
    [field("redirect_uri")]: "https://elsewhere.example/cb",
    [`${field("scope")}.without`]: "on",
    [field("state")]: "",
    [`${field("state")}.hidden`]: "1",
    "query.name": "prompt",
    "query.value": "login",
  });
  const { params } = opened.as.requests.last!;
  assertEquals(params["redirect_uri"], "https://elsewhere.example/cb");
  assertEquals([params["scope"], params["prompt"]], [undefined, "login"]);
  const query = new URLSearchParams(opened.as.requests.last!.raw().request.query);
  assertEquals(
    query.get("state"),
    new URLSearchParams(opened.as.requests.first!.raw().request.query).get("state"),
  );
  assertStringIncludes(await load(opened, sent.headers.get("location")!), "redirect_uri_unregistered");
  await opened.as.close();
});

test("inspector: an emptied parameter is sent empty if the page shows its value, and otherwise as before", async () => {
  const opened = await openControlled({ clients });
  await opened.as.login("alice", { client: "spa" });
  const [authorization] = listIds(await load(opened, "/inspector"));
  const action = `/inspector/${authorization}/again`;
  const page = await load(opened, action);
  const names = [...page.matchAll(/<label for="(query\.\d+)">([^<]+)<\/label>/g)];
  const rows = [["scope", true], ["code_challenge_method", true], ["state", false]] as const;
  for (const [name, isShown] of rows) {
    const [, field] = names.find(([, , label]) => label === name)!;
    assertEquals(page.includes(`name="${field}.hidden"`), !isShown, name);
    await opened.post(action, {
      form_token: formTokenOf(page, action),
      [field!]: "",
      ...(isShown ? {} : { [`${field}.hidden`]: "1" }),
    });
    const [sent, first] = [opened.as.requests.last!, opened.as.requests.first!].map((each) =>
      new URLSearchParams(each.raw().request.query).get(name)
    );
    assertEquals(sent, isShown ? "" : first, name);
  }
  await opened.as.close();
});

test("inspector: a form of another page, or without its token, sends nothing", async () => {
  const opened = await openControlled({ clients });
  await opened.as.login("alice", { client: "spa" });
  const [id] = listIds(await load(opened, "/inspector"));
  const before = opened.as.requests.length;
  const action = `/inspector/${id}/again`;
  const token = formTokenOf(await load(opened, `/inspector/${id}`), action);
  assertEquals((await opened.post(action, {})).status, 403);
  assertEquals((await opened.post(action, { form_token: "x" })).status, 403);
  const foreign = { headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" } };
  assertEquals((await opened.post(action, { form_token: token }, foreign)).status, 403);
  assertEquals(opened.as.requests.length, before);
  await opened.as.close();
});

test("inspector: a request whose response is dropped opens, too", async () => {
  const opened = await openControlled({ clients });
  await opened.as.login("alice", { client: "spa" });
  const [, exchange] = listIds(await load(opened, "/inspector"));
  const action = `/inspector/${exchange}/again`;
  const token = formTokenOf(await load(opened, `/inspector/${exchange}`), action);
  opened.as.drop("token");
  const sent = await opened.post(action, { form_token: token });
  assertEquals(sent.status, 303);
  assertStringIncludes(await load(opened, sent.headers.get("location")!), "The response was lost");
  await opened.as.close();
});

test("inspector: a server without the kit names people by their usernames, too", async () => {
  const people = [{ username: "alice", sub: "SUBJECT-OF-ALICE" }];
  const opened = openPlain({ ...options, people });
  await redeem(opened, await getCode(opened));
  const list = await load(opened, "/inspector");
  assertEquals(listIds(await load(opened, "/inspector?q=person%3Aalice")), listIds(list));
  assertFalse(list.includes("SUBJECT-OF-ALICE"));
});

test("inspector: a tenant sees its own requests only", async () => {
  const opened = await openControlled({ clients });
  await opened.as.login("alice", { client: "spa" });
  const [id] = listIds(await load(opened, "/inspector"));
  const other = await opened.as.tenant("other");
  const path = new URL(other.issuer).pathname;
  assertStringIncludes(await load(opened, `${path}/inspector`), "No request has arrived yet");
  assertEquals((await opened.send(`${path}/inspector/${id}`)).status, 404);
  await other.login("bob");
  assertEquals(listIds(await load(opened, "/inspector")).length, 2);
  assertFalse((await load(opened, `${path}/inspector`)).includes("alice"));
  await opened.as.close();
});

test("inspector: the requests to an API of the test stand in the group of their login", async () => {
  const opened = await openControlled({ clients });
  const api = opened.as.resource("https://api.test/");
  const { access_token } = await opened.as.login("alice", { client: "spa" });
  await api.fetch("https://api.test/", { headers: { authorization: `Bearer ${access_token}` } });
  const list = await load(opened, "/inspector");
  const [login, ...others] = readItems(list);
  assert(login !== undefined && isListedGroup(login));
  assertEquals([login.rows.length, others], [3, []]);
  const detail = await load(opened, `/inspector/${listIds(list).at(-1)}`);
  assertStringIncludes(detail, "token_for_another_audience");
  assertStringIncludes(detail, "The response with this code or token");
  // Only the test can send it again.
  assertFalse(detail.includes("/again"));
  assertEquals((await opened.send(`/inspector/${listIds(list).at(-1)}/again`)).status, 404);
  await opened.as.close();
});
