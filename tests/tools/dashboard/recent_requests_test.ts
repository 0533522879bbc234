/** The requests on the front page and among what a search found: the rows of the inspector. */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { byId, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { type OpenedDashboard, openPlain } from "./open_dashboard.ts";

const options = {
  clients: [
    { client_id: "robot", client_secret: "s3cret", client_name: "The robot" },
    { client_id: "web", redirect_uris: ["https://web.example/cb"] },
  ],
  people: [{ username: "alice", claims: { name: "Alice Adams" } }],
};

async function ask({ send }: OpenedDashboard, secret: string): Promise<void> {
  await send("/oauth2/token", {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`robot:${secret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
}

/** Returns client, request, status and reason of each row. */
function rowsOf(html: string): readonly (readonly string[])[] {
  return findAll(byId(readHtml(html), "requests"), "tr").slice(1).map((row) => {
    const [time, , client, , request, status = "", reason = ""] = findAll(row, "td").map(textOf);
    assert(/^\d\d:\d\d:\d\d\.\d{3}$/.test(time!), time);
    return [client!, request!, status, reason];
  });
}

const refused = [
  "robot",
  "Client credentials POST /oauth2/token",
  "401",
  "The client secret is wrong",
];

test("recent requests: the front page has ten rows of the inspector, newest first, without secrets", async () => {
  const dashboard = openPlain(options);
  for (let count = 0; count < 11; count++) {
    await dashboard.send("/oauth2/jwks");
    await ask(dashboard, "s3cret");
  }
  await ask(dashboard, "wr0ng");
  const html = await (await dashboard.send("/")).text();
  const rows = rowsOf(html);
  assertEquals([rows.length, rows[0], rows[1]?.slice(0, 3)], [10, refused, [...refused.slice(0, 2), "200"]]);
  for (const secret of ["s3cret", "wr0ng"]) assertFalse(html.includes(secret));
});

test("recent requests: the front page looks for them among the last thousand entries", async () => {
  const dashboard = openPlain(options);
  const count = async () => {
    const html = await (await dashboard.send("/")).text();
    return html.includes('id="requests"') ? rowsOf(html).length : 0;
  };
  await ask(dashboard, "s3cret");
  for (let index = 0; index < 900; index++) await dashboard.send("/oauth2/jwks");
  const before = await count();
  for (let index = 0; index < 200; index++) await dashboard.send("/oauth2/jwks");
  // those of the JWK Set are one row
  assertEquals([before, await count()], [2, 1]);
});

test("recent requests: they come first, and then how to connect an application", async () => {
  const snippets = () => [{ id: "env", name: ".env", text: "OAUTH_ISSUER" }];
  const dashboard = openPlain(options, { snippets });
  const parts = async () =>
    (await (await dashboard.send("/")).text()).match(/(?<=<(table|select|dl)[^>]* id=")[\w-]+/g);
  const others = ["endpoints", "clients", "people"];
  assertEquals(await parts(), ["library", "state", ...others]);
  await ask(dashboard, "s3cret");
  assertEquals(await parts(), ["requests", "library", "state", ...others]);
});
