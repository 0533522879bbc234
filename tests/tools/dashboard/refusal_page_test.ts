/** The ways on from the page of a refusal: the one that helps is first, and none leads to the same refusal. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { byId, everyElement, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { openControlled, type OpenedDashboard, openPlain } from "./open_dashboard.ts";

const options = {
  login: "picker",
  clients: [{ client_id: "app", redirect_uris: ["https://app.example/cb"] }],
  people: [{ username: "alice" }],
};

async function waysOf({ send }: OpenedDashboard, path: string, init?: RequestInit) {
  const response = await send(path, init);
  const ways = findAll(readHtml(await response.text()), "p").filter(({ attributes }) =>
    attributes.get("class") === "onward"
  );
  const links = ways.flatMap((way) => findAll(way, "a"));
  return {
    status: response.status,
    ids: links.map(({ attributes }) => attributes.get("id")),
    primary: links.filter(({ attributes }) => attributes.get("class") === "button primary").length,
    hrefs: new Map(links.map(({ attributes }) => [attributes.get("id"), attributes.get("href")])),
  };
}

const cases = [
  [
    "an unknown client leads to the configuration first",
    "client_id=new&redirect_uri=https://new.example/cb",
    ["configure", "correct", "entry", "home"],
  ],
  [
    "a redirect URI with a wrong character leads to the playground first",
    "client_id=app&redirect_uri=https://app.example/cd",
    ["correct", "entry", "home"],
  ],
  [
    "a request without a client leads to the playground first",
    "",
    ["correct", "entry", "home"],
  ],
  [
    "a request whose answer is not sent leads to the playground first",
    "client_id=mine&redirect_uri=http://localhost:3000/cb",
    ["correct", "entry", "home"],
    { login: "picker" },
  ],
  [
    "a request with a secret is not carried to the playground",
    "id_token_hint=e30.e30.e30",
    ["entry", "home"],
  ],
] as const;

for (const [name, query, ids, terms = options] of cases) {
  test(`refusal page: ${name}`, async () => {
    const dashboard = openPlain(terms);
    const ways = await waysOf(dashboard, `/oauth2/authorize?response_type=code&${query}`);
    assertEquals([ways.status, ways.ids, ways.primary], [400, [...ids], 1]);
    const entry = await dashboard.send(ways.hrefs.get("entry")!);
    assertEquals(entry.status, 200);
    assert((await entry.text()).includes("/oauth2/authorize"));
  });
}

test("refusal page: the reason is the heading, and the box below it has the difference and the change", async () => {
  const { send } = openPlain(options);
  const query = "response_type=code&client_id=app&redirect_uri=https://app.example/bc";
  const page = readHtml(await (await send(`/oauth2/authorize?${query}`)).text());
  assertEquals(textOf(findAll(page, "h1")[0]!), "This redirect URI is not registered for the client");
  const box = [...everyElement(page)].find(({ attributes }) => attributes.get("class") === "notice mend")!;
  assertEquals(findAll(box, "mark").map(textOf), ["bc", "cb"]);
  const ids = [...everyElement(page)].flatMap(({ attributes }) => attributes.get("id") ?? []);
  const order = ["description", "status", "received", "expected", "change", "whose", "correct", "instead"];
  assertEquals(ids.filter((id) => order.includes(id)), order);
});

const several = ["http://localhost:8080/cb", "http://localhost:3000/callback", "https://app.example/cb"];

test("refusal page, inspector: each registered URI is code on a line, and only the nearest is marked", async () => {
  await using opened = await openControlled({ clients: [{ client_id: "app", redirect_uris: several }] });
  const { send, as } = opened;
  const query = "response_type=code&client_id=app&redirect_uri=http://localhost:3000/callback/";
  const answered = await (await send(`/oauth2/authorize?${query}`)).text();
  const { id, refusal } = as.requests.last!;
  assertEquals(refusal?.expected, several.join(" or "));
  assertEquals(refusal?.redirectUris, several);
  const ofPage = readHtml(answered);
  const ofEntry = readHtml(await (await send(`/inspector/${id}`)).text());
  for (const page of [ofPage, ofEntry]) {
    const [received, expected] = findAll(page, "dt").filter((term) =>
      /^(Receiv|Expect)ed$/.test(textOf(term))
    )
      .map((term) => findAll(page, "div").findLast((row) => findAll(row, "dt").includes(term))!);
    assertEquals(findAll(received!, "mark").map(textOf), ["/"]);
    assertEquals(textOf(findAll(expected!, "dd")[0]!), several.join(" or "));
    assertEquals(findAll(expected!, "code").map(textOf), several);
    assertEquals(findAll(expected!, "br").length, 2);
    const marked = findAll(expected!, "code").map((uri) => findAll(uri, "mark").length);
    assertEquals(marked, [0, 1, 0]);
  }
});

test("refusal page: what first use would allow stands below the registered URIs", async () => {
  const { send } = openPlain({ clients: [{ client_id: "app", redirect_uris: several }], firstUse: true });
  const query = "response_type=code&client_id=app&redirect_uri=http://localhost:4000/";
  const page = readHtml(await (await send(`/oauth2/authorize?${query}`)).text());
  const expected = byId(page, "expected");
  assertEquals(findAll(expected, "code").map(textOf), several);
  const more = ", or this redirect_uri with a client_id that is not configured (first use)";
  assertEquals(textOf(expected), several.join(" or ") + more);
  assertEquals(findAll(expected, "br").length, 3);
});

test("refusal page: the playground has the refused request, with values of its own for the login", async () => {
  const dashboard = openPlain(options);
  const params = {
    response_type: "code",
    client_id: "app",
    redirect_uri: "https://app.example/cb/",
    state: "the-state-of-the-client",
    nonce: "the-nonce-of-the-client",
    code_challenge: "short",
    colour: "green",
  };
  const ways = await waysOf(
    dashboard,
    `/oauth2/authorize?${new URLSearchParams(params)}&resource=https://a.example&resource=https://b.example`,
  );
  const href = ways.hrefs.get("correct")!;
  assert(!href.includes("of-the-client"), href);
  const form = readHtml(await (await dashboard.send(href)).text());
  const fields = [...everyElement(form)];
  function valueOf(name: string): string {
    const field = fields.find(({ attributes }) => attributes.get("name") === name)!;
    return field.attributes.get("value") ?? textOf(field).trim();
  }
  assertEquals(valueOf("redirect_uri"), params.redirect_uri);
  assertEquals(valueOf("code_challenge"), "short");
  assertEquals(valueOf("resource"), "https://a.example https://b.example");
  assertEquals(valueOf("more"), "colour=green");
  assert(valueOf("state").length > 10 && valueOf("nonce").length > 10);
});

for (
  const [name, query] of [["no PKCE", ""], [
    "another pair",
    "&code_challenge=short&code_challenge_method=plain",
  ]]
) {
  test(`refusal page: the playground corrects a request with ${name} by a pair of its own, with S256`, async () => {
    const dashboard = openPlain(options);
    const redirectUri = "http://localhost:3000/cb";
    const { hrefs } = await waysOf(
      dashboard,
      `/oauth2/authorize?response_type=code&client_id=new&redirect_uri=${redirectUri}&scope=openid${query}`,
    );
    const form = readHtml(await (await dashboard.send(hrefs.get("correct")!)).text());
    const start = new URL(byId(form, "start").attributes.get("href")!, "http://localhost:9000").searchParams;
    assertEquals(start.getAll("code_challenge_method"), ["S256"]);
    assertMatch(start.get("code_challenge")!, /^[\w-]{43}$/);
    assertEquals(textOf(byId(form, "check")).includes("challenge"), false);
  });
}

test("refusal page: an endpoint for programs leads to its form in the playground", async () => {
  const ways = await waysOf(openPlain(options), "/oauth2/token?client_secret=hush", {
    headers: { accept: "text/html" },
  });
  assertEquals([ways.status, ways.ids, ways.primary], [405, ["correct", "entry", "home"], 1]);
  assertEquals(ways.hrefs.get("correct"), "/playground?kind=token.authorization_code");
});

test("refusal page: a form that is not ours leads home, where a sign-in starts", async () => {
  const dashboard = openPlain(options);
  const ways = await waysOf(dashboard, "/oauth2/sign_in", { method: "POST" });
  assertEquals([ways.ids, ways.primary], [["home", "entry"], 1]);
});

test("refusal page: where other machines reach the server, it leads to no page of the dashboard", async () => {
  const ways = await waysOf(openPlain(options, { isReached: true }), "/oauth2/authorize?response_type=code");
  assertEquals(ways.ids, ["home"]);
});

test("refusal page: its text on a German page is marked as English", async () => {
  const { send } = openPlain(options);
  const html = await (await send("/nowhere", { headers: { "accept-language": "de" } })).text();
  assertEquals(byId(readHtml(html), "entry").attributes.get("lang"), "en");
});
