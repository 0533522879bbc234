/** The ways on from the page of a refusal: the one that helps is first, and none leads to the same refusal. */

import { assert, assertEquals } from "@std/assert";
import { byId, findAll, readHtml } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { type OpenedDashboard, openPlain } from "./open_dashboard.ts";

const options = {
  login: "picker",
  clients: [{ client_id: "app", redirect_uris: ["https://app.example/cb"] }],
  people: [{ username: "alice" }],
};

async function waysOf({ send }: OpenedDashboard, path: string) {
  const response = await send(path);
  const links = findAll(readHtml(await response.text()), "a").filter(({ attributes }) =>
    attributes.get("class")?.split(" ").includes("button")
  );
  return {
    status: response.status,
    ids: links.map(({ attributes }) => attributes.get("id")),
    primary: links.filter(({ attributes }) => attributes.get("class") === "button primary").length,
    entry: links.find(({ attributes }) => attributes.get("id") === "entry")?.attributes.get("href"),
  };
}

const cases = [
  ["an unknown client, which configuration allows", "client_id=new&redirect_uri=https://new.example/cb", [
    "entry",
    "try-again",
    "home",
  ]],
  ["a request without a client, which is refused again", "", ["entry", "home"]],
] as const;

for (const [name, query, ids] of cases) {
  test(`refusal page: ${name}, leads to its entry first`, async () => {
    const dashboard = openPlain(options);
    const ways = await waysOf(dashboard, `/oauth2/authorize?response_type=code&${query}`);
    assertEquals([ways.status, ways.ids, ways.primary], [400, [...ids], 1]);
    const entry = await dashboard.send(ways.entry!);
    assertEquals(entry.status, 200);
    assert((await entry.text()).includes("/oauth2/authorize"));
  });
}

test("refusal page: an address without a page leads home first, and its entry is in the inspector", async () => {
  const dashboard = openPlain(options);
  const ways = await waysOf(dashboard, "/nowhere");
  assertEquals([ways.status, ways.ids], [404, ["home", "entry"]]);
  assertEquals((await dashboard.send(ways.entry!)).status, 200);
});

test("refusal page: where other machines reach the server, it leads to no entry", async () => {
  const ways = await waysOf(openPlain(options, { isReached: true }), "/oauth2/authorize?response_type=code");
  assertEquals(ways.ids, ["home"]);
});

test("refusal page: its text on a German page is marked as English", async () => {
  const { send } = openPlain(options);
  const html = await (await send("/nowhere", { headers: { "accept-language": "de" } })).text();
  assertEquals(byId(readHtml(html), "entry").attributes.get("lang"), "en");
});
