/** docs/examined_clients.md, from the cards in docs/cards. */
import { catalogue } from "../../src/kit/faults/catalogue.ts";
import { describeLacks } from "../../src/kit/examine/card/report.ts";
import { type Level, levels, type Misbehaviour } from "../../src/kit/faults/misbehaviour.ts";
import type { LibraryCard, LibraryRow } from "../../tests/kit/examined/examine_library.ts";
import { code, listed, markNames, table } from "./markdown.ts";

interface NamedCard extends LibraryCard {
  /** The name of its file in docs/cards, without the ending. */
  readonly name: string;
  readonly rows: readonly Row[];
}

/** A row with what the catalogue says about its misbehaviour. */
type Row = LibraryRow & Pick<Misbehaviour, "level" | "server" | "rule">;

export function writeExaminedClients(): string {
  const cards = loadCards();
  const packages = [...new Set(cards.map(({ library }) => library.package))];
  return `${
    [
      "# Examined clients",
      "This page shows what well-known libraries for Node do when an authorization server is wrong. `deno task cards` " +
      "makes it with [`examine`](examine_a_client.md).",
      ...introduction,
      ...uses,
      "## Summary",
      ...levels.map((level) => writeCounts(level, cards)),
      ...packages.flatMap((name) => writePackage(cards.filter(({ library }) => library.package === name))),
    ].join("\n\n")
  }\n`;
}

const introduction = [
  "Each library runs once for each [misbehaviour](reference/misbehaviours.md), in the use that its section names and " +
  "its documentation shows. The application around the library does only what the section says. The areas " +
  "`access_token` and `introspection` are left out, because they are about APIs. Areas that a use does not need, " +
  "or that the library leaves to the application, are left out, too: few of the libraries read the challenge of an API " +
  "(`resource`), for example.",
  "How to read the tables:",
  [
    "- The level says why a client should notice the mistake. `must` and `should`: a rule demands it. `tolerate`: the " +
    "server is unusual, and a rule says that the client goes on. `robustness`: a correct client goes on, but no rule " +
    "demands it. `hardening`: no rule demands it, but it is safer. A library may leave such a check out for a good reason. For example, OpenID Connect Core §3.1.3.7 (6) lets a client skip the signature of an ID " +
    "token that it got from the token endpoint.",
    "- A rule is for the clients that use its standard. For example, RFC 9207 is for clients that support the parameter " +
    "`iss`, and RFC 9700 §2.1 demands a defence against mix-up from clients that use more than one server.",
    "- `fooled`: the library went on as if nothing were wrong, or it repeated a value that must be new. `broke`: it stopped where a correct client goes on. Neither is " +
    "a vulnerability by itself, because the application may do the check, or use one server only.",
    "- `unharmed`: the library showed no check, but it sent nothing wrong and succeeded.",
    "- `crashed`: the code of the library or of the application failed, for example with a `TypeError`.",
    "- `hung`: the run was not over after 10 seconds. The library may have a longer limit.",
    "- `unknown`: Postern cannot see what the library did.",
    "- `not applicable`: the library does not do what the mistake is about, as its run with a right server shows. For " +
    "example, it pushes no authorization requests.",
    "- `not reached`: the library did nothing that the mistake is about. For example, it does not read the metadata.",
    "- `decoy` is the foreign server to which some misbehaviours lead a client.",
  ].join("\n"),
  "The cards are in [docs/cards](cards). They have the requests that prove each failure. " +
  "[Misbehaviours](reference/misbehaviours.md) explains the rows.",
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
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name);
  return files.map((file) => {
    const text = Deno.readTextFileSync(`${folder}/${file}`);
    const card = JSON.parse(text) as LibraryCard;
    return { ...card, name: file.replace(/\.json$/, ""), rows: card.rows.map(describeRow) };
  }).sort((a, b) => key(a) < key(b) ? -1 : 1);
}

function describeRow(row: LibraryRow): Row {
  const entry = catalogue.get(row.name);
  if (entry === undefined) throw new Error(`There is no misbehaviour ${row.name}: run deno task cards`);
  const { level, server, rule } = entry;
  return { ...row, level, server, rule };
}

const key = ({ library, name }: NamedCard): string => `${library.package.replace("@", "")} ${name}`;

/** The columns, in this order. A table lacks the outcomes that no client has at its level. */
const columns: readonly Row["outcome"][] = [
  ...["noticed", "tolerated", "unharmed", "fooled", "broke", "crashed", "hung", "unknown"] as const,
  ...["not_applicable", "not_reached"] as const,
];

function writeCounts(level: Level, cards: readonly NamedCard[]): string {
  const inLevel = ({ rows }: NamedCard) => rows.filter((row) => row.level === level);
  const count = (card: NamedCard, outcome: Row["outcome"]) =>
    inLevel(card).filter((row) => row.outcome === outcome).length;
  const outcomes = columns.filter((outcome) => cards.some((card) => count(card, outcome) > 0));
  const rows = cards.map((card) => [
    `[${card.name}](cards/${card.name}.json)`,
    card.library.version,
    ...outcomes.map((outcome) => `${count(card, outcome)}`),
  ]);
  const header = ["card", "version", ...outcomes.map((outcome) => outcome.replace("_", " "))];
  return `Level \`${level}\`:\n\n${table(header, rows)}`;
}

/** The first card of a package has all its failures. The others have what differs from the first. */
function writePackage([first, ...others]: readonly NamedCard[]): readonly string[] {
  if (first === undefined) return [];
  const { library: { package: name, version, use, notes }, phases } = first;
  const failures = failuresOf(first);
  return [
    `## ${name} ${version}`,
    `Used: ${use}. It has the phases ${listed(phases.map(code))}. ${describeLacks(first)}`.trim(),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")]),
    failures.length === 0 ? "It failed nowhere." : table(
      ["misbehaviour", "level", "the server", "what the client did", "rule"],
      failures.map(({ name, level, server, because, rule }) => [
        code(name),
        level,
        markNames(server),
        quote(because),
        rule,
      ]),
    ),
    ...others.map((other) => writeDifference(first, other)),
  ];
}

const failuresOf = ({ rows }: NamedCard): readonly Row[] =>
  levels.flatMap((level) => rows.filter((row) => row.level === level && isWrong(row)));

const isWrong = ({ outcome }: Row) => outcome === "fooled" || outcome === "broke";

/** The texts of clients are quoted as code, because they may be anything. */
function quote(because: string = ""): string {
  const [, said, text] = /^(The client refused: )([^]*)$/.exec(because) ?? [];
  if (text !== undefined) return `${said}${code(text.replace(/\s+/g, " ").slice(0, 160))}`;
  return because;
}

function writeDifference(first: NamedCard, { library: { use }, rows }: NamedCard): string {
  const before = new Map(first.rows.map((row) => [row.name, row]));
  const differing = rows.filter((row) => {
    const other = before.get(row.name);
    return other === undefined ? isWrong(row) : isWrong(row) !== isWrong(other);
  });
  const intro = `Also used: ${use}.`;
  if (differing.length === 0) return `${intro} Nothing differs.`;
  const rowsOfTable = differing.map(({ name, level, outcome, because }) => [
    code(name),
    level,
    `${before.get(name)?.outcome.replace("_", " ") ?? "not examined"}`,
    `${outcome.replace("_", " ")}: ${quote(because)}`,
  ]);
  return `${intro} What differs:\n\n${
    table(["misbehaviour", "level", "before", "in this use"], rowsOfTable)
  }`;
}
