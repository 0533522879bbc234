/** The front page as HTTP, and the link on it that starts a flow of this server's own. */

import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { assertRefusedOnPage } from "../oauth/refusals.ts";
import { byId, findAll, readHtml, textOf } from "../pages/read_html.ts";
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
