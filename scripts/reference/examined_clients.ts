/** docs/examined_clients.md, from the cards in docs/cards. */
import { catalogue } from "../../src/kit/faults/catalogue.ts";
import { type Grade, gradeOf } from "../../src/kit/examine/card/grade.ts";
import { describeLacks } from "../../src/kit/examine/card/report.ts";
import { type Level, levels, type Misbehaviour } from "../../src/kit/faults/misbehaviour.ts";
import { chooseForClients } from "../../src/kit/faults/choose.ts";
import { type Area, areaOf, type MisbehaviourName } from "../../src/kit/faults/names.ts";
import type { Leaves } from "../../tests/kit/examined/examined.ts";
import type { LibraryCard, LibraryRow } from "../../tests/kit/examined/examine_library.ts";
import { code, createAnchors, listed, markNames, table } from "./markdown.ts";

interface NamedCard extends LibraryCard {
  /** The name of its file in docs/cards, without the ending. */
  readonly name: string;
  readonly rows: readonly Row[];
  readonly left: readonly Left[];
}

/** Rows of one group that the card leaves out for one reason. */
interface Left {
  readonly group: string;
  readonly reason: string;
  /** The names of rows, or of a whole area. */
  readonly parts: readonly string[];
  readonly count: number;
}

/** A row with what the catalogue says about its misbehaviour. */
type Row = LibraryRow & Pick<Misbehaviour, "level" | "server" | "rule"> & {
  readonly grade: Grade;
  readonly group: string;
  /** Its line in the file of the card. */
  readonly address: string;
};

/** The columns of the matrix, in the order of a login. */
const groups: Readonly<Record<string, readonly Area[]>> = {
  metadata: ["metadata", "registration", "client_document", "resource"],
  "authorization response": ["login", "pushed_request", "authorization_response", "jarm"],
  "token response": ["token_response", "authorization_details", "token_exchange", "dpop"],
  "ID token": ["id_token", "keys"],
  userinfo: ["userinfo"],
  refresh: ["refresh", "revocation"],
  "sign-out": ["logout"],
  network: ["transport"],
};

export function writeExaminedClients(): string {
  const cards = loadCards();
  const onNode = cards.filter(({ library: { language } }) => language === undefined);
  const readsIdTokens = ({ rows }: NamedCard) =>
    rows.some(({ group, grade }) => group === "ID token" && grade !== "unjudged");
  return `${
    [
      "# Examined clients",
      "What well-known libraries did when an authorization server was wrong.",
      legend,
      "## JavaScript, with ID tokens",
      writeMatrix(onNode.filter(readsIdTokens)),
      "## JavaScript, without ID tokens",
      writeMatrix(onNode.filter((card) => !readsIdTokens(card))),
      "## Other languages, with ID tokens",
      writeMatrix(cards.filter((card) => !onNode.includes(card))),
      `Examined ${sayDates(cards)}.`,
      ...cards.flatMap(writeCard),
      ...uses,
      ...introduction,
    ].join("\n\n")
  }\n`;
}

function sayDates(cards: readonly NamedCard[]): string {
  const dates = [...new Set(cards.map(({ library: { date } }) => date))].sort();
  return dates.length === 1 ? `on ${dates[0]}` : `from ${dates[0]} to ${dates.at(-1)}`;
}

/** Each mark leads to its meaning. */
const legend =
  "[✗](#failed) failed a rule · [△](#advice) could do better · [✓](#passed) all passed · [○](#left) not its job · " +
  "– not judged. The column *must* counts the rules of that level only.";

const introduction = [
  "## How to read it",
  "`deno task cards` makes this page with [`examine`](examine_a_client.md). Each library runs once for each [misbehaviour](reference/misbehaviours.md), in the use that its section names and " +
  "its documentation shows. The application around the library does only what the section says. Faults of APIs are left " +
  "out, and so are areas that a use does not need, or that the library leaves to the application: few of the libraries " +
  "read the challenge of an API (`resource`), for example.",
  "Each mark counts the ways of being wrong that a library met in a part of its work:",
  [
    '- <a id="failed"></a>✗ is the number of failures: a rule says what a client does (levels `must`, `should` and ' +
    "`tolerate`), and the library did something else. The column `must` has those of that level, and how many rows were " +
    "judged there.",
    '- <a id="advice"></a>△ is the number of rows with advice: the library went on or stopped where no rule demands more (`hardening` and ' +
    "`robustness`), or its code or that of its application failed (`crashed`).",
    '- <a id="passed"></a>✓ is the number of rows that passed, where there is neither.',
    '- <a id="left"></a>○ is the number of rows that are left to the application, or that the use does not have. The mark ' +
    "leads to the reasons.",
    "- – means that no row was judged: the library does not do what the faults are about.",
  ].join("\n"),
  "A mark leads to its rows, and a row to its line in the [card](cards), which has the requests that prove it. Do not " +
  "compare numbers of libraries that do different things: one that does little has little to fail at.",
  [
    "- A row says no more than its own fault: a library that accepts an odd `azp` may compare `aud`.",
    "- A failure is no vulnerability by itself, because the application may do the check. RFC 9207 is for clients that " +
    "support the parameter `iss`, and RFC 9700 §2.1 demands a defence against mix-up from clients that use more than one " +
    "server, so a library without the parameter has no rows about them.",
    "- A library may leave a check of `hardening` out for a good reason. OpenID Connect Core §3.1.3.7 (6), for example, " +
    "lets a client skip the signature of an ID token that it got from the token endpoint.",
    "- `fooled`: the library went on as if nothing were wrong, or it repeated a value that must be new. `broke`: it " +
    "stopped where a correct client goes on. `hung`: the run was not over after 60 seconds.",
    "- `deno task cards --beyond` examines programs of other languages by the command line, where their language is on the " +
    "machine, and names what it leaves out.",
    "- In another language than JavaScript, the exit code of the program is all that shows a refusal, so a crash is one, too.",
    "- After `Driver:`, or `driver:` in another language, the words are those of our driver: they say what the application " +
    "around the library saw, such as a page or a token that is absent. All other errors are those of the library.",
    "- `decoy` is the foreign server to which some misbehaviours lead a client.",
  ].join("\n"),
  "## If we are wrong about your library",
  "A row is a claim about your work, so tell us if it does not hold: open an issue, with the name of the card and of the " +
  "row. It is enough to say where your documentation shows another use, or which line of your source does the check. A " +
  "row that we cannot prove goes at once, and is mended afterwards.",
  "You can also see for yourself, and send the change:",
  [
    "1. The card has the requests that prove the row. `deno task examine --only ROW -- COMMAND` shows the same fault to " +
    "[a driver](write_a_driver.md) of your own.",
    "2. Correct [the driver](write_a_driver.md#the-drivers-of-our-cards) in `tests/kit/examined/`, its `use`, or its " +
    "`notes`, which stand beside the failures, for example with the reason for them.",
    "3. `deno task cards NAME` makes the card and this page again. After a release of yours, change the version in " +
    "`dev.json` first, or in the lock file of the program in `tests/kit/examined/beyond/`.",
  ].join("\n"),
];

/** What decides a card besides the library. Each fact was seen in the requests of the library, in the version given. */
const uses = [
  "## Public and confidential",
  "A card is about one use. A client with a secret may do other things than one without, so examine the one that you " +
  "have:",
  [
    "- `golang.org/x/oauth2` 0.37.0 (and `zitadel/oidc` 3.51.17, which uses it) does not know how the client " +
    "authenticates. It sends the code with Basic, and after any error once more with the secret in the body. A public " +
    "client therefore makes two token requests in its first login. A confidential client makes one, but after a 500, a " +
    "broken connection, HTML or cut JSON it sends the code twice. `Endpoint.AuthStyle = oauth2.AuthStyleInHeader` makes " +
    "these four rows `noticed`, and with `oauth2.AuthStyleInParams` a public client makes one request.",
    "- Authlib 1.9.9 uses `client_secret_basic` with a secret, and `none` without one. Its rows are the same. Its " +
    "`fetch_token` asks for a token with the grant `client_credentials` if the authorization response has no code, which " +
    "fails for a public client and may succeed for a confidential one.",
    "- `passport-oauth2` 1.8.0 sends the secret in the body, so a confidential client has " +
    '`token_endpoint_auth_method: "client_secret_post"`. A public one sends an empty `client_secret`.',
    "- `metadata.pkce_missing` is about public clients only, so it is `not applicable` to a confidential one.",
  ].join("\n"),
  "## The option for PKCE",
  "These libraries leave PKCE out unless it is asked for:",
  table(["library", "what turns it on"], [
    [
      "`golang.org/x/oauth2` 0.37.0",
      "`verifier := oauth2.GenerateVerifier()`, a new one for each login; `AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))`; " +
      "`Exchange(ctx, code, oauth2.VerifierOption(verifier))`",
    ],
    ["`zitadel/oidc` 3.51.17", "`rp.WithPKCE(cookieHandler)` or `rp.WithPKCEFromDiscovery(cookieHandler)`"],
    [
      "Authlib 1.9.9",
      'Flask: `client_kwargs={"code_challenge_method": "S256"}`. A session: `OAuth2Session(…, code_challenge_method="S256")`, ' +
      "with `code_verifier=` in `create_authorization_url` and in `fetch_token`",
    ],
    ["`passport-oauth2` 1.8.0", "`{ state: true, pkce: true }`: without `state`, `pkce` throws an error"],
  ]),
];

function loadCards(): readonly NamedCard[] {
  const folder = "docs/cards";
  return [...Deno.readDirSync(folder)].map(({ name: file }) => {
    const text = Deno.readTextFileSync(`${folder}/${file}`);
    const lines = text.split("\n");
    const card = JSON.parse(text) as LibraryCard;
    const describe = (row: LibraryRow): Row => {
      const line = lines.findIndex((each) => each.startsWith(`    {"name":"${row.name}"`)) + 1;
      return { ...row, ...describeRow(row), address: `cards/${file}#L${line}` };
    };
    const left = listLeft(card.library.leaves ?? {});
    return { ...card, name: file.replace(/\.json$/, ""), rows: card.rows.map(describe), left };
  }).sort((a, b) => compare(weigh(a), weigh(b)));
}

/** A row that two reasons name counts at the first one. */
function listLeft(leaves: Leaves): readonly Left[] {
  const named = new Set<string>();
  return Object.entries(leaves).flatMap(([reason, parts]) => {
    const found = parts.map((part) => {
      const names = chooseForClients({ only: [part] }, "write the page").filter((name) => !named.has(name));
      for (const name of names) named.add(name);
      return { part, group: groupOf(areaOf(names[0] ?? part as MisbehaviourName)), count: names.length };
    }).filter(({ count }) => count > 0);
    return [...Map.groupBy(found, ({ group }) => group)].map(([group, own]) => ({
      ...{ group, reason, parts: own.map(({ part }) => part) },
      count: own.reduce((sum, { count }) => sum + count, 0),
    }));
  });
}

function describeRow(row: LibraryRow): Omit<Row, keyof LibraryRow | "address"> {
  const entry = catalogue.get(row.name);
  if (entry === undefined) throw new Error(`There is no misbehaviour ${row.name}: run deno task cards`);
  const { level, server, rule } = entry;
  const area = areaOf(row.name);
  return { level, server, rule, group: groupOf(area), grade: gradeOf({ ...row, level }) };
}

function groupOf(area: Area): string {
  const group = Object.keys(groups).find((each) => groups[each]!.includes(area));
  if (group === undefined) throw new Error(`The area ${area} belongs to no group of the matrix`);
  return group;
}

/** What the order of the cards depends on, the most important first. */
function weigh({ name, rows }: NamedCard): readonly (number | string)[] {
  const count = (grade: Grade, level?: Level) =>
    rows.filter((row) => row.grade === grade && (level ?? row.level) === row.level).length;
  return [count("failed", "must"), count("failed"), count("advice"), name];
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const index = a.findIndex((each, at) => each !== b[at]);
  return index < 0 ? 0 : a[index]! < b[index]! ? -1 : 1;
}

const shownGrades: readonly (readonly [mark: string, grade: Grade])[] = [["✗", "failed"], ["△", "advice"]];

function writeMatrix(cards: readonly NamedCard[]): string {
  return table(
    ["library", "must", ...Object.keys(groups)],
    cards.map(({ name, library: { package: packageName, version, language }, rows, left }) => {
      const shown = nameForPeople(name, packageName);
      const parts = [version, ...language === undefined ? [] : [language.split(" ")[0]]];
      return [
        `[${shown}](${createAnchors()(shown)}) ${parts.join(", ")}`,
        writeMusts(name, rows.filter(({ level, grade }) => level === "must" && grade !== "unjudged")),
        ...Object.keys(groups).map((group) =>
          [
            ...writeCell(name, group, rows.filter((row) => row.group === group)),
            ...markLeft(name, group, left.filter((each) => each.group === group)),
          ].join(" ") || "–"
        ),
      ];
    }),
  );
}

/** It leads to the card, which begins with all failures. */
function writeMusts(card: string, musts: readonly Row[]): string {
  const failed = musts.filter(({ grade }) => grade === "failed").length;
  const shown = failed === 0 ? `✓ all ${musts.length}` : `✗ ${failed} of ${musts.length}`;
  return `[${shown.replaceAll(" ", "&nbsp;")}](cards/${card}.json)`;
}

/** Libraries that are not called like their packages. */
const ownNames: Readonly<Record<string, string>> = {
  mcp_sdk: "MCP TypeScript SDK",
  oauth2_proxy: "OAuth2 Proxy",
  spring_security: "Spring Security",
};

/**
 * The library as people write it: its own name or its package, if the card is named after it, and otherwise the card. A
 * second card of a package adds its own part: "openid-client, signatures".
 */
export function nameForPeople(card: string, packageName: string): string {
  const own = ownNames[card];
  if (own !== undefined) return own;
  const ofPackage = packageName.replace(/^@/, "").replace(/\W/g, "_").toLowerCase();
  if (!card.startsWith(ofPackage)) return card.replaceAll("_", "-");
  return [packageName, card.slice(ofPackage.length + 1)].filter((part) => part !== "").join(", ");
}

function writeCell(card: string, group: string, rows: readonly Row[]): readonly string[] {
  const marks = shownGrades.flatMap(([mark, grade]) => {
    const count = rows.filter((row) => row.grade === grade).length;
    return count === 0 ? [] : [`[${mark}&nbsp;${count}](#${anchorOf(card, group, grade)})`];
  });
  const passed = rows.filter(({ grade }) => grade === "passed");
  return marks.length > 0 || passed.length === 0
    ? marks
    : [`[✓&nbsp;${passed.length}](${passed[0]!.address})`];
}

function markLeft(card: string, group: string, left: readonly Left[]): readonly string[] {
  const count = left.reduce((sum, each) => sum + each.count, 0);
  const reasons = left.map(({ reason }) => reason.replaceAll("`", "")).join(" ");
  return count === 0 ? [] : [`[○&nbsp;${count}](#${anchorOf(card, group, "left")} "${reasons}")`];
}

const anchorOf = (card: string, group: string, grade: Grade | "left") =>
  `${card}-${group.replace(/ .*/, "").toLowerCase()}-${grade}`;

function writeCard(card: NamedCard): readonly string[] {
  const { name, library, phases, rows, left } = card;
  const { package: packageName, version, language, dependencies, use, notes } = library;
  const failures = levels.flatMap((level) =>
    rows.filter((row) => row.level === level && row.grade === "failed")
  );
  const advice = rows.filter(({ grade }) => grade === "advice");
  const link = createLinks(name);
  return [
    `## ${nameForPeople(name, packageName)}`,
    `${packageName} ${version}${dependencies === undefined ? "" : `, with ${dependencies}`}${
      language === undefined ? "" : `, in ${language}`
    }: ${use}. It has the phases ${listed(phases.map(code))}. ${describeLacks(card)}`
      .trim(),
    ...notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")],
    failures.length === 0 ? "It failed nowhere." : table(
      ["✗ misbehaviour", "level", "the server", "what the client did", "rule"],
      failures.map((
        row,
      ) => [link(row), row.level, markNames(row.server), quoteReason(row.because), row.rule]),
    ),
    ...advice.length === 0 ? [] : [
      `△ It went on where no rule demands more, unless another outcome is named:\n\n${
        listAdvice(advice, link)
      }`,
    ],
    ...left.length === 0 ? [] : [
      `○ It is left to the application, or not a part of this use:\n\n${listReasons(name, left)}`,
    ],
  ];
}

function listReasons(card: string, left: readonly Left[]): string {
  return [...Map.groupBy(left, ({ group }) => group)].flatMap(([group, own]) =>
    own.map(({ reason, parts, count }, index) => {
      const anchor = index === 0 ? `<a id="${anchorOf(card, group, "left")}"></a>` : "";
      return `- ${anchor}${group}, ${count}: ${reason} (${parts.map(code).join(", ")})`;
    })
  ).join("\n");
}

function listAdvice(rows: readonly Row[], link: (row: Row) => string): string {
  const show = (row: Row) => link(row) + (row.outcome === "fooled" ? "" : ` (${row.outcome})`);
  return [...Map.groupBy(rows, ({ group }) => group)].map(([group, own]) =>
    `- ${group}: ${own.map(show).join(", ")}`
  )
    .join("\n");
}

/** Returns how a row is shown: with a link to its evidence and, as the first of its group, with the end of a link to it. */
function createLinks(card: string): (row: Row) => string {
  const known = new Set<string>();
  return ({ name, group, grade, address }) => {
    const anchor = anchorOf(card, group, grade);
    const isFirst = !known.has(anchor);
    known.add(anchor);
    return `${isFirst ? `<a id="${anchor}"></a>` : ""}[${code(name)}](${address})`;
  };
}

/** The texts of clients are quoted as code, because they may be anything. */
export function quoteReason(because: string = ""): string {
  const [, said, text] = /^(The client refused: )([^]*)$/.exec(because) ?? [];
  if (text !== undefined) return `${said}${code(text.replace(/\s+/g, " ").slice(0, 160))}`;
  return because;
}
