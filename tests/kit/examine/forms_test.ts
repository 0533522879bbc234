/** Every format of a card, line by line: `forms.txt` has what each writes of the cards below. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatBrief } from "../../../src/kit/examine/card/format_brief.ts";
import type { KeptCard, KeptRequest, KeptRow } from "../../../src/kit/examine/card/kept_card.ts";
import { createReport } from "../../../src/kit/examine/card/report.ts";
import { misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { describeMisbehaviour } from "../../../src/kit/faults/choose.ts";
import { type CardForm, formatCard, type FormatCardTerms } from "../../../src/kit/mod.ts";
import { readKept } from "../../kept_lines.ts";
import { test } from "../../runner.ts";

const request: KeptRequest = {
  endpoint: "token",
  method: "POST",
  path: "/oauth2/token",
  status: 200,
  outcome: "ok",
  clientId: "app",
  grantType: "authorization_code",
  altered: [{ by: "id_token.alg_none", seam: "id_token" }],
  params: { grant_type: "authorization_code", code: "[redacted]" },
};
const refused: KeptRequest = { ...request, status: 400, outcome: "refused", altered: [] };

const rowOf = (name: KeptRow["name"], more: Partial<KeptRow>): KeptRow => {
  const { area, level, phase } = describeMisbehaviour(name);
  const about = {
    name,
    area,
    level,
    phase,
    server: "It is wrong.",
    client: "Refuses it.",
    rule: "RFC 9207 §2.4",
  };
  return { ...about, outcome: "noticed", because: "The client refused: Error: no", requests: [], ...more };
};

/** Five rows that were not judged for one reason. */
const unreached = (["slow", "huge", "html_200", "issuer_slash", "status_500"] as const).map((fault) =>
  rowOf(`metadata.${fault}`, {
    outcome: "not_reached",
    because: "The client loads no metadata.\nIt was told all of it.",
  })
);

const client: KeptCard = {
  version: 2,
  runtime: "node 24.1.0",
  phases: ["login", "refresh"],
  neverSends: ["nonce", "code_challenge"],
  rows: [
    rowOf("id_token.iss_wrong", { outcome: "crashed", because: "TypeError: no\n    at /srv/a.js:3:4" }),
    rowOf("id_token.alg_none", {
      outcome: "fooled",
      because: "The client succeeded.\nIt was told no error.",
      requests: [request, refused],
    }),
    rowOf("id_token.aud_wrong", { outcome: "fooled", requests: [refused], needs: "OpenID Connect" }),
    rowOf("id_token.exp_missing", { outcome: "fooled" }),
    rowOf("id_token.exp_past", { outcome: "fooled" }),
    rowOf("id_token.nonce_wrong", { outcome: "fooled" }),
    rowOf("authorization_response.iss_wrong", { outcome: "fooled" }),
    rowOf("authorization_response.state_changed", { outcome: "unharmed" }),
    rowOf("keys.empty", { outcome: "hung" }),
    ...unreached,
    rowOf("metadata.minimal", { outcome: "broke" }),
    rowOf("id_token.large", { outcome: "broke" }),
    rowOf("id_token.sub_empty", { outcome: "fooled" }),
    rowOf("id_token.sub_long", { outcome: "unharmed" }),
    rowOf("id_token.aud_empty", { outcome: "unknown" }),
    rowOf("device.poll_html", { outcome: "not_applicable" }),
    rowOf("refresh.slow", { outcome: "not_applicable", because: "The client keeps no refresh token." }),
  ],
};

const api: KeptCard = {
  version: 2,
  phases: ["call_api"],
  rows: [
    rowOf("access_token.expired", {
      advised: true,
      because: "The API answered 401. The challenge has no error. Expected the error invalid_token.",
    }),
    rowOf("access_token.audience_wrong", {
      outcome: "fooled",
      variant: "suffix",
      because: "With the variant suffix: The API answered 200.",
    }),
    rowOf("access_token.alg_none", { because: "The API answered 401." }),
  ],
};

const answered401 = "The API answered 401. ";
const lacksHeader = `${answered401}The answer lacks the header WWW-Authenticate.`;
const lacksError = `${answered401}The challenge has no error. Expected the error invalid_token.`;
const refusing: KeptCard = {
  version: 2,
  phases: ["call_api"],
  rows: [
    rowOf("access_token.expired", { advised: true, because: lacksError }),
    rowOf("access_token.alg_none", { advised: true, because: lacksHeader }),
    rowOf("access_token.audience_wrong", { advised: true, because: lacksHeader }),
  ],
};

/** More rows of one group than a line has room for. */
const many: KeptCard = {
  version: 2,
  phases: ["login"],
  rows: misbehaviourNames.filter((name) => name.startsWith("id_token.")).slice(0, 12).map((name) =>
    rowOf(name, { outcome: "broke" })
  ),
};

const passed: KeptCard = { version: 2, phases: ["login"], rows: [rowOf("id_token.exp_past", {})] };

const exceptionFor = (row: string, until: string) => ({
  row,
  reason: "It <is> mended soon.",
  who: "alice",
  until,
});

const exceptions = [
  exceptionFor("id_token.alg_none", "2999-12-31"),
  exceptionFor("id_token.aud_wrong", "2020-12-31"),
  exceptionFor("authorization_response.state_changed", "2999-12-31"),
  exceptionFor("id_token.aud_empty", "2999-12-31"),
  exceptionFor("keys.rotated", "2999-12-31"),
];
const held = [exceptionFor("access_token.expired", "2999-12-31")];
const apiBefore = { ...api, rows: [rowOf("access_token.expired", {})] };

const cards: Readonly<Record<string, readonly [card: KeptCard, terms?: FormatCardTerms]>> = {
  client: [client],
  requests: [client, { requests: true }],
  compared: [client, {
    baseline: {
      ...client,
      rows: [
        rowOf("id_token.alg_none", {}),
        rowOf("id_token.iss_wrong", { outcome: "fooled" }),
        rowOf("id_token.exp_missing", { outcome: "fooled" }),
        rowOf("id_token.nonce_wrong", { outcome: "unknown" }),
        rowOf("keys.empty", { outcome: "unknown" }),
        rowOf("refresh.slow", {}),
      ],
    },
    driver: { file: "a test/client.js", line: 7 },
  }],
  excepted: [client, { exceptions }],
  excepted_compared: [client, {
    exceptions,
    baseline: {
      ...client,
      rows: [rowOf("id_token.alg_none", {}), rowOf("id_token.aud_wrong", { outcome: "fooled" })],
    },
  }],
  problem: [{
    ...client,
    phases: ["login"],
    unfinished: ["refresh"],
    problem:
      "The client fails where it refreshes its tokens: <b>database</b>.\nThe server refused *it*:\nfix",
  }],
  passed: [passed],
  refusing: [refusing],
  many: [many],
  api: [api],
  api_compared: [api, { baseline: apiBefore }],
  api_held: [api, { baseline: apiBefore, exceptions: held }],
};

/** Versions and looks are not what a format says. */
const withoutLooks = (text: string) =>
  text.replace(/<style>[^]*<\/style>/, "").replace(/("(?:v|semanticV)ersion": )"\d[^"]*"/g, '$1"…"');

const write = async (name: string, form: CardForm | "brief") => {
  const [card, terms = {}] = cards[name]!;
  return withoutLooks(
    form === "brief" ? formatBrief(createReport(card, terms)) : await formatCard(card, form, terms),
  );
};

for (const [title = "", ...expected] of readKept("tests/kit/examine/forms.txt")) {
  const [name = "", form = ""] = title.split(" ");
  test(`card: ${name} as ${form}, line by line`, async () => {
    assertEquals((await write(name, form as CardForm)).trim().split("\n"), expected);
  });
}

test("cards: a row says which clients, or which APIs, it applies to", async () => {
  for (
    const [needs, sentence] of [
      ["an API that supports DPoP", "Applies to: an API that supports DPoP."],
      ["OpenID Connect", "Applies to clients with: OpenID Connect."],
    ] as const
  ) {
    const row = rowOf("access_token.audience_wrong", { outcome: "fooled", needs });
    assertStringIncludes(await formatCard({ ...api, rows: [row] }, "text"), `It is wrong. ${sentence}\n`);
  }
});
