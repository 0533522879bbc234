/** docs/examined_apis.md, from the cards in docs/api_cards. */
import { gradeOf } from "../../src/kit/examine/card/grade.ts";
import { catalogue } from "../../src/kit/faults/catalogue.ts";
import type { LibraryCard, LibraryRow } from "../../tests/kit/examined/examine_library.ts";
import { code, table } from "./markdown.ts";

const folder = "docs/api_cards";

export function writeExaminedApis(): string {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return `${[...introduction, ...names.map(writeCard)].join("\n\n")}\n`;
}

const introduction = [
  "# Examined APIs",
  "This page shows which faulty access tokens and proofs the well-known libraries for APIs accept. `deno task cards` " +
  "makes it with [`examineApi`](test_an_api.md#a-card-of-the-api).",
  "Each library is used as its documentation shows, with an application around it that does only what the section says. " +
  "A row at `must` fails if the library accepts what a rule forbids, or refuses what it must accept. To consider is what " +
  "no rule demands, and a refusal with another error than the standards recommend. Neither is a vulnerability by itself, " +
  "because the application may do the check. [Misbehaviours](reference/misbehaviours.md) explains the rows. If a row is " +
  "wrong, please open an issue with the line of your source that shows it.",
];

function writeCard(file: string): string {
  const { library: { package: name, version, date, use, notes }, rows } = JSON.parse(
    Deno.readTextFileSync(`${folder}/${file}`),
  ) as LibraryCard;
  const graded = rows.map((row) => ({ row, grade: gradeOf({ ...row, level: levelOf(row) }) }));
  const rowsOf = (wanted: string) => graded.filter(({ grade }) => grade === wanted).map(({ row }) => row);
  const failed = rowsOf("failed");
  const advice = rowsOf("advice");
  const counted = graded.filter(({ row }) => row.outcome !== "not_applicable").length;
  return [
    `## ${name} ${version}: ${file.replace(/\.json$/, "")}`,
    `Used: ${use}. Of ${counted} rows, ${failed.length} failed, and ${advice.length} are to consider ` +
    `([the card](api_cards/${file}), ${date}).`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")]),
    ...(failed.length + advice.length === 0
      ? []
      : [table(["row", "level", "the request", "the answer", "rule"], [...failed, ...advice].map(writeRow))]),
  ].join("\n\n");
}

const levelOf = ({ name }: LibraryRow) => catalogue.get(name)!.level;

function writeRow({ name, outcome, because = "" }: LibraryRow): readonly string[] {
  const { level, server, rule } = catalogue.get(name)!;
  return [code(name), level, server, `${outcome}: ${code(because.replace(/\s+/g, " ").slice(0, 160))}`, rule];
}
