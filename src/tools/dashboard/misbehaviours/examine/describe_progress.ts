/** Describes an examination for its page. */

import { describeMisbehaviour } from "../../../../kit/faults/choose.ts";
import { levels } from "../../../../kit/faults/misbehaviour.ts";
import { areaOf, type MisbehaviourName } from "../../../../kit/faults/names.ts";
import { type Grade, gradeOf } from "../../../../kit/examine/card/grade.ts";
import { keepCard } from "../../../../kit/examine/card/kept_card.ts";
import { describeLacks } from "../../../../kit/examine/card/report.ts";
import type { CardRow } from "../../../../kit/examine/examine.ts";
import type { RecordedRequest } from "../../../../kit/mock/journal/recorded_request.ts";
import type { CardProps } from "./card_page.tsx";
import type { VerdictRow } from "./examine_verdicts.tsx";
import type { ExaminedFault, ExamineProgress } from "./examine_page.tsx";
import { describeClockTime } from "../../../../kit/timeline/time_text.ts";
import { present } from "../../../../ground/values/present.ts";
import type { PageCall } from "../../page.ts";
import { describeRequest, describeVerdict } from "../describe_on.ts";
import type { Progress } from "./examination.ts";
import { countOffered, listOffered, loginAreas, readAtStart, type Wanted } from "./wanted.ts";

// More would push the table of the verdicts out of the window.
const mostRequests = 12;
// More would make the page too heavy. The card has all.
const mostVerdicts = 12;

export function describeProgress(progress: Progress, call: PageCall): ExamineProgress {
  const { stage, step, wanted, current, wrong, problem, card, rows, skipped, waiting, unusedAreas, endedAt } =
    progress;
  const requests = progress.requests.filter(isShown);
  const settled = rows.length + skipped.length;
  return {
    stage,
    step,
    ...describeChoice(wanted),
    ...present({ baselineProblem: problem }),
    ...present({ fault: current === undefined ? undefined : describeFault(current) }),
    requests: requests.slice(-mostRequests).map((request) => describeRequest(request, call)),
    olderRequests: Math.max(0, requests.length - mostRequests),
    wrongAnswers: wrong?.count ?? 0,
    ...present({ verdict: wrong?.proven && describeVerdict(wrong.name, wrong.proven) }),
    settled,
    total: settled + waiting,
    lacks: describeLacks(keepCard(card)),
    verdicts: rows.slice(0, mostVerdicts).map((row) => describeVerdictRow(row, call)),
    counts: countGrades(rows),
    skipped,
    unusedAreas,
    ...present({
      endedAt: endedAt === undefined ? undefined : describeClockTime(endedAt, call.watched.services.now()),
    }),
  };
}

function describeChoice(wanted: Wanted): Pick<ExamineProgress, "levels" | "areas"> {
  return {
    levels: levels.map((name) => ({
      name,
      isChosen: wanted.levels.includes(name),
      count: listOffered({ levels: [name], areas: loginAreas }).length,
    })),
    areas: loginAreas.map((name) => ({
      name,
      isChosen: wanted.areas.includes(name),
      count: countOffered(name),
    })),
  };
}

export function describeCard({ stage, card, skipped, waiting }: Progress, call: PageCall): ShownCard {
  return {
    lacks: describeLacks(keepCard(card)),
    rows: card.rows.map((row) => describeVerdictRow(row, call)),
    counts: countGrades(card.rows),
    skipped: skipped.length,
    waiting: stage === "ended" ? 0 : waiting,
  };
}

type ShownCard = Pick<CardProps, "lacks" | "rows" | "counts" | "skipped" | "waiting">;

function countGrades(rows: readonly CardRow[]): Readonly<Record<Grade, number>> {
  const counts = { failed: 0, unjudged: 0, advice: 0, passed: 0 };
  for (const row of rows) counts[gradeOf(row)]++;
  return counts;
}

/** Pages and their files say nothing about the application, but for addresses that do not exist. */
function isShown({ endpoint, status, path }: RecordedRequest): boolean {
  return endpoint !== "page" || status === 404 && path !== "/favicon.ico";
}

function describeFault(name: MisbehaviourName): ExaminedFault {
  return { ...describeMisbehaviour(name), isReadAtStart: readAtStart.has(areaOf(name)) };
}

function describeVerdictRow(row: CardRow, call: PageCall): VerdictRow {
  const { name, requests } = row;
  return {
    name,
    ...describeVerdict(name, row),
    grade: gradeOf(row),
    href: call.pathOf("misbehaviours", `/${name}`),
    requests: requests.slice(0, mostRequests).map((request) => describeRequest(request, call)),
  };
}
