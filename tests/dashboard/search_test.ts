/** The page `/search`: what a few letters find, and what it says if they find nothing. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { attribute, byId, findAll, findById, readHtml, rowsOf, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { openPlain } from "./open_dashboard.ts";

const options = {
  clients: [{ client_id: "web", client_name: "The shop", redirect_uris: ["https://shop.test/cb"] }],
  people: [{ username: "alice", claims: { name: "Alice Adams" } }],
};

async function openSearch(query: string) {
  const { send } = openPlain(options);
  await send("/oauth2/authorize?client_id=unknown");
  return readHtml(await (await send(`/search?${new URLSearchParams({ q: query })}`)).text());
}

test("search: a few letters find clients, people, misbehaviours, rules and requests", async () => {
  for (
    const [query, title] of [
      ["sho", "The shop"],
      ["ali", "Alice Adams"],
      ["alg_n", "id_token.alg_none"],
      ["4.1.2", "OAuth 2.1 §4.1.2.1"],
      ["client_unk", "This client is not known here"],
    ] as const
  ) {
    const tables = findAll(await openSearch(query), "tbody").map(textOf).join();
    assertStringIncludes(tables, title, query);
  }
});

test("search: each word must be in one of the texts, in any order", async () => {
  // The request and its reason lead to the same entry.
  const requestsOf = (page: ReturnType<typeof readHtml>) =>
    new Set(
      findAll(page, "a").map((each) => attribute(each, "href")).filter((href) =>
        href?.startsWith("/inspector/")
      ),
    ).size;
  assertEquals(requestsOf(await openSearch("authorize client_unknown")), 1);
  assertEquals(requestsOf(await openSearch("authorize client_known")), 0);
  assertEquals(rowsOf(byId(await openSearch("shop the"), "client")).length > 0, true);
});

test("search: a query that reads as a filter leads with the inspector", async () => {
  const first = async (query: string) =>
    textOf(findAll(findAll(await openSearch(query), "main")[0]!, "p")[0]!);
  assertEquals(await first("client:demo outcome:refused"), "Filter the requests by these words");
  assertEquals(await first("https://shop.example"), "Nothing was found for “https://shop.example”.");
});

test("search: without a word and without a hit, it says what it looks at", async () => {
  const empty = await openSearch(" ");
  assertEquals([findById(empty, "nothing"), findById(empty, "filter-requests")], [undefined, undefined]);
  const nothing = await openSearch("unheard of");
  for (const page of [empty, nothing]) assertStringIncludes(textOf(byId(page, "looks-at")), "misbehaviours");
  assertEquals(attribute(byId(nothing, "filter-requests"), "href"), "/inspector?q=unheard+of");
});
