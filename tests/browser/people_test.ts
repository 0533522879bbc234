/** The pages of people in a real browser: what is revoked there ends, and the frame of the pages does not move. */

import { assert, assertEquals } from "@std/assert";
import { toResponse } from "../../src/ground/http/message.ts";
import { logIn } from "./run_clients.ts";
import { serveSite } from "./site.ts";
import { sites } from "./sites.ts";
import { startServer } from "./start_server.ts";
import { browserTest, overflow, startedTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

startedTest("frame: the links of the navigation keep their places from page to page", async (visit) => {
  const { page, issuer } = visit;
  const placesOn = async (path: string) => {
    await page.goto(issuer + path);
    const links = await page.locator(".frame nav a").all();
    return await Promise.all(links.map(async (link) => (await link.boundingBox())!.x));
  };
  const places = await placesOn("/");
  for (const path of ["/people", "/clients", "/misbehaviours", "/_postern"]) {
    assertEquals(await placesOn(path), places, path);
  }
});

browserTest("frame: a page is drawn when all of it has arrived, so that nothing moves", async (browser) => {
  await using server = await startServer({ control: true });
  const rest = Promise.withResolvers<void>();
  await using slow = serveSite(async (_request, path) => {
    const response = toResponse(await server.answer(new Request(server.issuer + path)));
    if (path !== "/people") return response;
    const [beginning, end] = (await response.text()).split("<main");
    return new Response(ReadableStream.from(parts(beginning!, `<main${end}`)), response);
  });
  async function* parts(beginning: string, end: string): AsyncIterable<Uint8Array> {
    yield new TextEncoder().encode(beginning);
    await rest.promise;
    yield new TextEncoder().encode(end);
  }
  try {
    await withContext(browser, { origins: [slow.sameSite] }, async (context) => {
      const page = await context.newPage();
      await page.goto(`${slow.sameSite}/people`, { waitUntil: "commit" });
      const first = page.evaluate(() =>
        new Promise<boolean>((resolve) =>
          requestAnimationFrame(() => resolve(document.querySelector("footer") !== null))
        )
      );
      // Time in which a browser would draw the beginning.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
      rest.resolve();
      assertEquals(await first, true, "the first frame has the end of the page");
    });
  } finally {
    rest.resolve();
  }
});

startedTest(
  "people: on a telephone the buttons of lists are as tall as a finger",
  async ({ page, issuer }) => {
    await logIn(issuer);
    for (const path of ["/", "/clients", "/people/person?username=alice", "/misbehaviours?area=keys"]) {
      await page.goto(issuer + path);
      const heights = await page.locator(":is(.rows, .fold) :is(.button, .copy):visible").evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect().height)
      );
      assert(heights.length > 0 && heights.every((height) => height >= 44), `${path}: ${heights}`);
    }
  },
  { viewport: { width: 390, height: 844 } },
);

startedTest(
  "people: on a telephone a long username breaks, and buttons keep away from the lines",
  async ({ page, issuer }) => {
    const username = "a.very.long.username.of.a.person@subsidiary.example.com";
    const added = await fetch(`${issuer}/_postern/people`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, claims: { name: "Maximiliana von Hohenzollern-Sigmaringen" } }),
    });
    await added.body?.cancel();
    for (const path of [`/people/person?username=${username}`, "/people", "/clients", "/"]) {
      await page.goto(issuer + path);
      assertEquals(await overflow(page), 0, path);
    }
    await page.goto(`${issuer}/people`);
    const [name, below] = await page.locator("tr", { hasText: username }).locator("td").evaluateAll((cells) =>
      cells.map((each) => each.getBoundingClientRect())
    );
    assert(below!.top >= name!.bottom, "the username stands below the name");
    await page.goto(`${issuer}/clients`);
    const gaps = await page.locator("tbody tr:has(.button)").evaluateAll((rows) =>
      rows.map((row) =>
        row.querySelector(".button")!.getBoundingClientRect().top - row.getBoundingClientRect().top
      )
    );
    assert(gaps.length > 1 && gaps.every((gap) => gap >= 4), `${gaps}`);
  },
  { viewport: { width: 390, height: 844 } },
);

startedTest(
  "people: what ends all access or removes a person is framed, in one line and one colour",
  async ({ page, issuer }) => {
    await logIn(issuer);
    await page.goto(`${issuer}/people/person?username=alice`);
    const revoke = page.getByRole("button", { name: "Revoke" }).first();
    const buttons = [revoke, ...await page.locator(".onward:has(.ask) > * > .button").all()];
    assertEquals(await page.locator("#end-heading").innerText(), "End access");
    const looks = await Promise.all(buttons.map((each) =>
      each.evaluate((button) => {
        const { color, borderColor, fontWeight } = getComputedStyle(button);
        return [color, borderColor, fontWeight].join();
      })
    ));
    assertEquals([looks.length, new Set(looks).size], [3, 1]);
    const [, end, remove] = await Promise.all(buttons.map((each) => each.boundingBox()));
    assertEquals([end!.y, end!.height], [remove!.y, remove!.height]);
  },
);

startedTest(
  "people: the form shows all of a person's claims, without scrolling",
  async ({ page, issuer }) => {
    const headers = { "content-type": "application/json" };
    const claims = { roles: ["admin", "buyer", "auditor"], groups: ["a", "b"] };
    const body = JSON.stringify({ username: "erin", claims });
    await (await fetch(`${issuer}/_postern/people`, { method: "POST", headers, body })).body?.cancel();
    await page.goto(`${issuer}/people/person?username=erin`);
    await page.locator("#edit > summary").click();
    const [whole, shown] = await page.locator("textarea").evaluate((
      field,
    ) => [field.scrollHeight, field.clientHeight]);
    assert(whole! <= shown!, `${whole} pixels of text in ${shown}`);
  },
);

startedTest(
  "people: a row without grants is one line, beside one with many",
  async ({ page, issuer }) => {
    const headers = { "content-type": "application/json" };
    for (const client of ["procurement-and-expenses-workspace-production", "walk"]) {
      const body = JSON.stringify({ username: "dave", client });
      await (await fetch(`${issuer}/_postern/login`, { method: "POST", headers, body })).body?.cancel();
    }
    await page.goto(`${issuer}/people`);
    const heights = await page.locator("#people tbody tr:has-text('no grants')").evaluateAll((rows) =>
      rows.map((row) => Math.round(row.getBoundingClientRect().height))
    );
    assert(heights.length > 1 && heights.every((height) => height < 36), `${heights}`);
  },
  { start: sites.shop, viewport: { width: 1280, height: 800 } },
);

startedTest(
  "people: two presses from the first page end all access of a person",
  async ({ page, issuer }) => {
    await logIn(issuer);
    await page.goto(issuer);
    await page.getByRole("link", { name: "People" }).first().click();
    const row = page.locator("tr", { hasText: "alice" });
    await row.getByRole("button", { name: "End all access of alice" }).click();
    await page.locator("#done").waitFor();
    await page.goto(`${issuer}/people`);
    assertEquals(await row.getByText("End all access").count(), 0);
  },
);
