/** The front page as HTTP, and the link on it that starts a flow of this server's own. */

import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { defaultFeatures } from "../../src/features/mod.ts";
import { assertRefusedOnPage } from "../oauth/refusals.ts";
import { byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { clients, inWorld } from "../world.ts";

const own = { client_id: "own", redirect_uris: ["https://as.test/authorized"] };
const options = { clients: [...clients, own] };

test("home: names the issuer, every client, every person, and where each endpoint is", () =>
  inWorld(options, async (world) => {
    const document = readHtml(await (await world.get("/")).text());
    assertEquals(textOf(byId(document, "issuer")), world.issuer);
    const listed = (id: string) => textOf(byId(document, id));
    for (const { client_id } of options.clients) assertMatch(listed("clients"), new RegExp(client_id));
    for (const person of ["Alice Adams", "Bob Brown"]) assertMatch(listed("people"), new RegExp(person));
    for (const path of ["authorize", "token", "jwks"]) {
      assertMatch(listed("endpoints"), new RegExp(`https://as\\.test/oauth2/${path}`));
    }
    assertEquals(listed("automatic").includes("alice"), true);
  }));

for (const issuer of ["https://as.test", "https://as.test/tenant", "https://as.test/tenant/"]) {
  test(`home: of ${issuer} links to its metadata, where OpenID clients look for it`, () =>
    inWorld({ issuer }, async (world) => {
      const base = issuer.replace(/\/$/, "");
      const link = byId(readHtml(await (await world.get(`${base}/`)).text()), "metadata");
      const url = textOf(link);
      assertEquals(url, `${base}/.well-known/openid-configuration`);
      assertEquals(new URL(link.attributes.get("href")!, base).href, url);
      assertEquals((await (await world.get(url)).json()).issuer, issuer);
    }));
}

test("home: links to the metadata that is left, and to none where there is none", async () => {
  const features = (left: readonly string[]) =>
    defaultFeatures({ firstUse: false }).filter(({ name }) =>
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

test("home: offers to start a flow only of a client whose flow ends here", () =>
  inWorld(options, async (world) => {
    const links = findAll(readHtml(await (await world.get("/")).text()), "a");
    const starts = links.map(({ attributes }) => attributes.get("href")!).filter((href) =>
      /start/.test(href)
    );
    assertEquals(new Set(starts), new Set(["/start?client_id=own"]));
    await inWorld({}, async (other) => {
      assertEquals((await (await other.get("/")).text()).includes("/start"), false);
    });
  }));

for (const client_id of ["public", "nobody", "__proto__"]) {
  test(`start: ${client_id} has no flow that ends here`, () =>
    inWorld(options, async (world) => {
      const response = await world.get(`/start?client_id=${client_id}`);
      const expected = { error: "invalid_request", reason: "client_ends_elsewhere" };
      await assertRefusedOnPage(world, response, expected);
    }));
}

test("start: without a client there is nothing to start", () =>
  inWorld(options, async (world) => {
    const expected = { error: "invalid_request", reason: "missing_parameter" };
    await assertRefusedOnPage(world, await world.get("/start"), expected);
  }));

test("start: each flow has a state and a challenge of its own, also in one browser", () =>
  inWorld(options, async (world) => {
    const first = await world.get("/start?client_id=own");
    const cookie = first.headers.get("set-cookie")!.split(";")[0]!;
    const second = await world.get("/start?client_id=own", { cookie });
    assertEquals([first.status, second.status, second.headers.get("set-cookie")], [303, 303, null]);
    const [one, other] = [first, second].map((response) =>
      new URL(response.headers.get("location")!).searchParams
    );
    for (const name of ["state", "code_challenge"]) assertNotEquals(one!.get(name), other!.get(name));
  }));
