/** The page `/search`: what a few letters find, and what it says if they find nothing. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  attribute,
  byId,
  findAll,
  findById,
  readHtml,
  rowsOf,
  textOf,
} from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import { openPlain } from "./open_dashboard.ts";

const options = {
  clients: [{ client_id: "web", client_name: "The shop", redirect_uris: ["https://shop.test/cb"] }],
  people: [
    { username: "alice", claims: { name: "Alice Adams" } },
    { username: "a b&c", claims: { name: "Zoe" } },
  ],
};

/** Returns the request of each row. */
function requestsOf(page: ReturnType<typeof readHtml>): readonly string[] {
  const table = findById(page, "requests");
  return table === undefined ? [] : findAll(table, "tbody").map((row) => textOf(findAll(row, "td")[4]!));
}

async function openSearch(query: string) {
  const { send } = openPlain(options);
  await send("/oauth2/authorize?client_id=unknown");
  return readHtml(await (await send(`/search?${new URLSearchParams({ q: query })}`)).text());
}

test("search: a few letters find clients, people, misbehaviours, rules and requests", async () => {
  const queries = [
    ["sho", "The shop", "web"],
    ["ali", "Alice Adams", "alice"],
    ["alg_n", "id_token.alg_none"],
    ["4.1.2", "OAuth 2.1 §4.1.2.1"],
    ["client_unk", "This client is not known here"],
  ] as const;
  for (const [query, ...texts] of queries) {
    const tables = findAll(await openSearch(query), "tbody").map(textOf).join();
    for (const text of texts) assertStringIncludes(tables, text, query);
  }
});

test("search: each word must be in one of the texts, in any order", async () => {
  assertEquals(requestsOf(await openSearch("authorize client_unknown")).length, 1);
  assertEquals(requestsOf(await openSearch("authorize client_known")).length, 0);
  assertEquals(rowsOf(byId(await openSearch("shop the"), "client")).length > 0, true);
});

test("search: a query that reads as a filter leads with the inspector, and finds its requests", async () => {
  const first = async (query: string) =>
    textOf(findAll(findAll(await openSearch(query), "main")[0]!, "p")[0]!);
  assertEquals(await first("client:unknown outcome:refused"), "Filter the requests by these words");
  assertEquals(await first("https://shop.example"), "Nothing was found for “https://shop.example”.");
  const found = await openSearch("client:unknown outcome:refused");
  assertEquals([findById(found, "nothing"), requestsOf(found).length], [undefined, 1]);
  assertEquals(requestsOf(await openSearch("localhost:9000")), []);
});

test("search: a request is found by what its row shows, and more of them than fit are in the inspector", async () => {
  const { send } = openPlain(options);
  const find = async (query: string) => readHtml(await (await send(`/search?q=${query}`)).text());
  const body = {
    grant_type: "authorization_code",
    client_id: "web",
    code: "wrong",
    redirect_uri: "https://x",
  };
  for (let count = 0; count < 21; count++) {
    await send("/oauth2/token", { method: "POST", body: new URLSearchParams(body) });
  }
  await send("/oauth2/jwks");
  await send("/start?client_id=web");
  const exchanges = await find("code+exchange");
  assertEquals(requestsOf(exchanges), Array(20).fill("Code exchange POST /oauth2/token"));
  assertEquals(attribute(byId(exchanges, "filter-requests"), "href"), "/inspector?q=code+exchange");
  assertEquals(requestsOf(await find("web+exchange")).length, 20);
  assertEquals(requestsOf(await find("Public+keys")), ["Public keys GET /oauth2/jwks"]);
  assertEquals(requestsOf(await find("start+of+a+login+GET")), ["Start of a login GET /start"]);
  const filtered = readHtml(await (await send("/inspector?q=code+exchange")).text());
  assertEquals(new Set(requestsOf(filtered)), new Set(["Code exchange POST /oauth2/token"]));
});

test("search: a request is found by its id, and the reason of a refusal leads to its requests", async () => {
  const recorder = createRecorder();
  const { send } = openPlain(options, {}, recorder);
  for (let count = 0; count < 2; count++) await send("/oauth2/authorize?client_id=unknown");
  const find = async (query: string) => readHtml(await (await send(`/search?q=${query}`)).text());
  const { id } = recorder.kept[0]!.entry;
  const link = findAll(byId(await find(id), "requests"), "a").find((each) =>
    attribute(each, "href")?.endsWith(`${id}?q=%22${id}%22`)
  );
  assertEquals([link === undefined, requestsOf(await find(id)).length], [false, 1]);
  const reason = byId(await find("unknown+client"), "reason");
  assertStringIncludes(textOf(reason), "client_unknown");
  assertEquals(attribute(findAll(reason, "a")[0]!, "href"), "/inspector?q=reason:client_unknown");
});

test("search: a page of the menu comes first, and clients and people lead to their pages", async () => {
  const pages = [
    ["clock", "Clock", "/misbehaviours/clock"],
    ["end access", "People", "/people"],
    ["stop clock", "Clock", "/misbehaviours/clock"],
    ["look-alikes", "Look-alikes", "/misbehaviours/look_alikes"],
    ["examine", "Examine a client", "/misbehaviours/examine"],
    ["sho", "The shop", "/clients/client?id=web"],
    ["zoe", "Zoe", "/people/person?username=a+b%26c"],
  ] as const;
  for (const [query, title, href] of pages) {
    const link = findAll(findAll(await openSearch(query), "tbody")[0]!, "a")[0]!;
    assertEquals([textOf(link), attribute(link, "href")], [title, href], query);
  }
});

test("search: without a word and without a hit, it says what it looks at", async () => {
  const empty = await openSearch(" ");
  assertEquals([findById(empty, "nothing"), findById(empty, "filter-requests")], [undefined, undefined]);
  const nothing = await openSearch("unheard of");
  for (const page of [empty, nothing]) assertStringIncludes(textOf(byId(page, "looks-at")), "misbehaviours");
  assertEquals(attribute(byId(nothing, "filter-requests"), "href"), "/inspector?q=unheard+of");
});
