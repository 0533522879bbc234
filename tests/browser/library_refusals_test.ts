/** The refusals for known libraries in a real browser: each fits a telephone, and its page is light. */

import { assert, assertEquals } from "@std/assert";
import { libraries } from "../../src/server/libraries/mod.ts";
import { recogniseLibrary } from "../../src/server/libraries/recognise.ts";
import { recordings, sendsPkce } from "../server/libraries/recordings.ts";
import { overflow, startedTest } from "./visit.ts";

/** An authorization request without PKCE of each library that a refusal names. */
const queries = new Map(
  recordings.filter((each) => !sendsPkce(each)).flatMap(({ authorization: [query = ""] }) => {
    const library = recogniseLibrary(query.slice(1));
    return library === undefined ? [] : [[library.name, query]];
  }),
);

startedTest(
  "libraries: no refusal scrolls sideways, and none is heavier than 45,000 octets",
  async ({ page, issuer }) => {
    let files = 0;
    assert(queries.has("spring") && queries.size >= 20, `${queries.size}`);
    for (const [name, query] of queries) {
      await page.goto(`${issuer}/oauth2/authorize${query}`);
      assertEquals(await page.locator("#looks-like").count(), 1, name);
      for (const details of await page.locator("details").all()) {
        await details.evaluate((element) => (element as HTMLDetailsElement).open = true);
      }
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 740 });
        assertEquals(await overflow(page), 0, `${name} at ${width} pixels`);
      }
      const [document = 0, ...others] = await page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
          .map((entry) => (entry as PerformanceResourceTiming).decodedBodySize)
      );
      // A browser that has the files already counts nothing for them.
      files = Math.max(files, others.reduce((sum, each) => sum + each, 0));
      assert(document > 5_000 && files > 15_000, `${document} and ${files}`);
      assert(document + files <= 45_000, `${name} has ${document + files} octets`);
    }
  },
);

startedTest(
  "libraries: the mend, whose fault it is and the danger stand on the first screen of a telephone",
  async ({ page, issuer }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const unknown =
      "?response_type=code&client_id=app&redirect_uri=http://localhost:9999/x&scope=openid&state=x";
    for (const [query, known] of [[unknown, 0], [queries.get("spring")!, 1]] as const) {
      await page.goto(`${issuer}/oauth2/authorize${query}`);
      assertEquals(await page.locator("#looks-like").count(), known);
      const order = known === 1
        ? ["#description", "#received", "#whose", "#line", "#correct"]
        : ["#description", "#received", "#change", "#whose", "#correct"];
      const boxes = await Promise.all(order.map((id) => page.locator(id).boundingBox()));
      for (const [at, box] of boxes.entries()) {
        const end = at === 0 ? 0 : boxes[at - 1]!.y + boxes[at - 1]!.height;
        assert(box!.y >= end && box!.height > 0, `${order[at]} stands below ${end}`);
      }
      for (const id of ["#danger", known === 1 ? "#line" : "#change"]) {
        const { y, height } = (await page.locator(id).boundingBox())!;
        assert(y + height <= 844, `${id} ends at ${y + height}`);
      }
      const change = page.locator("#change");
      assertEquals(
        await change.isVisible(),
        known === 0,
        "only a developer without the line needs the recipe",
      );
      if (known === 1) await page.getByText("It is another library").click();
      await change.waitFor({ state: "visible" });
    }
  },
);

startedTest(
  "libraries: the command that prints settings names the port of the server",
  async ({ page, issuer }) => {
    await page.goto(`${issuer}/oauth2/authorize${queries.get("spring")}`);
    const command = page.locator("code", { hasText: "print spring --" });
    assertEquals(
      (await command.innerText()).replace(/^.* print /, ""),
      `spring --port ${new URL(issuer).port}`,
    );
  },
);

startedTest("libraries: each line of the list has a button that copies it", async ({ page, issuer }) => {
  const query = "response_type=code&client_id=app&redirect_uri=http://localhost:3000/cb&scope=openid&state=x";
  await page.goto(`${issuer}/oauth2/authorize?${query}`);
  const list = page.locator("details[data-each]");
  await list.locator("> summary").click();
  await list.locator("summary", { hasText: "Python" }).click();
  await page.getByRole("button", { name: "Copy Authlib (Flask, Django, FastAPI) 1.9" }).click();
  await page.locator("#copy-status", { hasText: "Copied Authlib" }).waitFor();
  assertEquals(await page.evaluate("navigator.clipboard.readText()"), '"code_challenge_method": "S256",');
  const withLine = libraries.filter(({ words }) => words.pkce !== undefined).length;
  assertEquals(await list.locator("button").count(), withLine);
});
