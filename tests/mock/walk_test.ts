/** The buttons of `/authorized` on a server of the test kit: what a test turns also concerns their requests. */

import { assertEquals } from "@std/assert";
import { createMock, type Mock } from "../../src/mock/mod.ts";
import { checksOf, press } from "../features/walk.ts";
import { test } from "../runner.ts";
import { type Browser, createBrowser, encodeForm, type Page, type World } from "../world.ts";

/** The parts of a world that a browser and the buttons use. */
function worldOf(as: Mock): World {
  const parts: Partial<World> = {
    issuer: as.issuer,
    fetch: (request) => as.fetch(request, { redirect: "manual" }),
    post: (path, form, headers = {}) =>
      as.fetch(
        new Request(as.issuer + path, {
          method: "POST",
          redirect: "manual",
          body: typeof form === "string" ? form : encodeForm(form),
          headers: {
            "content-type": "application/x-www-form-urlencoded",
            ...Object.fromEntries(new Headers(headers)),
          },
        }),
      ),
  };
  return parts as World;
}

async function withMock(
  work: (flow: { as: Mock; world: World; browser: Browser; page: Page }) => Promise<void>,
): Promise<void> {
  const issuer = "http://localhost:9000";
  const clients = [{ client_id: "app", redirect_uris: [`${issuer}/authorized`] }];
  await using as = await createMock({ issuer, clients, login: "auto" });
  const world = worldOf(as);
  const browser = createBrowser(world);
  await work({ as, world, browser, page: await browser.open("/start?client_id=app") });
}

test("walk: a misbehaviour fools the page as it would a client, and a check of the page notices it", () =>
  withMock(async ({ as, world, browser, page }) => {
    using _wrong = as.misbehave("id_token.nonce_wrong");
    const exchanged = await press(world, browser, page, "exchange");
    const checks = checksOf(exchanged, "id_token");
    assertEquals(Object.keys(checks).filter((name) => checks[name] === "failed"), ["nonce"]);
  }));

test("walk: the test kit records the requests of its buttons as requests of the client", () =>
  withMock(async ({ as, world, browser, page }) => {
    await press(world, browser, await press(world, browser, page, "exchange"), "userinfo");
    const seen = as.requests.filter(({ endpoint }) => endpoint === "token" || endpoint === "userinfo");
    assertEquals(seen.map(({ endpoint, clientId }) => [endpoint, clientId]), [["token", "app"], [
      "userinfo",
      "app",
    ]]);
  }));
