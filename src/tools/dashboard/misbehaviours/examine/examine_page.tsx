/** The page on which a person examines an application: one wrong answer at a time, and the verdicts so far. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../../frame/dashboard_document.tsx";
import type { DescribedMisbehaviour } from "../../../../kit/faults/choose.ts";
import type { Progress, Stage } from "./examination.ts";
import { type CardProps, Fault, Lacks } from "./card_page.tsx";
import { Choice, type ChoiceProps, StepForm } from "./examine_choice.tsx";
import { Again, type VerdictRow, Verdicts } from "./examine_verdicts.tsx";
import {
  ActionButton,
  LookAgain,
  MarkedVerdict,
  MisbehaviourName,
  type SeenRequest,
  SeenRequests,
  type ShownVerdict,
  wrongPage,
  type WrongProps,
} from "../misbehaviour_parts.tsx";
import { Section } from "../../../../server/pages/parts.tsx";
import { PageLink } from "../../parts/pass.tsx";
import { englishMisbehaviours, type MisbehaviourWords } from "../misbehaviours_english.ts";
import { fill } from "../../../../ground/values/fill.ts";

const { examine: words, entry, on, catalogue } = englishMisbehaviours;

type ExamineWords = MisbehaviourWords["examine"];

export interface ExaminedFault extends DescribedMisbehaviour {
  /** Applications read this at their start, and may not read it again at a login. */
  readonly isReadAtStart: boolean;
}

export interface ExamineProgress
  extends
    Omit<ChoiceProps, "form">,
    Pick<CardProps, "lacks" | "counts">,
    Pick<Progress, "stage" | "skipped" | "unusedAreas"> {
  readonly baselineProblem?: keyof ExamineWords["problems"];
  readonly fault?: ExaminedFault;
  readonly requests: readonly SeenRequest[];
  /** How many older requests the list leaves out. */
  readonly olderRequests: number;
  readonly wrongAnswers: number;
  readonly verdict?: ShownVerdict;
  /** How many misbehaviours have a verdict or were skipped, and how many there are. */
  readonly settled: number;
  readonly total: number;
  /** The latest verdicts, the newest first. */
  readonly verdicts: readonly VerdictRow[];
  readonly endedAt?: string;
}

interface ExamineProps extends WrongProps {
  readonly issuer: string;
  readonly cardUrl: string;
  /** Absent if the person may not examine anything. */
  readonly progress?: ExamineProgress;
}

type Shown = ExamineProgress & Omit<ExamineProps, "progress">;

export function examinePage({ progress, ...props }: ExamineProps): Page {
  if (progress !== undefined) return progressPage({ ...props, ...progress }, props);
  return wrongPage(
    { section: "examine", lead: words.about },
    props,
    <p class="notice">{words.safety}</p>,
  );
}

function progressPage(props: Shown, common: WrongProps): Page {
  const { stage, step, settled, total } = props;
  return wrongPage(
    {
      section: "examine",
      ...(stage === "choose" ? { lead: words.about } : { scripts: ["live.js"] }),
    },
    common,
    stage === "choose" && <p class="notice">{words.safety}</p>,
    <section class="now" aria-labelledby="stage" data-stage={`${stage} ${step}`}>
      <div class="asked">
        <h2 id="stage" data-live>{headingOf(props)}</h2>
        {isUnderWay(stage) && <p id="progress">{words.progress(settled, total)}</p>}
      </div>
      {stages[stage](props)}
    </section>,
    settled > 0 && <CardSoFar {...props} />,
    !hasOwnWay.has(stage) && <MoreOptions {...props} />,
  );
}

/** The stages whose own part of the page leads on. */
const hasOwnWay: ReadonlySet<Stage> = new Set(["choose", "baseline", "running"]);

/** Whether a misbehaviour is offered or on. The other headings say how far the examination is. */
function isUnderWay(stage: Stage): boolean {
  return stage === "offer" || stage === "running";
}

function headingOf({ stage, verdict, requests, settled, total, endedAt = "" }: Shown): string {
  const done = words.progress(settled, total);
  switch (stage) {
    case "stopped":
      return words.stopped(done);
    case "finished":
      return words.finished(total);
    case "ended":
      return words.ended(endedAt, settled, done);
    case "baseline":
    case "running":
      if (verdict !== undefined) return words.decided;
      return requests.length === 0 ? words.headings[stage] : words.question;
    default:
      return words.headings[stage];
  }
}

const stages: Readonly<Record<Stage, (props: Shown) => VNode>> = {
  choose: (props) => <Choice {...props} action={words.begin} />,
  baseline: (props) => (
    <>
      {props.baselineProblem !== undefined && (
        <p class="notice problem" id="problem">{words.problems[props.baselineProblem]}</p>
      )}
      <p>{fill(words.baseline, { issuer: <code class="value">{props.issuer}</code> })}</p>
      <Question {...props} />
      <Live {...props} />
    </>
  ),
  offer: (props) => (
    <>
      <p class="aside">{words.signOutFirst}</p>
      {props.fault?.isReadAtStart && <p class="notice" id="restart-note">{words.readAtStart}</p>}
      <StepForm {...props} kind="onward">
        <ActionButton action="switch_on" primary>{entry.switchOn}</ActionButton>
        <ActionButton action="skip">{words.skip}</ActionButton>
        <ActionButton action="stop">{words.stop}</ActionButton>
      </StepForm>
      <Current {...props} />
    </>
  ),
  running: (props) => (
    <>
      <p class="aside" id="is-on">{words.isOn}</p>
      <Question {...props} />
      <Current {...props} />
      <Live {...props} />
    </>
  ),
  stopped: (props) => (
    <>
      <p>{words.stoppedNote}</p>
      <StepForm {...props} kind="onward">
        <ActionButton action="go_on" primary>{words.goOn}</ActionButton>
      </StepForm>
    </>
  ),
  finished: (props) => (
    <>
      <p>{words.nothingLeftNote}</p>
      <OpenCard {...props} />
    </>
  ),
  ended: (props) => (
    <>
      <p>{words.endedNote}</p>
      {props.verdicts.length > 0 && <OpenCard {...props} />}
    </>
  ),
};

function OpenCard({ cardUrl }: Pick<Shown, "cardUrl">): VNode {
  return (
    <p class="onward">
      <PageLink class="button primary" id="open-card" href={cardUrl}>{words.openCard}</PageLink>
    </p>
  );
}

function Current({ fault }: Shown): VNode | null {
  return fault === undefined ? null : (
    <div id="current">
      <h3>
        <MisbehaviourName name={fault.name} />
      </h3>
      <Fault {...fault} />
    </div>
  );
}

/** Asks what the application showed, unless the requests have proved what it did. */
function Question({ verdict, stage, form, step }: Shown): VNode {
  return (
    <>
      <div id="proof" data-live role="status">
        {verdict !== undefined && (
          <p data-outcome={verdict.outcome}>
            <MarkedVerdict {...verdict} />
          </p>
        )}
      </div>
      <div id="question" data-live>
        <StepForm form={form} step={step} kind="onward">
          {verdict !== undefined
            ? <ActionButton action="proven" primary>{words.takeProven}</ActionButton>
            : (
              <>
                <ActionButton action="success" primary={stage === "baseline"}>
                  {words.shown.success}
                </ActionButton>
                <ActionButton action="error">{words.shown.error}</ActionButton>
                <ActionButton action="nothing">{words.shown.nothing}</ActionButton>
              </>
            )}
          {stage === "running" && <ActionButton action="stop">{words.stop}</ActionButton>}
        </StepForm>
      </div>
    </>
  );
}

/** What the server has seen. The script replaces it when it changes. */
function Live({ requests, olderRequests, wrongAnswers, stage, address }: Shown): VNode {
  return (
    <>
      <div id="live" data-live class="block single">
        {stage === "running" && (
          <p id="wrong-answers">
            <strong>{on.count(wrongAnswers)}</strong>
          </p>
        )}
        {requests.length === 0 ? <p class="aside">{words.noRequests}</p> : (
          <>
            <p>{words.requests(olderRequests)}</p>
            <SeenRequests id="requests" requests={requests} />
          </>
        )}
      </div>
      <LookAgain href={address} />
    </>
  );
}

function CardSoFar(props: Shown): VNode {
  const { lacks, verdicts, counts, skipped, cardUrl, form, step, stage } = props;
  // Nothing is on, so that another one can be offered.
  const mayRepeat = stage === "offer" || stage === "stopped" || stage === "finished";
  const older = Object.values(counts).reduce((sum, count) => sum + count, 0) - verdicts.length;
  return (
    <Section id="card" heading={words.card}>
      {verdicts.length > 0 && (
        <p id="summary">
          {words.summary(counts)}{" "}
          {(isUnderWay(stage) || stage === "stopped") && (
            <PageLink id="open-card" href={cardUrl}>{words.openCard}</PageLink>
          )}
          {older > 0 && ` (${words.older(older)})`}
        </p>
      )}
      <Lacks lacks={lacks} />
      <StepForm form={form} step={step}>
        {verdicts.length > 0 && (
          <Verdicts
            id="verdicts"
            verdicts={verdicts}
            mayRepeat={mayRepeat}
            isAdvised
          />
        )}
        {skipped.length > 0 && (
          <details id="skipped">
            <summary>{words.skipped(skipped.length)}</summary>
            <ul class="tags">
              {skipped.map((name) => (
                <li key={name}>
                  <MisbehaviourName name={name} /> {mayRepeat && <Again name={name}>{words.offer}</Again>}
                </li>
              ))}
            </ul>
          </details>
        )}
      </StepForm>
    </Section>
  );
}

function MoreOptions(props: Shown): VNode {
  const { stage, unusedAreas } = props;
  return (
    <Section id="options" heading={words.options}>
      {unusedAreas.length > 0 && (
        <p id="unused">{words.unused(unusedAreas.map((area) => catalogue.areas(area)).join(", "))}</p>
      )}
      {stage !== "ended" && (
        <details>
          <summary>{words.change}</summary>
          <Choice {...props} action={words.changeAction} />
        </details>
      )}
      <StepForm {...props} kind="onward">
        <ActionButton action="restart">{words.restart}</ActionButton>
        <p class="aside">{words.restartNote}</p>
      </StepForm>
    </Section>
  );
}
