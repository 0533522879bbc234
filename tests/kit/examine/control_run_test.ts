/** What one run with a fault comes to, by what the fault needs: another browser, a page, or nothing. */

import { assert, assertEquals } from "@std/assert";
import { runWrong } from "../../../src/kit/examine/control_run.ts";
import type { World } from "../../../src/kit/examine/scenario.ts";
import { listVariants, type MisbehaviourName } from "../../../src/kit/faults/names.ts";
import type { Outcome } from "../../../src/kit/faults/outcome.ts";
import { test } from "../../runner.ts";

interface Given {
  readonly outcome: Outcome;
  /** What the requests alone prove. */
  readonly proven?: Outcome;
  /** Another browser begins, and the client visits no page in its first run. */
  readonly begins?: true;
  /** The first run ends that of the other browser, because it visits a page. */
  readonly visits?: true;
  /** The first run does not end within the limit. */
  readonly isLate?: true;
  readonly isApart?: true;
  readonly hasEscaped?: true;
}

async function runOf(name: MisbehaviourName, given: Given, variant = "some") {
  const { outcome, proven, begins = false, visits, isLate, isApart = false, hasEscaped = false } = given;
  const did: string[] = [];
  const { promise: lateEnd, resolve: endLate } = Promise.withResolvers<void>();
  const otherBrowser = {
    isBeginning: begins,
    isApart,
    end: () => void (did.push("other ends"), otherBrowser.isBeginning = false),
  };
  let terms: { readonly probability?: number; readonly variant?: string } = {};
  const as = {
    issuer: "https://as.test",
    misbehave(named: string, given: typeof terms) {
      did.push(named);
      terms = given;
      return {
        proven: proven === undefined ? undefined : { outcome: proven },
        async settled(run: Promise<unknown>) {
          if (isLate) setTimeout(endLate, 100);
          await run;
          return { outcome, because: "It is so.", requests: [] };
        },
        [Symbol.dispose]: () => void did.push("right again"),
      };
    },
  };
  const pages: string[] = [];
  const changeFirstPage = (change: (page: URL) => void) => {
    const page = new URL("https://app.test/login");
    change(page);
    pages.push(decodeURIComponent(page.href));
  };
  const world = { as, otherBrowser, hasEscaped, changeFirstPage, scenario: {}, listSeen: () => [] };
  const start = async () => {
    did.push(`run with ${terms.probability ?? terms.variant}`);
    if (visits) otherBrowser.isBeginning = false;
    if (isLate) await lateEnd;
  };
  const run = { variant, usual: [], within: 0.01 };
  const { outcome: found, isProven, trustsBrowsers } = await runWrong(
    name,
    world as unknown as World,
    start,
    run,
  );
  return { found: [found, isProven, trustsBrowsers], did: did.slice(1), pages };
}

const browsers = "authorization_response.state_of_another_browser";
const markup = "authorization_response.error_markup";
const one = ["run with some", "right again"];

const runs: readonly (readonly [
  name: MisbehaviourName,
  given: Given,
  found: readonly [Outcome, isProven: boolean, trustsBrowsers: boolean],
  did: readonly string[],
])[] = [
  ["id_token.exp_missing", { outcome: "noticed" }, ["noticed", false, false], one],
  ["id_token.exp_missing", { outcome: "noticed", proven: "noticed" }, ["noticed", true, false], one],
  ["id_token.exp_missing", { outcome: "noticed", proven: "fooled" }, ["noticed", false, false], one],
  ["id_token.exp_missing", { outcome: "unknown", proven: "noticed" }, ["unknown", false, false], one],
  ["id_token.exp_missing", { outcome: "unknown", hasEscaped: true }, ["unknown", false, false], one],
  [markup, { outcome: "unknown", hasEscaped: true }, ["noticed", true, false], one],
  [markup, { outcome: "unknown" }, ["unknown", false, false], one],
  [markup, { outcome: "fooled", hasEscaped: true }, ["fooled", false, false], one],
  [browsers, { outcome: "fooled", begins: true }, ["fooled", false, true], [
    "run with 0",
    "other ends",
    "run with 1",
    "right again",
  ]],
  [browsers, { outcome: "fooled", begins: true, visits: true, isApart: true }, ["fooled", false, false], [
    "run with 0",
    "right again",
  ]],
  [browsers, { outcome: "hung", begins: true, isLate: true }, ["hung", false, true], [
    "run with 0",
    "right again",
  ]],
];

for (const [name, given, found, did] of runs) {
  test(`one run: ${name} with ${JSON.stringify(given)}`, async () => {
    const run = await runOf(name, given);
    assertEquals([run.found, run.did, run.pages], [[...found], [...did], []]);
  });
}

test("one run: the first page of a client gets the page of another server, as its variant writes it", async () => {
  const name = "authorization_response.return_page_foreign";
  const found = new Set<string>();
  for (const variant of listVariants(name)) {
    const { pages } = await runOf(name, { outcome: "noticed" }, variant);
    assertEquals(pages.length, 1);
    // That of this variant is in the state.
    assertEquals(pages[0]!.includes("as-test.decoy.test"), variant !== "state", variant);
    found.add(pages[0]!);
  }
  assert(found.size > 1);
  assertEquals(found.size, listVariants(name).length);
});
