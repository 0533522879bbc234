/** The page of a step: which parts are folded, and how it shows long values. */

import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import type { WalkProps } from "../../src/oauth/pages.ts";
import { test } from "../runner.ts";
import { pages, refusedWalk, walk } from "./examples.ts";
import { attribute, byId, type Element, findAll, findById, readHtml, textOf } from "./read_html.ts";

function show(props: WalkProps): Element {
  return readHtml(pages.walk(props));
}

/** The headings of the folded parts of the ID token, and whether each part is open. */
function partsOf(document: Element): readonly (readonly [heading: string, isOpen: boolean])[] {
  return findAll(byId(document, "decoded-id_token"), "details").map((part) => [
    textOf(findAll(part, "summary")[0]!),
    attribute(part, "open") !== undefined,
  ]);
}

test("walk page: checks are folded if all passed, and open if one failed", () => {
  const failed = show(walk);
  assertEquals(partsOf(failed), [
    ["1 check failed, 1 check passed", true],
    ["Header and claims, explained", false],
  ]);
  const passed = walk.decoded.map((token) => ({
    ...token,
    checks: token.checks.filter(({ result }) => result !== "failed"),
  }));
  assertEquals(partsOf(show({ ...walk, decoded: passed }))[0], ["1 check passed", false]);
});

test("walk page: a long line shows its beginning only, and is there whole", () => {
  const token = "eyJ".repeat(200);
  const call = {
    ...walk.step.call,
    response: { status: 200, headers: [], body: JSON.stringify({ access_token: token, expires_in: 300 }) },
  };
  const response = byId(show({ ...walk, step: { ...walk.step, call } }), "act-response");
  const lengthy = findAll(response, "span").filter((line) => attribute(line, "class")?.includes("lengthy"));
  assertEquals(lengthy.map(textOf), [`  "access_token": "${token}",`]);
  assertStringIncludes(textOf(response), '"expires_in": 300');
});

test("walk page: headers that every response has are folded apart from the others", () => {
  const headers = [["content-type", "application/json"], ["pragma", "no-cache"]] as const;
  const call = { ...walk.step.call, response: { status: 200, headers, body: "{}" } };
  const document = show({ ...walk, step: { ...walk.step, call } });
  assertEquals(textOf(byId(document, "act-response")), "HTTP 200\ncontent-type: application/json\n\n{}");
  const folded = findAll(document, "details").find((part) => textOf(part).startsWith("Other headers"));
  assertStringIncludes(textOf(folded!), "pragma: no-cache");
});

test("walk page: the list of steps is there if there are several", () => {
  assertFalse(findById(show(walk), "so-far"));
  assertEquals(findAll(byId(show(refusedWalk), "so-far"), "li").length, 2);
});
