/** The search: each entry of a kind is found, not only the first. */

import { assertEquals } from "@std/assert";
import { attribute, findAll, readHtml } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { load, openPlain } from "./open_dashboard.ts";

const redirect_uris = ["https://shop.test/cb"];

/** What is searched for, and the links of this kind that are found. */
const rows: readonly (readonly [q: string, address: RegExp, found: readonly string[]])[] = [
  ["shop", /^\/clients\//, ["/clients/client?id=shop-1", "/clients/client?id=shop-2"]],
  ["carol", /^\/people\//, ["/people/person?username=carol-1", "/people/person?username=carol-2"]],
  [
    "mtls",
    /^\/misbehaviours\//,
    ["metadata.mtls_aliases", "mtls.cnf_missing", "mtls.thumbprint_other"].map((name) =>
      `/misbehaviours/${name}`
    ),
  ],
];

for (const [q, address, found] of rows) {
  test(`search: ${q} finds ${found.length} entries of its kind`, async () => {
    const opened = openPlain({
      clients: [{ client_id: "shop-1", redirect_uris }, { client_id: "shop-2", redirect_uris }],
      people: [{ username: "carol-1" }, { username: "carol-2" }],
    });
    const links = findAll(readHtml(await load(opened, `/search?q=${q}`)), "a");
    const addresses = links.map((each) => attribute(each, "href") ?? "");
    assertEquals([...new Set(addresses.filter((each) => address.test(each)))], found);
  });
}
