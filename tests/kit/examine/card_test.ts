/** A card in its formats, and compared with an earlier one. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  type Card,
  type CardRow,
  compareCards,
  examine,
  type ExamineTerms,
  formatCard,
  type KeptCard,
  readCard,
} from "../../../src/kit/mod.ts";
import { readdirSync, readFileSync } from "node:fs";
import { gradeOf } from "../../../src/kit/examine/card/grade.ts";
import { createReport } from "../../../src/kit/examine/card/report.ts";
import { formatBrief } from "../../../src/kit/examine/card/format_brief.ts";
import { describeMisbehaviour } from "../../../src/kit/faults/choose.ts";
import { mendBeginnings } from "../../../src/kit/faults/mends.ts";
import { visible } from "../../../src/ground/values/visible.ts";
import { findHidden, hostileLines } from "../../security/terminal_text.ts";
import { areaOf, areas, listVariants, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { createClient } from "../faults/clients/client.ts";
import { confidentialClient, naive, strict } from "../faults/clients/habits.ts";
import { runtime, runtimeVersion, test } from "../../runner.ts";
import { challenge, verifier } from "../../world.ts";
import { authorizeUrl } from "../mock/authorize_url.ts";

const naiveClient = createClient(naive);

/** The card of a client that checks nothing, from one examination for all tests. */
function naiveCard(): Promise<Card> {
  return examined ??= examine({
    client: naiveClient,
    only: [
      "metadata.issuer_mismatch",
      "authorization_response.iss_wrong",
      "authorization_response.iss_missing",
      "id_token.alg_none",
    ],
  });
}

let examined: Promise<Card> | undefined;

/** The recorded request of a client that was fooled. */
async function someRequest(): Promise<CardRow["requests"][number]> {
  return (await naiveCard()).rows[0]!.requests[0]!;
}

const row: CardRow = {
  name: "id_token.alg_none",
  area: "id_token",
  level: "must",
  phase: "login",
  server: "The ID token has the alg none and no signature.",
  client: "Refuses the ID token.",
  rule: "OpenID Connect Core §3.1.3.7 (7)",
  outcome: "noticed",
  because: "The client refused: Error: unsigned",
  requests: [],
};

const cardOf = (...rows: readonly Partial<CardRow>[]): Card => ({
  phases: ["login"],
  rows: rows.map((each) => ({ ...row, ...each })),
});

const madeToken = { header: { alg: "none" }, claims: { iss: "https://as.test" } };

/** The HTML file of a card that has one request, with these members. */
async function htmlOf(members: object, changed: Partial<CardRow> = {}): Promise<string> {
  const { requests: [kept], ...failed } = JSON.parse(
    await formatCard(cardOf({ outcome: "fooled", ...changed, requests: [await someRequest()] }), "json"),
  ).rows[0];
  const { answer: _answer, altered: _altered, ...request } = kept;
  const rows = [{ ...failed, requests: [{ ...request, clientId: "app", ...members }] }];
  return await formatCard(readCard(JSON.stringify({ version: 2, phases: ["login"], rows })), "html");
}

test("card: two runs give equal files without tokens, whatever the number of runs at the same time", async () => {
  const only = [
    "authorization_response.iss_wrong",
    "authorization_response.iss_missing",
    "id_token.alg_none",
  ] as const;
  const examineWith = (jobs: number) => examine({ client: naiveClient, only, jobs });
  const json = await formatCard(await examineWith(8), "json");
  assertEquals(await formatCard(await examineWith(1), "json"), json);
  assert(!/eyJ[\w-]+\./.test(json));
});

test("card: a file has no code of an examination", async () => {
  const card = await naiveCard();
  const json = await formatCard(card, "json");
  const codes = card.rows.flatMap(({ requests }) => requests.flatMap((request) => request.raw()))
    .flatMap(({ request: { body = "" } }) => new URLSearchParams(body).getAll("code"));
  assert(codes.length > 0);
  for (const code of codes) assert(!json.includes(code));
});

test("card: names the runtime on which the client ran, and none of a card of an earlier version", async () => {
  const card = await naiveCard();
  assertEquals(card.runtime, `${runtime} ${runtimeVersion}`);
  const kept = readCard(await formatCard(card, "json"));
  assertEquals(kept.runtime, card.runtime);
  for (const form of ["text", "markdown", "html"] as const) {
    assertMatch(await formatCard(kept, form), /The client logs in\. It ran on (bun|deno|node) [\d.]+\./);
  }
  const earlier = readCard(await formatCard(cardOf({}), "json"));
  assertEquals(Object.keys(earlier), ["version", "phases", "rows"]);
  assert(!(await formatCard(earlier, "text")).includes("It ran on"));
  const { phases: _phases, ...withoutRun } = earlier;
  const text = await formatCard({ ...withoutRun, phases: [] }, "text");
  assertEquals(text, `${text.trim()}\n`, "also without the line about the run, no line at an end is empty");
});

/** A client that sends what the parameters say, and checks nothing. */
const sendOnly =
  (params: Readonly<Record<string, string>>): ExamineTerms["client"] => async (as, scenario) => {
    const { clientId, redirectUri, issuer } = scenario;
    const url = new URL(`${issuer}/oauth2/authorize`);
    const login = { client_id: clientId, redirect_uri: redirectUri, response_type: "code" };
    url.search = new URLSearchParams({ ...login, ...params }).toString();
    const answer = await scenario.browse(url);
    const { status } = await as.fetch(`${issuer}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${clientId}:${confidentialClient.client_secret}`)}` },
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", code: answer.searchParams.get("code") ?? "" },
        ...{ redirect_uri: redirectUri, ...(params.code_challenge && { code_verifier: verifier }) },
      }),
    });
    if (status !== 200) throw new Error(`the token endpoint answers ${status}`);
  };

const confidential = { clients: [confidentialClient] };
const withPkce = { code_challenge: challenge, code_challenge_method: "S256" };

test("card: says what no login of the client has, and that no check of iss was seen", async () => {
  const lacksOf = async (params: Readonly<Record<string, string>>) => {
    const only = ["authorization_response.iss_wrong"] as const;
    const card = await examine({ client: sendOnly(params), options: confidential, only });
    return [card.neverSends, (await formatCard(card, "text")).split("\n")[1]];
  };
  assertEquals(await lacksOf({ scope: "openid" }), [
    ["state", "nonce", "code_challenge"],
    "It sends no state, no nonce and no code_challenge (PKCE). No check of iss was seen.",
  ]);
  // Without OpenID Connect, there is no nonce.
  assertEquals(await lacksOf({ scope: "orders", state: "a-state", ...withPkce }), [
    [],
    "No check of iss was seen.",
  ]);
});

test("card: a check of iss that was seen once is not missed, and one that was not tried is not either", async () => {
  const wrong = { name: "authorization_response.iss_wrong" } as const;
  const missing = { name: "authorization_response.iss_missing" } as const;
  const saysIt = async (card: Card) => (await formatCard(card, "text")).includes("No check of iss");
  assert(await saysIt(cardOf({ ...wrong, outcome: "fooled" }, { ...missing, outcome: "fooled" })));
  assert(!await saysIt(cardOf({ ...wrong, outcome: "noticed" }, { ...missing, outcome: "fooled" })));
  assert(!await saysIt(cardOf({ ...wrong, outcome: "not_reached" })));
});

test("card: a login whose parameters are in a request object does not show what the client never sends", async () => {
  const card = await examine({
    client: async (as, scenario) => {
      const clients = new URLSearchParams({ client_id: scenario.clientId, request: "a.request.object" });
      await as.fetch(`${scenario.issuer}/oauth2/authorize?${clients}`);
      await sendOnly({ scope: "openid" })(as, scenario);
    },
    options: confidential,
    only: ["authorization_response.iss_wrong"],
  });
  assertEquals(card.neverSends, undefined);
});

test("card: the hosts and ports of an examination are the same in each file", async () => {
  const because =
    "Error: https://s12.as.test/a, https://s12-as-test.decoy.test, http://localhost:41234/cb, " +
    "http%3A%2F%2F127.0.0.1%3A54321, http://localhost:3000, https://s1.api.test/orders";
  const problem = "At the end, http://127.0.0.1:40000 did not answer";
  const card: Card = { ...cardOf({ outcome: "fooled", because }), problem };
  const kept = readCard(await formatCard(card, "json"));
  assertEquals([kept.rows[0]?.because, kept.problem], [
    "Error: https://as.test/a, https://as-test.decoy.test, http://localhost:[port]/cb, " +
    "http%3A%2F%2F127.0.0.1%3A[port], http://localhost:3000, https://api.test/orders",
    "At the end, http://127.0.0.1:[port] did not answer",
  ]);
});

test("card: equal calls at the same time have one order in a file, and other requests keep theirs", async () => {
  const { altered: _altered, ...right } = await someRequest();
  const at = (begin: number, status: number, path = "/token") => ({
    ...right,
    ...{ at: begin, duration: 1, path, status },
  });
  const statusesOf = async (...requests: CardRow["requests"]) =>
    readCard(await formatCard(cardOf({ requests }), "json")).rows[0]!.requests.map(({ status }) => status);
  assertEquals(await statusesOf(at(10, 400), at(10.5, 200), at(12, 100)), [200, 400, 100]);
  assertEquals(await statusesOf(at(10, 200), at(10.5, 400), at(12, 100)), [200, 400, 100]);
  assertEquals(await statusesOf(at(10, 400), at(10.5, 200, "/jwks")), [400, 200]);
  // The short calls are during the long one, one after the other.
  const [one, other] = [at(10.2, 300), at(10.6, 200)].map((each) => ({ ...each, duration: 0.1 }));
  assertEquals(await statusesOf(at(10, 400), one!, other!), [200, 300, 400]);
  // The clock was set back.
  assertEquals(await statusesOf(at(10, 400), at(5, 200)), [400, 200]);
  assertEquals(await statusesOf({ ...at(10, 400), altered: [] }, at(10.5, 200)), [400, 200]);
});

/** A client that refuses a wrong response with this error, which may name its parameters. */
const refusing =
  (createError: (params: URLSearchParams) => Error): ExamineTerms["client"] => async (as, scenario) => {
    if (scenario.name === undefined) return await naiveClient(as, scenario);
    const client = { client_id: scenario.clientId, redirect_uri: scenario.redirectUri };
    const { searchParams } = await scenario.browse(authorizeUrl(scenario.issuer, client));
    if (searchParams.get("iss") !== scenario.issuer || !searchParams.has("code")) {
      throw createError(searchParams);
    }
  };

test("card: the error of the server in the words of the client is quoted", async () => {
  const card = await examine({
    client: refusing((params) => new Error(params.get("error_description") ?? "no error")),
    only: ["authorization_response.error_denied"],
  });
  const { rows: [row] } = readCard(await formatCard(card, "json"));
  assertMatch(row!.because, /The client refused: Error: [A-Z]\w+ \w+/);
});

test("card: the credentials of a client are hidden where its error repeats them (RFC 7617 §2)", async () => {
  const send = sendOnly({ scope: "openid", ...withPkce });
  const sent = btoa(`app:${confidentialClient.client_secret}`);
  const card = await examine({
    client: async (as, scenario) => {
      await send(as, scenario);
      if (scenario.name !== undefined) throw new Error(`no answer to ${sent}`);
    },
    options: confidential,
    only: ["id_token.alg_none"],
  });
  const { rows: [row] } = readCard(await formatCard(card, "json"));
  assertMatch(row!.because, /: Error: no answer to \[redacted\]$/);
});

test("card: a file keeps the JSON of responses where it is evidence of a fault only, and hides its times", async () => {
  const request = await someRequest();
  const { altered: _altered, ...right } = request;
  const answer = { exp: 1_900_000_000, expires_in: 3600 };
  const requests = [{ ...request, answer, altered: [] }, { ...right, answer }];
  const answersOf = async (outcome: CardRow["outcome"]) => {
    const { rows: [row] } = readCard(await formatCard(cardOf({ outcome, requests }), "json"));
    return row!.requests.map(({ answer }) => answer);
  };
  const shown = { exp: "[time]", expires_in: 3600 };
  assertEquals(await answersOf("fooled"), [shown, shown]);
  assertEquals(await answersOf("unknown"), [shown, undefined]);
  assertEquals(await answersOf("noticed"), [undefined, undefined]);
});

test("card: the runtime in a file of others is text, and no markup", async () => {
  const card = { ...cardOf({}), runtime: "<b>[x](y)\u{202e}" };
  assert((await formatCard(card, "html")).includes("It ran on &lt;b&gt;"));
  assert((await formatCard(card, "markdown")).includes("It ran on &lt;b&gt;\\[x\\]"));
  assert((await formatCard(card, "text")).includes("\\u{202E}"));
});

test("card: the evidence shows the header and the claims of an ID token, and no signature or nonce", async () => {
  const card = await naiveCard();
  const { rows } = readCard(await formatCard(card, "json"));
  const tokenOf = (name: CardRow["name"]) => {
    const found = rows.find((each) => each.name === name);
    assertEquals(found?.outcome, "fooled");
    const { answer } = found!.requests.find(({ endpoint }) => endpoint === "token")!;
    return answer?.id_token as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const { header, claims, signature } = tokenOf("id_token.alg_none");
  assertEquals([header!.alg, signature], ["none", ""]);
  assertEquals([claims!.aud, claims!.sub, claims!.exp], ["app", "alice", "[time]"]);
  assertEquals(claims!.nonce, "[redacted]");
  assertEquals<unknown>(tokenOf("authorization_response.iss_wrong").signature, "[redacted]");
  for (const form of ["text", "markdown", "html", "junit"] as const) {
    assert(!(await formatCard(card, form)).includes("(at "), form);
  }
});

test("card: the HTML file explains the ID token, and marks the claim that the server made wrong", async () => {
  const only = ["id_token.aud_wrong", "id_token.iss_missing"] as const;
  const html = await formatCard(await examine({ client: naiveClient, only }), "html");
  const tokenOf = (name: string) =>
    html.split('<article id="')
      .find((each) => each.startsWith(name))?.match(/<div class="token">.*?<\/table><\/div>/s)?.[0] ?? "";
  assertMatch(
    tokenOf("id_token.aud_wrong"),
    /&quot;aud&quot;: &quot;another-client&quot;,<\/code><\/td><td>[^<]+<\/td><td data-check="aud" data-result="failed">failed: expected <code>app<\/code> <i>OpenID Connect Core/,
  );
  assertMatch(tokenOf("id_token.iss_missing"), /Also checked.*<td>iss<\/td>.*data-result="failed"/s);
  assert(!html.includes("&quot;claims&quot;") && !html.includes("data-copy"));
  assertEquals([...html.matchAll(/<td data-check="(\w+)"/g)].map(([, name]) => name), ["aud", "iss"]);
});

/** What the HTML file shows of a kept request besides its token. */
const shownDetails: readonly (readonly [
  what: string,
  request: { readonly params?: object; readonly answer?: object },
  details: object | undefined,
])[] = [
  ["nothing", {}, undefined],
  ["parameters", { params: { state: "one" } }, { params: { state: "one" } }],
  ["a response", { answer: { error: "no" } }, { answer: { error: "no" } }],
  ["a token alone", { answer: { id_token: madeToken } }, undefined],
  ["a logout token alone", { answer: { logout_token: madeToken } }, undefined],
  ["a token and more", { answer: { expires_in: 60, id_token: madeToken } }, { answer: { expires_in: 60 } }],
  [
    "parameters and a token",
    { params: { code: "two" }, answer: { id_token: madeToken } },
    { params: { code: "two" } },
  ],
  ["a token that is a text", { answer: { id_token: "three" } }, { answer: { id_token: "three" } }],
];

for (const [what, { params = {}, answer }, details] of shownDetails) {
  test(`card: the HTML file shows a request with ${what}: each member once`, async () => {
    const html = await htmlOf({ params, answer });
    const shown = /<pre>([^]*?)<\/pre>/.exec(html)?.[1]?.replaceAll("&quot;", '"');
    assertEquals(shown === undefined ? undefined : JSON.parse(shown), details);
    assertEquals(html.includes('<div class="token">'), JSON.stringify(answer ?? {}).includes("claims"));
  });
}

test("card: the HTML file marks the token that the misbehaviour of its row has changed, and no other one", async () => {
  const marked:
    readonly (readonly [changed: Partial<CardRow>, by: string | undefined, marks: readonly string[]])[] = [
      [{}, "id_token.alg_none", ["alg failed"]],
      [{ name: "id_token.aud_wrong" }, "id_token.aud_wrong", ["aud failed: expected <code>app</code>"]],
      [{}, "id_token.aud_wrong", []],
      [{}, undefined, []],
      [{ level: "tolerate" }, "id_token.alg_none", []],
      [{ name: "access_token.alg_none" }, "access_token.alg_none", []],
      [{ name: "id_token.unknown_claims" }, "id_token.unknown_claims", []],
    ];
  for (const [changed, by, marks] of marked) {
    const altered = by === undefined ? undefined : [{ by }];
    const html = await htmlOf({ params: {}, answer: { id_token: madeToken }, altered }, changed);
    const found = [...html.matchAll(/<td data-check="(\w+)" data-result="failed">(.*?) *<i>/g)]
      .map(([, name, text]) => `${name} ${text}`);
    assertEquals([changed, by, found], [changed, by, marks]);
  }
});

test("card: a terminal shows what to mend in 40 lines, whatever the number of rows that failed", () => {
  const brief = (...rows: readonly (readonly [CardRow["name"], Partial<CardRow>?])[]) =>
    formatBrief(createReport(cardOf(...rows.map(([name, more]) => {
      const { area, level } = describeMisbehaviour(name);
      return { name, area, level, outcome: "fooled" as const, ...more };
    }))));
  const all = brief(...misbehaviourNames.map((name) => [name] as const)).split("\n");
  assertEquals(all.length, 40);
  assertMatch(all.at(-4)!, /^ {2}and \d\d more things to mend or to consider$/);
  // What failed keeps its names longer than what is only to consider.
  const broken = areas.flatMap((area) =>
    misbehaviourNames.find((name) =>
      areaOf(name) === area && describeMisbehaviour(name).level === "tolerate"
    ) ?? []
  ).slice(0, 5);
  const crashed = areas.slice(0, 14).map((area) => misbehaviourNames.find((name) => areaOf(name) === area)!);
  const shortened = brief(
    ...broken.map((name) => [name, { outcome: "broke" }] as const),
    ...crashed.map((name) => [name, { outcome: "crashed" }] as const),
  ).split("\n");
  assertEquals(shortened.filter((line) => line.startsWith("    ")).map((line) => line.trim()), broken);
  const unused = mendBeginnings.filter((each) => !misbehaviourNames.some((name) => name.startsWith(each)));
  assertEquals(unused, [], "beginnings of no misbehaviour");
});

test("card: the text of a client cannot leave its place in a format", async () => {
  const because = `Error: </script><img src=x onerror=alert(1)> "'&\u0000 [link](https://evil.test)\n# title`;
  const request = { ...await someRequest(), path: "/`a``b" };
  const card = cardOf({ outcome: "fooled", because, requests: [request] });
  const name = "id_token.<img>" as CardRow["name"];
  const named = cardOf({ name }, { name, outcome: "fooled" }, ...card.rows);
  const html = await formatCard(named, "html");
  assert(!html.includes("<img") && !html.includes("<script"));
  assertMatch(html, /&lt;img src=x onerror=alert\(1\)&gt; &quot;&#39;&amp;\\u\{0\}/);
  const xml = await formatCard(card, "junit");
  assert(!xml.includes("<img") && !xml.includes("\u0000"));
  const markdown = await formatCard(card, "markdown");
  assert(!markdown.includes("<img") && !markdown.includes("](https:") && !markdown.includes("\n# title"));
  // CommonMark §6.1: a code span ends at as many backticks as it begins with.
  assertMatch(markdown, /\n1\. ``` \w+ \/`a``b .* ```\n/);
});

test("card: no text of a file leaves its place in HTML and XML", async () => {
  const hostile = '</script></code></dd><img src=x onerror=alert(1)> "';
  const texts = { name: hostile, server: hostile, client: hostile, rule: hostile, because: hostile };
  const card = cardOf(
    ...(["fooled", "noticed", "unknown", "not_applicable"] as const).map((outcome) =>
      ({ ...texts, outcome, needs: hostile }) as Partial<CardRow>
    ),
  );
  const kept = readCard(await formatCard({ ...card, problem: hostile, runtime: hostile }, "json"));
  for (const form of ["html", "junit"] as const) {
    const text = await formatCard(kept, form);
    assertStringIncludes(text, "&lt;img", form);
    assert(!text.includes("<img"), form);
  }
});

for (const [index, hostile] of hostileLines.entries()) {
  test(`card: what a terminal would obey is shown in each format: text ${index + 1}`, async () => {
    const exception = { row: "id_token.exp_past", reason: hostile, who: hostile, until: "2999-12-31" };
    const evidence = { ...await someRequest(), clientId: hostile, path: `/${hostile}`, scope: [hostile] };
    const card: Card = {
      ...cardOf(
        { outcome: "fooled", because: `Error: ${hostile}\n${hostile}`, requests: [evidence], needs: hostile },
        { name: "id_token.exp_past", outcome: "fooled", because: hostile },
        { name: "id_token.missing", because: hostile },
        { name: "id_token.iss_wrong", outcome: "unknown", because: hostile },
      ),
      problem: hostile,
      runtime: hostile,
    };
    const terms = { exceptions: [exception], driver: { file: `a${hostile}.js` } };
    for (const form of ["text", "markdown", "json", "junit", "sarif", "html"] as const) {
      const text = await formatCard(card, form, terms);
      assertEquals([form, findHidden(text)], [form, []]);
      if (form === "sarif") {
        JSON.parse(text, (_name, value) => assertEquals(findHidden(`${value}`), []) ?? value);
      }
    }
    assertEquals(
      await formatCard(readCard(await formatCard(card, "json")), "json"),
      await formatCard(card, "json"),
    );
    const report = createReport(card, terms);
    assertEquals(findHidden(formatBrief(report)), []);
    assertStringIncludes(await formatCard(card, "text"), `    ${visible(hostile)}\n`);
  });
}

/** What an error of a client may name as the file of a frame. */
const files = [
  "file:///srv/a%zz.js:1:1",
  "file:///srv/%.mjs:3",
  "file:///srv/%ff%fe.py:3",
  "file://%zz/a.ts:3",
  "file://[::1/a.ts:3",
  "file://host/a.ts:3",
  "file:///srv/%E0%A4%A.js:1",
  'File "/srv/\ud800.py", line 3',
  'File "file://%", line 3',
  "C:\\srv\\a%zz.js:1",
  "/srv/a%.js:1",
];

for (const file of files) {
  test(`card: a frame in ${JSON.stringify(file)} ends no examination`, async () => {
    const card = cardOf({ outcome: "fooled", because: `Error: wrong\n    at ${file}` });
    for (const form of ["text", "markdown", "json", "junit", "sarif", "html"] as const) {
      for (const driver of [undefined, { file: "client.js" }]) {
        assertStringIncludes(await formatCard(card, form, driver === undefined ? {} : { driver }), "wrong");
      }
    }
  });
}

test("card: the URI of a file in SARIF is that of the frame (RFC 8089 §2)", async () => {
  const uriIn = async (frame: string) => {
    const card = cardOf({ outcome: "fooled", because: `Error: wrong\n    at ${frame}` });
    return JSON.parse(await formatCard(card, "sarif")).runs[0].results[0].relatedLocations[0]
      .physicalLocation.artifactLocation.uri;
  };
  const uris = [
    ["file:///srv/a%20b.js:1:1", "file:///srv/a%20b.js"],
    ["file:///srv/a%23b%3F.js:1:1", "file:///srv/a%23b%3F.js"],
    ["file:///srv/%C3%A9.js:1:1", "file:///srv/%C3%A9.js"],
    ["file:///srv/a%zz.js:1:1", "file:///srv/a%25zz.js"],
    ["src/a.js:1:1", "src/a.js"],
  ] as const;
  for (const [frame, uri] of uris) assertEquals(await uriIn(frame), uri);
});

test("card: the HTML file loads nothing, and its policy allows no script", async () => {
  const html = await formatCard(cardOf({ outcome: "fooled" }, {}), "html");
  assertMatch(html, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
  assert(!/<(script|link|img|iframe)\b|\son\w+=|\sstyle=|url\(/.test(html));
  assertMatch(html, /<html lang="en">/);
  assertMatch(html, /color-scheme: light dark;[^}]*light-dark\(/);
});

test("card: against an earlier card, rows are worse, better or new", async () => {
  const nameOf = (fault: string) => `id_token.${fault}` as CardRow["name"];
  const [lost, still, better, silent] = ["iss_missing", "iss_wrong", "aud_wrong", "expired"].map(nameOf);
  const before = cardOf(
    { name: lost! },
    { name: still!, outcome: "fooled" },
    { name: better!, outcome: "fooled" },
    { name: silent!, outcome: "noticed" },
  );
  const after = cardOf(
    { name: lost!, outcome: "fooled" },
    { name: still!, outcome: "fooled" },
    { name: better! },
    { name: silent!, outcome: "unknown" },
    { outcome: "fooled" },
  );
  const kept = readCard(await formatCard(before, "json"));
  const { worse, better: improved, added } = compareCards(after, kept);
  const names = [worse, improved, added].map((changes) => changes.map(({ name }) => name));
  assertEquals(names, [[lost!, silent!], [better!], ["id_token.alg_none"]]);
});

test("card: a check that an earlier version took for granted is not lost", async () => {
  const crashed = { name: "id_token.iss_missing" } as const;
  const unharmed = { name: "id_token.iss_wrong" } as const;
  const absent = { name: "id_token.nonce_wrong" } as const;
  const fooled = { name: "id_token.aud_wrong" } as const;
  const other = { name: "id_token.unknown_claims" } as const;
  const json = await formatCard(
    cardOf(crashed, unharmed, absent, fooled, { ...other, outcome: "tolerated" }),
    "json",
  );
  const after = cardOf(
    { ...crashed, outcome: "crashed" },
    { ...unharmed, outcome: "unharmed" },
    { ...absent, outcome: "not_applicable" },
    { ...fooled, outcome: "fooled" },
    { ...other, outcome: "crashed" },
  );
  const worseThan = (earlier: string) => compareCards(after, readCard(earlier)).worse.map(({ name }) => name);
  assertEquals(worseThan(json.replace('"version": 2', '"version": 1')), [fooled.name, other.name]);
  assertEquals(worseThan(json), [crashed.name, absent.name, fooled.name, other.name]);
});

test("card: the text of a file is read back, and a wrong one is refused with its place", async () => {
  const json = await formatCard(cardOf({}), "json");
  assertEquals(await formatCard(readCard(json), "json"), json);
  const { cause } = assertThrows(() => readCard("{"), TypeError, "the file is not JSON");
  assert(cause instanceof SyntaxError);
  assertThrows(() => readCard(json.replace('"version": 2', '"version": 3')), TypeError, "version");
  assertThrows(() => readCard(json.replace('"noticed"', '"seen"')), TypeError, "rows[0].outcome");
  assertThrows(() => readCard(json.replace('"level": "must"', '"level": "<b>"')), TypeError, "rows[0].level");
  assertThrows(
    () => readCard(json.replace('"area": "id_token"', '"area": "<b>"')),
    TypeError,
    "rows[0].area",
  );
  const { rows: [kept], ...card } = JSON.parse(json);
  const texts = [
    "name",
    "area",
    "level",
    "phase",
    "server",
    "client",
    "rule",
    "because",
    "outcome",
    "requests",
  ];
  for (const name of ["version", "phases", "rows", ...texts]) {
    const without = (members: object) => ({ ...members, [name]: undefined });
    const wrong = JSON.stringify(without({ ...card, rows: [without(kept)] }));
    assertThrows(() => readCard(wrong), TypeError, `Cannot read the card: `, name);
  }
  await assertRejects(
    () => formatCard(cardOf({}), "pdf" as never),
    TypeError,
    "expected one of text, markdown",
  );
});

const wrongMembers: readonly (readonly [place: string, change: (card: KeptCard) => object])[] = [
  ...[0, 1.5, "2"].map((version) => ["version", (card: KeptCard) => ({ ...card, version })] as const),
  ...["runtime", "problem"].map((name) => [name, (card: KeptCard) => ({ ...card, [name]: 1 })] as const),
  ...["phases", "unfinished", "neverSends", "rows"].flatMap((name) => [
    [name, (card: KeptCard) => ({ ...card, [name]: "login" })] as const,
    [
      `${name}[1]`,
      (card: KeptCard) => ({ ...card, [name]: [...name === "rows" ? card.rows : ["a"], 1] }),
    ] as const,
  ]),
  ...["name", "area", "level", "phase", "server", "client", "rule", "because", "outcome", "needs", "variant"]
    .map((name) =>
      [`rows[0].${name}`, ({ rows, ...card }: KeptCard) => ({
        ...card,
        rows: rows.map((row) => ({ ...row, [name]: 1 })),
      })] as const
    ),
  ...[[{}, ""], [["a"], "[0]"]].map(([requests, place]) =>
    [`rows[0].requests${place}`, ({ rows, ...card }: KeptCard) => ({
      ...card,
      rows: rows.map((row) => ({ ...row, requests })),
    })] as const
  ),
];

for (const [place, change] of wrongMembers) {
  test(`card: a file with a member of another form is refused with its place: ${place}`, async () => {
    const card = readCard(await formatCard(cardOf({}), "json"));
    for (const more of [{}, { library: {} }]) {
      const wrong = JSON.stringify({ ...change(card), ...more });
      assertThrows(() => readCard(wrong), TypeError, `Cannot read the card: ${place} `);
    }
  });
}

test("card: a row about the logout token shows what came to the client, and what it answered (OpenID Connect Back-Channel Logout §2.6)", async () => {
  for (const habits of [naive, strict]) {
    const card = await examine({ client: createClient(habits), only: ["logout.nonce_present"] });
    const { rows: [row] } = JSON.parse(await formatCard(card, "json"));
    const isFooled = habits === naive;
    assertEquals([row.outcome, row.because], [
      isFooled ? "fooled" : "noticed",
      `The client ${isFooled ? "accepted the logout token" : "answered 400 to the logout token"}.`,
    ]);
    const [request] = row.requests;
    const answer = isFooled ? "told" : "answered 400";
    assertEquals(request.backChannelLogout, { app: answer });
    assertStringIncludes(
      await formatCard(card, "text", { requests: true }),
      `, logout token to app: ${answer}\n`,
    );
    // Only a failure shows the tokens.
    if (!isFooled) return;
    const { header, claims } = request.answer.logout_token;
    assertEquals([header.typ, claims.aud, claims.nonce, claims.jti], [
      ...["logout+jwt", "app", "[redacted]", "[redacted]"],
    ]);
    assertEquals(claims.events, { "http://schemas.openid.net/event/backchannel-logout": {} });
    assertMatch(await formatCard(card, "html"), /<summary>Logout token<\/summary>[^]*logout\+jwt/);
  }
});

test("card: each published card works as an earlier card, and only what got worse fails", () => {
  for (const folder of ["docs/cards", "docs/api_cards"]) {
    for (const file of readdirSync(folder)) {
      const published = readCard(readFileSync(`${folder}/${file}`, "utf8"));
      const rows = published.rows.map((row) => ({
        ...{ ...describeMisbehaviour(row.name), because: "" },
        ...row,
        requests: [],
      }));
      const same: KeptCard = { ...published, rows };
      assertEquals(compareCards(same, published), { worse: [], better: [], added: [] }, file);
      const passed = rows.find((row) => gradeOf(row) === "passed")!;
      const failed = rows.map((row) => row === passed ? { ...row, outcome: "fooled" as const } : row);
      const { worse, better } = compareCards({ ...same, rows: failed }, published);
      assertEquals([worse.map(({ name }) => name), better], [[passed.name], []], file);
      const report = createReport({ ...same, rows: failed }, { baseline: published });
      assertEquals(
        report.rows.filter(({ isFailure }) => isFailure).map(({ name, before }) => [name, before?.level]),
        [
          [passed.name, passed.level],
        ],
      );
    }
  }
});

test("card: the line to try a row switches on the variant that decided", () => {
  const [first, second] = listVariants("id_token.alg_none");
  const trialOf = (variant?: string) =>
    createReport(cardOf(variant === undefined ? {} : { variant })).rows[0]!.trial;
  const usual = "npx postern start --login auto --misbehave id_token.alg_none";
  assertEquals([trialOf(), trialOf(first)], [usual, usual]);
  assertEquals(
    trialOf(second),
    "npx postern start --login auto --control, and POST /_postern/misbehaviours " +
      `{"name":"id_token.alg_none","variant":"${second}"}`,
  );
});

test("card: beside a run whose answer has megabytes, there is no other one, and its row keeps its place", async () => {
  const only: CardRow["name"][] = [
    "id_token.huge",
    "id_token.iat_ahead",
    "id_token.alg_none",
    "metadata.huge",
  ];
  const running: string[] = [];
  const beside: string[] = [];
  const { rows } = await examine({
    only,
    client: async (as, scenario) => {
      const name = scenario.name ?? "";
      running.push(name);
      if (running.length > 1) beside.push(...running);
      await naiveClient(as, scenario).finally(() => running.splice(running.indexOf(name), 1));
    },
  });
  assertEquals(beside.filter((name) => name.endsWith(".huge")), []);
  assert(beside.includes("id_token.alg_none"), beside.join());
  assertEquals(rows.map(({ name }) => name), misbehaviourNames.filter((name) => only.includes(name)));
});
