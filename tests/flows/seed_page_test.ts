/** The specification that this server began with: its front page, sign-in, consent and `/authorized`. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { assertTokens } from "../oauth/refusals.ts";
import { attribute, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { createBrowser, type Page } from "../world.ts";
import { readCurlCommand } from "./curl_command.ts";
import { headings, own, reachAuthorized, text, unconfigured } from "./sample_flow.ts";

test("seed §4.1: the sample link is a complete request for openid, profile and read", () =>
  unconfigured(async (world) => {
    const response = await world.get("/start?client_id=demo");
    const url = new URL(response.headers.get("location")!);
    assertEquals(url.origin + url.pathname, "http://localhost:9000/oauth2/authorize");
    const { state, code_challenge, nonce, ...params } = Object.fromEntries(url.searchParams);
    assertEquals(params, {
      response_type: "code",
      client_id: "demo",
      redirect_uri: own,
      scope: "openid profile read",
      code_challenge_method: "S256",
    });
    assertMatch(state!, /^[\w-]{22}$/);
    assertMatch(nonce!, /^[\w-]{22}$/);
    assertMatch(code_challenge!, /^[\w-]{43}$/);
  }));

test("seed §1: from the front page through sign-in and consent to /authorized", () =>
  unconfigured(async (world) => {
    const { page } = await reachAuthorized(world);
    assertEquals([page.status, headings(page)], [200, ["Authorization Successful!"]]);
    const url = new URL(page.url);
    assertEquals([url.origin + url.pathname, [...url.searchParams.keys()]], [own, ["code", "state", "iss"]]);
    assertEquals(text(page, "code"), url.searchParams.get("code"));
    assertEquals(text(page, "state"), url.searchParams.get("state"));
  }));

for (
  const [client, example] of [["demo", "example-public"], [
    "demo-confidential",
    "example-confidential",
  ]] as const
) {
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

test("seed §1: the page has everything for the next step: the verifier and when the code ends", () =>
  unconfigured(async (world) => {
    const { browser, page } = await reachAuthorized(world);
    assertMatch(text(page, "code-verifier"), /^[\w-]{43}$/);
    assertMatch(text(page, "code-life"), /^The code expires at \d\d:\d\d:\d\d UTC, in about 5 minutes\.$/);
    const reloaded = await browser.open(page.url);
    assertEquals(text(reloaded, "code-verifier"), text(page, "code-verifier"));
    await assertTokens(await world.fetch(readCurlCommand(text(page, "example-public"))));
    assertMatch(text(await browser.open(page.url), "code-life"), /has been exchanged/);
  }));

test("seed §1: another browser does not see the verifier", () =>
  unconfigured(async (world) => {
    const { page } = await reachAuthorized(world);
    const elsewhere = await createBrowser(world).open(page.url);
    assertEquals(findById(readHtml(elsewhere.html), "code-verifier"), undefined);
    assertStringIncludes(text(elsewhere, "example-public"), "code_verifier=<CODE_VERIFIER>");
  }));

test("seed §2: hasError selects the view, and absent fields are not shown", () =>
  unconfigured(async (world) => {
    const browser = createBrowser(world);
    const pages: readonly (readonly [query: string, shown: Readonly<Record<string, string>>])[] = [
      ["?code=abc&state=xyz", {
        code: "abc",
        state: "xyz",
        "token-endpoint": "http://localhost:9000/oauth2/token",
      }],
      ["?code=abc", { code: "abc", "token-endpoint": "http://localhost:9000/oauth2/token" }],
      ["?code=abc&state=", { code: "abc", "token-endpoint": "http://localhost:9000/oauth2/token" }],
      ["?error=access_denied&error_description=The+person+said+no", {
        error: "access_denied",
        "error-description": "The person said no",
      }],
      ["?error=access_denied", { error: "access_denied" }],
      ["?error=access_denied&code=abc&state=xyz", { error: "access_denied" }],
    ];
    for (const [query, shown] of pages) {
      const page = await browser.open(`/authorized${query}`);
      const document = readHtml(page.html);
      const fields = ["error", "error-description", "code", "state", "token-endpoint"];
      const found = fields.flatMap((id) => {
        const element = findById(document, id);
        return element === undefined ? [] : [[id, textOf(element)]];
      });
      assertEquals(Object.fromEntries(found), shown, query);
      const heading = "error" in shown ? "Authorization Failed" : "Authorization Successful!";
      assertEquals(headings(page), [heading]);
    }
  }));

const firstSentence = (page: Page) =>
  textOf(findAll(readHtml(page.html), "p").find((each) => attribute(each, "class") === "lead")!);

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
