/** The page after the exchange: its rows, which parts are folded, and how it shows long values. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { WalkCall, WalkProps } from "../../../src/server/oauth/contracts/pages.ts";
import { showJson, showsAll } from "../../../src/server/pages/token/token_props.ts";
import { test } from "../../runner.ts";
import { exchangeStep, pages, refusedWalk, walk } from "./examples.ts";
import { attribute, byId, type Element, findAll, readHtml, textOf } from "./read_html.ts";

function show(props: WalkProps): Element {
  return readHtml(pages.walk(props));
}

/** Shows a step with this response. */
function showResponse(response: WalkCall["response"]): Element {
  return show({ ...walk, steps: [{ ...exchangeStep, call: { ...exchangeStep.call, response } }] });
}

function rowsOf(document: Element, id: string): readonly (readonly string[])[] {
  const [body] = findAll(byId(document, id), "tbody");
  return findAll(body!, "tr").map((row) => [...findAll(row, "th"), ...findAll(row, "td")].map(textOf));
}

test("walk page: each token has a row with its life, its readers and its state", () => {
  assertEquals(rowsOf(show(walk), "tokens"), [
    ["Access token step 1", "opaque", "in 1 h", "", " works"],
    [
      "Refresh token step 1",
      "refresh",
      "not said",
      "this server, at its token endpoint",
      " replaced by a newer one",
    ],
    ["ID token claims, step 1", "a.b.c", "not said", "the client demo", "read once 1 check failed"],
  ]);
});

test("walk page: tokens of earlier steps that have ended are folded", () => {
  const tokens = [
    ...walk.tokens.map((token) => ({ ...token, state: "replaced" as const })),
    { kind: "access_token" as const, text: "newer", step: 1, state: "works" as const },
  ].map((token, at) => ({ ...token, step: at === 3 ? 2 : 1 }));
  const document = show({ ...walk, tokens, steps: [exchangeStep, { ...exchangeStep, name: "refresh" }] });
  assertEquals([rowsOf(document, "tokens").length, rowsOf(document, "older-tokens").length], [1, 3]);
});

test("walk page: the newest step comes first, only the shown one is open, and the others are there", () => {
  const rows = findAll(byId(show(refusedWalk), "so-far"), "li").filter((row) =>
    attribute(row, "id")?.startsWith("step-")
  );
  assertEquals(rows.map((row) => [attribute(row, "id"), attribute(row, "aria-current")]), [
    ["step-2", "step"],
    ["step-1", undefined],
  ]);
  const isOpen = rows.map((row) => attribute(findAll(row, "details")[0]!, "open") !== undefined);
  assertEquals(isOpen, [true, false]);
  assertStringIncludes(textOf(rows[1]!), "grant_type=authorization_code");
});

test("walk page: of many long steps, the oldest rows only lead to their pages", () => {
  const long = { ...exchangeStep.call.response, body: "x".repeat(3_000) };
  const steps = Array.from(
    { length: 6 },
    () => ({ ...exchangeStep, decoded: [], call: { ...exchangeStep.call, response: long } }),
  );
  const rows = findAll(byId(show({ ...walk, steps, number: 6 }), "so-far"), "li").filter((row) =>
    attribute(row, "id")?.startsWith("step-")
  );
  assertEquals(rows.map((row) => findAll(row, "details").length > 0), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  assertEquals(attribute(findAll(rows[5]!, "a")[0]!, "href"), exchangeStep.url);
});

test("walk page: a long line shows its beginning only, and is there whole", () => {
  const token = "eyJ".repeat(200);
  const body = JSON.stringify({ access_token: token, expires_in: 300 });
  const response = byId(showResponse({ status: 200, headers: [], body }), "act-response");
  const lengthy = findAll(response, "span").filter((line) => attribute(line, "class")?.includes("lengthy"));
  assertEquals(lengthy.map(textOf), [`  "access_token": "${token}",`]);
  assertStringIncludes(textOf(response), '"expires_in": 300');
});

test("walk page: headers that every response has are folded apart from the others", () => {
  const headers = [["content-type", "application/json"], ["pragma", "no-cache"]] as const;
  const document = showResponse({ status: 200, headers, body: "{}" });
  assertEquals(textOf(byId(document, "act-response")), "HTTP 200\ncontent-type: application/json\n\n{}");
  const folded = findAll(document, "details").find((part) => textOf(part).startsWith("Other headers"));
  assertStringIncludes(textOf(folded!), "pragma: no-cache");
});

test("walk: a part of a token has 100 lines and 8,000 characters, a name 100 of them and a value 500", () => {
  const partOf = (value: unknown) => showJson(JSON.stringify(value), showsAll);
  const list = (length: number, item: unknown) =>
    partOf(Object.fromEntries(Array.from({ length }, (_, at) => [`${at}`, item])));
  assertEquals([list(98, 1), list(99, 1)].map(({ lines, omitted }) => [lines.length, omitted]), [
    [100, undefined],
    [100, 1],
  ]);
  const long = list(40, "x".repeat(490)).lines.map(({ text }) => text.length);
  const total = long.reduce((sum, length) => sum + length);
  assert(total <= 8_000 && total + Math.max(...long) > 8_000, `${total}`);
  // With quotes, a colon and a space.
  const isCut = (name: number, value: number) =>
    partOf({ ["n".repeat(name)]: "v".repeat(value) }).lines.some(({ text }) => text.includes("…"));
  assertEquals([isCut(96, 498), isCut(97, 1), isCut(1, 499)], [false, true, true]);
});
