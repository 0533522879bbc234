/** The specification that this server began with: the page `/authorized` after a flow from the front page. */

import { assertEquals } from "@std/assert";
import { assertTokens } from "../server/oauth/refusals.ts";
import { findAll, findById, readHtml, textOf } from "../server/pages/read_html.ts";
import { test } from "../runner.ts";
import { createBrowser, type Page } from "../world.ts";
import { readCurlCommand } from "./curl_command.ts";
import { headings, reachAuthorized, text, unconfigured } from "./sample_flow.ts";

const examples = [["demo", "example-public"], [
  "demo-confidential",
  "example-confidential",
]] as const;
for (const [client, example] of examples) {
  test(`seed §1, §4.2: the pasted example request of ${client} gets tokens once`, () =>
    unconfigured(async (world) => {
      const { page } = await reachAuthorized(world, client);
      const command = text(page, example);
      const request = readCurlCommand(command);
      assertEquals([request.method, request.url], ["POST", "http://localhost:9000/oauth2/token"]);
      assertEquals(request.headers.get("content-type"), "application/x-www-form-urlencoded");
      const tokens = await assertTokens(await world.fetch(request));
      assertEquals([tokens["token_type"], tokens["scope"]], ["Bearer", "openid profile read"]);
      const again = await world.fetch(readCurlCommand(command));
      assertEquals([again.status, (await again.json()).error], [400, "invalid_grant"]);
    }));
}

const firstSentence = (page: Page) => textOf(findAll(findById(readHtml(page.html), "main")!, "p")[0]!);

test("seed §2: without code and error the page is a failure, says so, and shows no error code", () =>
  unconfigured(async (world) => {
    for (const query of ["", "?state=xyz", "?code=", "?error="]) {
      const page = await createBrowser(world).open(`/authorized${query}`);
      assertEquals([page.status, headings(page)], [200, ["Authorization Failed"]]);
      assertEquals(
        firstSentence(page),
        "This address has neither a code nor an error: nothing was authorized here.",
      );
      for (const id of ["error", "error-description", "code"]) {
        assertEquals(findById(readHtml(page.html), id), undefined, `${query} ${id}`);
      }
    }
  }));

test("seed §2: with an error the page is a failure, also beside a code", () =>
  unconfigured(async (world) => {
    const query = "error=access_denied&error_description=The+person+said+no&code=abc&state=xyz";
    const page = await createBrowser(world).open(`/authorized?${query}`);
    assertEquals(headings(page), ["Authorization Failed"]);
    assertEquals([text(page, "error"), text(page, "error-description")], [
      "access_denied",
      "The person said no",
    ]);
    assertEquals(findById(readHtml(page.html), "code"), undefined);
  }));
