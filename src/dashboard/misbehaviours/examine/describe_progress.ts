/** Describes an examination for its page. */

import { describeMisbehaviour } from "../../../misbehaviours/choose.ts";
import { levels } from "../../../misbehaviours/misbehaviour.ts";
import type { MisbehaviourName } from "../../../misbehaviours/names.ts";
import { gradeOf } from "../../../mock/card/grade.ts";
import { describeLacks } from "../../../mock/card/report.ts";
import { keepCard, type KeptRequest, type KeptRow } from "../../../mock/card/kept_card.ts";
import { describeRow } from "../../../mock/examine/examine.ts";
import { describeCall, describeOutcome } from "../../../mock/journal/describe_request.ts";
import type { RecordedRequest } from "../../../mock/journal/recorded_request.ts";
import type { Misbehaving } from "../../../mock/misbehaving/misbehave.ts";
import type {
  CardProps,
  ExaminedFault,
  ExamineProgress,
  ExamineVerdict,
} from "../../../pages/misbehaviours/examine.tsx";
import type { SeenRequest } from "../../../pages/misbehaviours/misbehaviour_parts.tsx";
import type { Progress } from "./examination.ts";
import { countOffered, listOffered, loginAreas, readAtStart } from "./wanted.ts";
import { present } from "../../../present.ts";

// More would push the buttons out of the window.
const mostRequests = 12;

export function describeProgress(progress: Progress): ExamineProgress {
  const { stage, step, wanted, current, wrong, problem, card, skipped, waiting, unusedAreas } = progress;
  const kept = keepCard(card);
  const row = stage === "judged" ? kept.rows.find(({ name }) => name === current) : undefined;
  const requests = row?.requests ?? progress.requests.filter(isShown);
  const verdict = row === undefined ? describeProven(wrong) : describeVerdict(row);
  return {
    stage,
    step,
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
    ...present({ baselineProblem: problem }),
    ...(current === undefined ? {} : { fault: describeFault(current) }),
    requests: requests.slice(-mostRequests).map(describeRequest),
    olderRequests: Math.max(0, requests.length - mostRequests),
    wrongAnswers: wrong?.count ?? 0,
    ...present({ verdict }),
    waiting: waiting.length,
    lacks: describeLacks(kept),
    verdicts: kept.rows.map(describeVerdict),
    skipped,
    unusedAreas,
  };
}

/** Describes the card. `linkTo` returns the address of the page about a misbehaviour. */
export function describeCard(
  { card, skipped, waiting }: Progress,
  linkTo: (name: string) => string,
): Pick<CardProps, "lacks" | "rows" | "skipped" | "waiting"> {
  const kept = keepCard(card);
  const { rows } = kept;
  return {
    lacks: describeLacks(kept),
    rows: rows.map((row) => {
      const { server, client, rule, requests } = row;
      return {
        ...describeVerdict(row),
        server,
        client,
        rule,
        href: linkTo(row.name),
        requests: requests.slice(0, mostRequests).map(describeRequest),
      };
    }),
    skipped: skipped.length,
    waiting: waiting.length,
  };
}

function describeRequest(request: KeptRequest): SeenRequest {
  return { call: describeCall(request), outcome: describeOutcome(request) };
}

/** Pages and their files say nothing about the application, but for addresses that do not exist. */
function isShown({ endpoint, status, path }: RecordedRequest): boolean {
  return endpoint !== "page" || status === 404 && path !== "/favicon.ico";
}

function describeFault(name: MisbehaviourName): ExaminedFault {
  const { area, level, server, client, rule, needs } = describeMisbehaviour(name);
  return { name, level, server, client, rule, ...present({ needs }), isReadAtStart: readAtStart.has(area) };
}

/** Describes the verdict that the requests prove while the misbehaviour is on. */
function describeProven(wrong: Misbehaving | undefined): ExamineVerdict | undefined {
  if (wrong?.proven === undefined) return undefined;
  const { name, proven } = wrong;
  const [row] = keepCard({ phases: [], rows: [describeRow(name, proven)] }).rows;
  return row && describeVerdict(row);
}

function describeVerdict(row: KeptRow): ExamineVerdict {
  const { name, level, outcome, because } = row;
  return { name, level, outcome, because, grade: gradeOf(row) };
}
