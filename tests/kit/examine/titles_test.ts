/** The titles above the rows of a card: none says more than its rows do. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { sayCount } from "../../../src/ground/values/say_count.ts";
import { formatBrief } from "../../../src/kit/examine/card/format_brief.ts";
import { createReport, groupByMend, type ReportRow, titleOf } from "../../../src/kit/examine/card/report.ts";
import { describeMisbehaviour } from "../../../src/kit/faults/choose.ts";
import type { KeptCard, KeptRow } from "../../../src/kit/examine/card/kept_card.ts";
import { listVariants } from "../../../src/kit/faults/names.ts";
import { formatCard, misbehaviourNames } from "../../../src/kit/mod.ts";
import type { Outcome } from "../../../src/kit/faults/outcome.ts";
import { fooledWords } from "../../../src/kit/faults/mends.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import type { LibraryCard } from "../examined/examine_library.ts";
import { test } from "../../runner.ts";

/** Completes the rows of a published card by the catalogue. */
function readPublished(file: string): KeptCard {
  const { library: _library, rows, ...about } = JSON.parse(readFileSync(file, "utf8")) as LibraryCard;
  return {
    ...about,
    rows: rows.map((row) => ({
      because: "",
      ...describeMisbehaviour(row.name),
      ...row,
      requests: [],
    })) as readonly KeptRow[],
  };
}

const published = ["docs/cards", "docs/api_cards"].flatMap((folder) =>
  readdirSync(folder).map((file) => `${folder}/${file}`)
);

/** A title says what the first row says, and about the others no more than how many there are. */
function findContradicted(rows: readonly ReportRow[]): readonly string[] {
  return groupByMend(rows).filter(({ title, rows: [first, ...others] }) => {
    const own = titleOf(first!);
    const isOfAll = first!.outcome === "noticed" && /^Refuses some requests with/.test(title);
    if (others.length > 0) return !isOfAll && !title.startsWith(`${own} (and ${others.length} more`);
    const { server, because, variant } = first!;
    const [said = "", sentence = ""] = [because, server].map((text) => text.split(/\.(?: |$)/)[0]!);
    return title !== own || variant === undefined && !title.endsWith(sentence.slice(1)) && title !== said;
  }).map(({ title }) => title);
}

for (const file of published) {
  test(`titles: ${file} contradicts none of its titles`, () => {
    const { rows } = createReport(readPublished(file));
    for (const grade of ["failed", "advice"] as const) {
      assertEquals(findContradicted(rows.filter((row) => row.grade === grade)), []);
    }
  });
}

const rowOf = (name: KeptRow["name"], outcome: Outcome): KeptRow => {
  const { bugs: _bugs, api: _api, variants: _variants, ...row } = describeMisbehaviour(name);
  return { ...row, outcome, because: "The client succeeded.", requests: [] };
};

const cases: readonly (readonly [title: string, ...rows: (readonly [KeptRow["name"], Outcome])[]])[] = [
  ["Goes on when the metadata has no issuer", ["metadata.issuer_missing", "fooled"]],
  ["Goes on when the metadata is that of another server", ["metadata.impostor", "fooled"]],
  // The server is right, so its sentence says nothing of the client: the evidence does.
  ["The client succeeded", ["login.verifier_shown", "fooled"]],
  [
    // Of the second one, a flaw of a library is published.
    "Goes on when the metadata is that of another server (and 1 more about the issuer of the metadata)",
    ["metadata.issuer_missing", "fooled"],
    ["metadata.impostor", "fooled"],
  ],
  [
    "The client succeeded (and 1 more about its own values and tokens in a login)",
    ["login.nonce_repeated", "fooled"],
    ["login.state_repeated", "fooled"],
  ],
  [
    // Both levels fail, and a rule demands only the second one.
    "Goes on when the ID token of a refresh has expired (and 1 more about the ID token of a refresh)",
    ["refresh.id_token_alg_none", "fooled"],
    ["refresh.id_token_exp_past", "fooled"],
  ],
  // What such a client does is more than to go on.
  [
    "Sends the code again when the token response ends in the middle of the JSON",
    ["token_response.truncated", "fooled"],
  ],
  [
    "Does not use this nonce for the next request when the successful token response has a nonce",
    ["dpop.nonce_rotates", "fooled"],
  ],
  [
    "Sends its secrets there when a request for userinfo is redirected to another origin",
    ["userinfo.redirect_foreign", "fooled"],
  ],
  [
    "Goes on when the access token is signed with an HMAC, and its key is the public key of the server, in a usual " +
    "form (and 1 more about the algorithm of a signature)",
    ["access_token.hs256_alg_unpublished", "fooled"],
    ["access_token.hs256_with_public_key", "fooled"],
  ],
  ["Sends a refresh token a second time when each refresh takes a moment", ["refresh.slow", "fooled"]],
  ["Stops when the response to a refresh has no ID token", ["refresh.id_token_missing", "broke"]],
  [
    "Stops when the response to a refresh has no ID token (and 1 more in refresh)",
    ["refresh.id_token_missing", "broke"],
    ["refresh.scope_less", "broke"],
  ],
  [
    "Does not end in time when the token response stops after a few bytes and never ends",
    ["transport.stalled", "hung"],
  ],
  [
    "Does not end in time when the token response stops after a few bytes and never ends (and 1 more)",
    ["transport.stalled", "hung"],
    ["keys.silent", "hung"],
  ],
  [
    "Fails in its own code when the set of published keys is empty (and 1 more in keys)",
    ["keys.empty", "crashed"],
    ["keys.html_200", "crashed"],
  ],
];

for (const [title, ...found] of cases) {
  test(`titles: ${title}`, async () => {
    const rows = found.map(([name, outcome]) => rowOf(name, outcome));
    const card: KeptCard = { version: 2, phases: ["login"], rows };
    const report = createReport(card);
    assertEquals(groupByMend(report.rows).map((group) => group.title), [title]);
    for (const form of ["html", "markdown"] as const) {
      assertStringIncludes(
        await formatCard(card, form),
        title + (form === "html" ? "</h3>" : ": "),
      );
    }
    // An alert is about one row.
    const own = groupByMend(report.rows.slice(0, 1))[0]!.title;
    assertStringIncludes(await formatCard(card, "sarif"), `"text": "${own}. `);
  });
}

test("titles: a group has all of its levels", async () => {
  const [first, second] = [
    rowOf("id_token.nonce_wrong", "fooled"),
    rowOf("id_token.nonce_missing", "fooled"),
  ];
  const card: KeptCard = { version: 2, phases: ["login"], rows: [first, { ...second, level: "should" }] };
  const title =
    "Goes on when the nonce of the ID token is not the one that the client sent (and 1 more about the nonce)";
  const markdown = await formatCard(card, "markdown");
  assertStringIncludes(markdown, `<summary>${title}: 2 rows (must, should)</summary>`);
  assertStringIncludes(await formatCard(card, "html"), ">2<span> rows, must, should</span>");
  assertStringIncludes(formatBrief(createReport(card)), `  ${title}: 2 rows (must, should)\n`);
});

test("titles: each row of the catalogue has a sentence for its title, whatever became of it", () => {
  const outcomes = ["fooled", "broke", "hung", "crashed", "noticed", "unknown"] as const;
  for (const name of misbehaviourNames) {
    const { server } = catalogue.get(name)!;
    for (const outcome of outcomes) {
      const { rows } = createReport({ version: 2, phases: ["login"], rows: [rowOf(name, outcome)] });
      const [{ title } = { title: "" }] = groupByMend(rows);
      assert(title.length > 10 && !/undefined|\.$/.test(title), title);
      assert(name.startsWith("login.") || title.includes(server.slice(1, 12)), title);
    }
  }
});

for (const name of misbehaviourNames.filter((each) => listVariants(each).length > 0)) {
  test(`titles: ${name} says of each variant only what failed`, () => {
    const titles = listVariants(name).map((variant) => {
      const because = `With the variant ${variant}: The client succeeded.`;
      return titleOf(
        createReport({
          version: 2,
          phases: ["login"],
          rows: [{ ...rowOf(name, "fooled"), variant, because }],
        }).rows[0]!,
      );
    });
    assertEquals(new Set(titles).size, titles.length, titles.join("\n"));
    assertEquals(titles.filter((title) => / or |undefined|variant|: another$/.test(title)), []);
  });
}

test("titles: an API that loads the keys too often", () => {
  const because = "The API loaded the keys 50 times for 50 tokens";
  const row = {
    ...rowOf("access_token.kid_unknown_many", "fooled"),
    because: `${because}. The API answered 401.`,
  };
  assertEquals(titleOf(createReport({ version: 2, phases: ["call_api"], rows: [row] }).rows[0]!), because);
});

const called: readonly (readonly [KeptRow["name"], Outcome, because: string, title: RegExp])[] = [
  [
    "access_token.key_by_url",
    "fooled",
    "The API called the URL in the header: GET /jwks. The API answered 401.",
    /^Calls/,
  ],
  ["id_token.jku_foreign", "broke", "The client called the URL in the header: GET decoy.", /^Calls/],
  ["id_token.jku_foreign", "broke", "The client refused: Error: it called the URL in the header", /^Stops/],
  [
    "id_token.jku_foreign",
    "broke",
    "The client refused: Error: no. The client called the URL in the header",
    /^Stops/,
  ],
];

for (const [name, outcome, because, title] of called) {
  test(`titles: ${because}`, () => {
    const row = {
      ...rowOf(name, outcome),
      because: `With the variant similar_host: ${because}`,
      variant: "similar_host",
    };
    const found = titleOf(createReport({ version: 2, phases: ["login"], rows: [row] }).rows[0]!);
    assertMatch(found, title);
    assertMatch(found, / when the header of the (?:ID|access) token.* URL .*: similar host$/);
  });
}

test("titles: a client that sent something wrong has not stopped, and one that got nothing has not done more", () => {
  const say = (name: KeptRow["name"], outcome: Outcome, because: string) =>
    titleOf(
      createReport({ version: 2, phases: ["login"], rows: [{ ...rowOf(name, outcome), because }] }).rows[0]!,
    );
  assertEquals(
    say("metadata.token_endpoint_query", "broke", "Afterwards the client sent POST token."),
    "Goes wrong when the URL of the token endpoint has a query of its own",
  );
  assertEquals(
    say("dpop.nonce_missing", "fooled", "The client says that it succeeded, but it got no tokens."),
    "Goes on when the token endpoint answers use_dpop_nonce without a nonce",
  );
});

test("titles: each name of the special words is the beginning of a misbehaviour", () => {
  const all = fooledWords.flatMap(([, names]) => names.split(" "));
  assertEquals(all.filter((each) => !misbehaviourNames.some((name) => name.startsWith(each))), []);
});

test("titles: a card of one row counts one misbehaviour", async () => {
  const rows = [rowOf("metadata.issuer_missing", "fooled"), rowOf("metadata.impostor", "fooled")];
  for (const [count, words] of [[1, "1 misbehaviour,"], [2, "2 misbehaviours,"]] as const) {
    const html = await formatCard({ version: 2, phases: ["login"], rows: rows.slice(0, count) }, "html");
    assertStringIncludes(html, `<p>${words} one at a time.`);
  }
  assertEquals(sayCount(0, "row takes", "rows take"), "0 rows take");
});
