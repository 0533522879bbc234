/** What every format of a card shows: a grade for each row, the comparison with an earlier card, and the counts. */

import { sayCount } from "../../../ground/values/say_count.ts";
import { catalogue } from "../../faults/catalogue.ts";
import { describeAction, type Level, levels } from "../../faults/misbehaviour.ts";
import { describeOne, findCommon, lacksChallenge } from "../../faults/mends.ts";
import { type Area, faultySideOf, listVariants } from "../../faults/names.ts";
import type { Card } from "../examine.ts";
import type { UsualParameter } from "../../faults/needs.ts";
import { describePhases } from "../describe_phases.ts";
import { describeCall, describeOutcome } from "../../mock/journal/describe_request.ts";
import type { FormatCardTerms } from "./card_form.ts";
import { compareCards } from "./compare_cards.ts";
import { type CardException, readExceptions } from "./exceptions.ts";
import { type Grade, gradeOf, grades } from "./grade.ts";
import { keepCard, type KeptCard, type KeptRequest, type KeptRow } from "./kept_card.ts";
import { shortenLines } from "./shorten_lines.ts";
import type { SourceLine } from "./source_lines.ts";
import { visible } from "../../../ground/values/visible.ts";
import { present } from "../../../ground/values/present.ts";

export interface ReportRow extends KeptRow {
  /** `excepted`: the row fails no run now, although it failed. */
  readonly grade: Grade | "excepted";
  /** What a correct client or API does: "A correct client refuses the ID token." */
  readonly remedy: string;
  /** Absent for a fault of the client's own logins, and for an API, whose tokens come from the examination. */
  readonly trial?: string;
  /** The row fails the run: it failed or, if there is an earlier card, it got worse. */
  readonly isFailure: boolean;
  readonly exception?: CardException;
  /** What the earlier card says about the misbehaviour, if that differs in grade. */
  readonly before?: KeptRow;
}

export interface Report
  extends Pick<KeptCard, "runtime" | "phases" | "unfinished" | "neverSends" | "problem"> {
  readonly rows: readonly ReportRow[];
  readonly hasBaseline: boolean;
  readonly driver?: SourceLine;
  /** Sentences about exceptions that have expired, or that no row needs. */
  readonly notes: readonly string[];
}

export function createReport(
  card: Card | KeptCard,
  { baseline, exceptions = [] }: Pick<FormatCardTerms, "baseline" | "exceptions"> = {},
): Report {
  const { version: _version, rows, ...about } = keepCard(card);
  const isOfClient = about.phases.includes("login");
  const compared = baseline && compareCards(card, baseline);
  const excepting = readExceptions(exceptions);
  const isWorse = (row: KeptRow) => compared?.worse.some(({ name }) => name === row.name);
  return {
    ...about,
    ...present({
      driver: "driver" in card ? card.driver : undefined,
      problem: about.problem && shortenLines(about.problem),
    }),
    hasBaseline: baseline !== undefined,
    notes: excepting.listNotes(
      rows.map((row) => ({
        ...row,
        // Without an exception, a row with advice fails if the earlier card passed there.
        needsNone: ["passed", "advice"].includes(gradeOf(row)) && !isWorse(row),
      })),
    ),
    rows: rows.map((row) => {
      const own = gradeOf(row);
      const before = compared && [...compared.worse, ...compared.better].find(({ name }) => name === row.name)
        ?.before;
      const mayFail = isWorse(row) ?? own === "failed";
      const exception = mayFail || own === "failed" ? excepting.find(row.name) : undefined;
      return {
        ...row,
        because: shortenLines(row.because),
        grade: exception === undefined ? own : "excepted",
        remedy: row.advised ? adviseOn(row) : describeAction(row, isOfClient ? "client" : "API"),
        ...present({
          trial: isOfClient && faultySideOf(row.name) === "server" ? describeTrial(row) : undefined,
        }),
        isFailure: exception === undefined &&
          (mayFail || own === "failed" && excepting.hasExpired(row.name)),
        ...present({ exception, before }),
      };
    }),
  };
}

/** `--misbehave` switches on the first variant, and another one may have decided. */
function describeTrial({ name, variant = "" }: KeptRow): string {
  const start = "npx postern start --login auto";
  if (listVariants(name).indexOf(variant) < 1) return `${start} --misbehave ${name}`;
  return `${start} --control, and POST /_postern/misbehaviours ${JSON.stringify({ name, variant })}`;
}

/** What an API that refuses as it must could say better. */
function adviseOn({ because }: KeptRow): string {
  return because.includes(lacksChallenge)
    ? "A correct API also sends the header WWW-Authenticate with the status 401 (RFC 9110 §15.5.2, RFC 6750 §3)."
    : "A correct API also answers with the right status and error (RFC 6750 §3.1, RFC 9449 §7.1).";
}

export interface Section {
  readonly title: string;
  readonly rows: readonly ReportRow[];
}

/** Returns the sections whose rows a card describes. None is empty. */
export function listDescribed(report: Report): readonly Section[] {
  return listSections([
    ["Failed", rowsOf(report, "failed")],
    ["To consider", rowsOf(report, "advice")],
    // What got worse and is in neither of the sections before.
    [
      "Worse than in the earlier card",
      report.rows.filter(({ isFailure, grade }) => isFailure && grade === "unjudged"),
    ],
  ]);
}

/** Returns the sections whose rows a card has in short. None is empty. */
export function listBrief(report: Report): readonly Section[] {
  return listSections([
    ["Excepted", rowsOf(report, "excepted")],
    ["Not judged", rowsOf(report, "unjudged")],
    ["Passed", rowsOf(report, "passed")],
  ]);
}

function listSections(all: readonly (readonly [string, readonly ReportRow[]])[]): readonly Section[] {
  return all.flatMap(([title, rows]) => rows.length === 0 ? [] : [{ title, rows }]);
}

/** Rows that show the lack of one check. */
export interface Group {
  /** Says what failed: "Goes on when the ID token has no nonce", or the same with "(and 2 more about the nonce)". */
  readonly title: string;
  readonly kind: string;
  readonly rows: readonly ReportRow[];
}

/** Groups rows by what to mend, in the order of their first rows. The one of the most published flaws gives the title. */
export function groupByMend(all: readonly ReportRow[]): readonly Group[] {
  const found = all.map(findCommon);
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const alike = all.filter((_, index) => found[index]!.kind === kind);
    const [best] = alike.toSorted((one, other) =>
      levels.indexOf(one.level) - levels.indexOf(other.level) || countFlaws(other) - countFlaws(one)
    );
    const rows = alike.filter((row) => row !== best);
    const { others } = findCommon(best!);
    const more = `${titleOf(best!)} (and ${`${rows.length} more ${others}`.trimEnd()})`;
    const title = rows.length === 0 ? titleOf(best!) : others === undefined ? capitalise(kind) : more;
    return { title, kind, rows: [best!, ...rows] };
  });
}

function countFlaws({ name }: ReportRow): number {
  return catalogue.get(name)?.bugs?.length ?? 0;
}

/** Returns the title of one row. */
export function titleOf(row: ReportRow): string {
  return capitalise(visible(describeOne(row)));
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function countRows({ length }: readonly unknown[]): string {
  return sayCount(length, "row");
}

/** Returns the levels of a group: "must, should". */
export function nameLevels(group: Group): string {
  return levelsOf(group).join(", ");
}

/** Returns the rows with this grade, the strongest level first. */
function rowsOf({ rows }: Report, grade: ReportRow["grade"]): readonly ReportRow[] {
  return levels.flatMap((level) => rows.filter((row) => row.grade === grade && row.level === level));
}

export function levelsOf({ rows }: Pick<Report, "rows">): readonly Level[] {
  return levels.filter((level) => rows.some((row) => row.level === level));
}

/** Says in two sentences how many rows fail, and how many have which grade. */
export function summarise({ rows, hasBaseline, problem }: Report): string {
  const failures = rows.filter(({ isFailure }) => isFailure).length;
  const applicable = rows.filter(isApplicable);
  const share = failures === 0
    ? problem === undefined ? "Nothing" : "Nothing else"
    : `${failures} of ${applicable.length}`;
  const conclusion = hasBaseline
    ? `${share} ${failures > 1 ? "are" : "is"} worse than in the earlier card.`
    : `${share} failed.`;
  const refused = groupByMend(applicable.filter(isRefusedOtherwise));
  const counts = [...grades, "excepted" as const].map((grade) =>
    [grade, applicable.filter((row) => row.grade === grade && !isRefusedOtherwise(row)).length] as const
  );
  const parts = [
    ...refused.map(({ kind, rows: { length } }) =>
      `${length} ${kind.replace("refuses some requests", "refused")}`
    ),
    ...counts.filter(([grade, count]) =>
      grade === "passed" || count > 0 && (grade !== "failed" || hasBaseline)
    ).map(([grade, count]) => `${count} ${gradeWords[grade]}`),
  ];
  const others = rows.length - applicable.length;
  return `${conclusion} ${[...parts, ...(others > 0 ? [`${others} not applicable`] : [])].join(", ")}.`;
}

/** Whether an API refused a token as it must, and only its answer is not as recommended. */
function isRefusedOtherwise({ grade, advised }: ReportRow): boolean {
  return grade === "advice" && advised === true;
}

/** What the numbers of `countByArea` count. */
export function nameCounts({ rows }: Report): "passed" | "passed or refused" {
  return rows.some(isRefusedOtherwise) ? "passed or refused" : "passed";
}

/** Rows about what the client or the API does not do are not counted. */
export function isApplicable({ outcome, grade, isFailure }: ReportRow): boolean {
  return outcome !== "not_applicable" || grade === "excepted" || isFailure;
}

const gradeWords: Readonly<Record<ReportRow["grade"], string>> = {
  passed: "passed",
  failed: "failed",
  advice: "to consider",
  unjudged: "not judged",
  excepted: "excepted",
};

export interface AreaCounts {
  readonly area: Area;
  readonly rows: readonly ReportRow[];
  /** "2/3": two of the three that were judged passed, or were refused with another answer than recommended. Empty: none was judged at this level. */
  readonly passed: Readonly<Record<Level, string>>;
  /** How many of those that apply were not judged. Empty: all were. */
  readonly unjudged: string;
}

export function countByArea({ rows }: Report): readonly AreaCounts[] {
  const areas = [...new Set(rows.map(({ area }) => area))];
  return areas.map((area) => {
    const inArea = rows.filter((row) => row.area === area);
    const judged = inArea.filter(({ grade }) => grade !== "unjudged");
    const unjudged = inArea.filter((row) => row.grade === "unjudged" && isApplicable(row));
    const passed = levels.map((level) => {
      const all = judged.filter((row) => row.level === level);
      const count = all.filter((row) => row.grade === "passed" || isRefusedOtherwise(row)).length;
      return [level, all.length === 0 ? "" : `${count}/${all.length}`];
    });
    return {
      area,
      rows: inArea,
      passed: Object.fromEntries(passed) as Record<Level, string>,
      unjudged: unjudged.length === 0 ? "" : `${unjudged.length}`,
    };
  });
}

/** Says what the client does in its run without a fault, and on which runtime. Empty for the card of an API. */
export function describeRun({ runtime, phases, unfinished, rows }: Report): string {
  if (!phases.includes("login")) return "";
  const run = describePhases(phases, ["login", ...rows.map(({ phase }) => phase)], unfinished);
  return runtime === undefined ? run : `${run} It ran on ${runtime}.`;
}

const parameterNames: Readonly<Record<UsualParameter, string>> = {
  state: "state",
  nonce: "nonce",
  code_challenge: "code_challenge (PKCE)",
};

/** Says what the logins of the client lack: "It sends no state and no nonce. No check of iss was seen." */
export function describeLacks(
  { neverSends = [], rows }: Pick<KeptCard, "neverSends"> & {
    readonly rows: readonly Pick<KeptRow, "name" | "outcome">[];
  },
): string {
  const sent = neverSends.map((name) => `no ${parameterNames[name] ?? name}`);
  const last = sent.at(-1);
  const list = sent.length > 1 ? `${sent.slice(0, -1).join(", ")} and ${last}` : last;
  const issuerChecks = rows.filter(({ name }) => name.startsWith("authorization_response.iss_")).map((row) =>
    row.outcome
  );
  return [
    ...(list === undefined ? [] : [`It sends ${list}.`]),
    ...(issuerChecks.includes("fooled") && !issuerChecks.includes("noticed")
      ? ["No check of iss was seen."]
      : []),
  ].join(" ");
}

/** Adds which clients or APIs can meet the misbehaviour, if not all can, and the exception of the row. */
export function withCondition(text: string, { needs, exception }: ReportRow): string {
  return [
    text,
    ...(needs === undefined
      ? []
      : [needs.startsWith("an API ") ? `Applies to: ${needs}.` : `Applies to clients with: ${needs}.`]),
    ...(exception === undefined
      ? []
      : [`Excepted until ${exception.until} (${exception.who}): ${exception.reason}`]),
  ].join(" ");
}

/** Describes a request in one line, without the step of the server at which the misbehaviour changed the response. */
export function describeEvidence(request: KeptRequest): string {
  const altered = request.altered?.map(({ by }) => ({ by, seam: by }));
  const notified = Object.entries(request.backChannelLogout ?? {}).map(([id, result]) =>
    `, logout token to ${id}: ${result}`
  );
  return describeCall(request) + ` → ${describeOutcome(altered ? { ...request, altered } : request)}` +
    notified.join("");
}
