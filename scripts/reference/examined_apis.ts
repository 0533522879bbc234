/** docs/examined_apis.md, from the cards in docs/api_cards. */
import { type Grade, gradeOf } from "../../src/kit/examine/card/grade.ts";
import { catalogue } from "../../src/kit/faults/catalogue.ts";
import { apisBeyond } from "../../tests/kit/examined/apis_beyond.ts";
import { chooseForApi, type LibraryCard, type LibraryRow } from "../../tests/kit/examined/examine_library.ts";
import { code, listed, table } from "./markdown.ts";

const folder = "docs/api_cards";

export function writeExaminedApis(): string {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return `${[...introduction, ...names.map(writeCard)].join("\n\n")}\n`;
}

const introduction = [
  "# Examined APIs",
  "This page shows which faulty access tokens and proofs the well-known libraries for APIs accept. `deno task cards` " +
  "makes it with [`examineApi`](test_an_api.md#a-card-of-the-api). `deno task cards --beyond` makes the cards of libraries " +
  "for Java, Python and Go from [their programs](../tests/kit/examined/beyond_apis), where their language is on the machine. " +
  "[The list](../tests/kit/examined/apis_beyond.ts) has their flags of `examine-api`.",
  "Each library is used as its documentation shows, with an application around it that does only what the section says. " +
  "A row at `must` fails if the library accepts what a rule forbids, or refuses what it must accept. A row at `tolerate` " +
  "fails if the library refuses what a rule lets pass. To consider is what " +
  "no rule demands, and a refusal with another error than the standards recommend. Neither is a vulnerability by itself, " +
  "because the application may do the check. A rule says what an API does that uses its standard: rows of RFC 9068 are for " +
  "APIs whose tokens have that profile. [Misbehaviours](reference/misbehaviours.md) explains the rows. If a row is " +
  "wrong, please open an issue with the line of your source that shows it.",
];

type Graded = readonly { readonly row: LibraryRow; readonly grade: Grade }[];

function writeCard(file: string): string {
  const name = file.replace(/\.json$/, "");
  const { library, rows } = JSON.parse(Deno.readTextFileSync(`${folder}/${file}`)) as LibraryCard;
  const { package: packageName, version, dependencies, date, use, notes, language } = library;
  const graded: Graded = rows.map((row) => ({ row, grade: gradeOf({ ...row, level: levelOf(row) }) }));
  const rowsOf = (wanted: Grade) => graded.filter(({ grade }) => grade === wanted).map(({ row }) => row);
  const failed = rowsOf("failed");
  const advice = rowsOf("advice");
  const counted = graded.filter(({ row }) => row.outcome !== "not_applicable").length;
  const { alike, others } = divideAdvice(advice);
  return [
    `## ${packageName} ${version}: ${name}`,
    `Used: ${use}${dependencies === undefined ? "" : `; it ran with ${dependencies}`}${
      language === undefined ? "" : `, in ${language}`
    }. Of ${counted} rows, ${failed.length} failed, and ${advice.length} ${
      advice.length === 1 ? "is" : "are"
    } to consider ` +
    `([the card](api_cards/${file}), ${date}).`,
    ...(language === undefined ? [] : describeMissing(name, rows)),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")]),
    ...(failed.length + others.length === 0
      ? []
      : [table(["row", "level", "the request", "the answer", "rule"], [...failed, ...others].map(writeRow))]),
    ...alike,
  ].join("\n\n");
}

/** A card of a language that a machine lacks also lacks the rows that came after it. */
function describeMissing(name: string, rows: readonly LibraryRow[]): readonly string[] {
  const all = chooseForApi(apisBeyond[name]?.omits);
  const missing = all.filter((each) => !rows.some((row) => row.name === each));
  if (missing.length === 0) return [];
  return [
    `The card has ${all.length - missing.length} of today's ${all.length} rows. It lacks ${
      listed(missing.map(code))
    }.`,
  ];
}

/** Many rows may be to consider for the same reason: that is one sentence, in place of as many lines of the table. */
function divideAdvice(advice: readonly LibraryRow[]) {
  const groups = Map.groupBy(advice, ({ advised, because }) => advised ? because : undefined);
  const isLong = ({ because, advised }: LibraryRow) => advised === true && groups.get(because)!.length >= 5;
  return {
    others: advice.filter((row) => !isLong(row)),
    alike: [...groups].filter(([, [first]]) => isLong(first!)).map(([because = "", rows]) =>
      `Refused, but to consider, are ${rows.length} more rows. ${because} The rows: ${
        listed(rows.map(({ name }) => code(name)))
      }.`
    ),
  };
}

const levelOf = ({ name }: LibraryRow) => catalogue.get(name)!.level;

function writeRow({ name, outcome, because = "" }: LibraryRow): readonly string[] {
  const { level, server, rule } = catalogue.get(name)!;
  return [code(name), level, server, `${outcome}: ${code(because.replace(/\s+/g, " ").slice(0, 160))}`, rule];
}
