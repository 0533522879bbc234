/** The page on which a person examines an application: one wrong answer at a time, and the verdicts so far. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../document.tsx";
import {
  DeedButton,
  LookAgain,
  MisbehaviourName,
  type SeenRequest,
  SeenRequests,
  type ShownVerdict,
  VerdictText,
  wrongPage,
  type WrongProps,
} from "./misbehaviour_parts.tsx";
import { Fact, Gate, Section } from "../parts.tsx";
import { FileButton, PageLink, TokenForm } from "../pass.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { visible } from "../visible.ts";
import type { LevelName } from "../words/levels_english.ts";
import { englishMisbehaviours, type Grade, type MisbehaviourWords } from "../words/misbehaviours_english.ts";
import { fill } from "../words/fill.ts";

const { examine: words, entry, on, catalogue, levels: levelWords } = englishMisbehaviours;

type ExamineWords = MisbehaviourWords["examine"];

export type ExamineStage = keyof ExamineWords["headings"];

/** Something that the person can choose, such as an area. */
export interface ExamineOption {
  readonly name: string;
  readonly isChosen: boolean;
  /** How many misbehaviours it has. */
  readonly count: number;
}

export interface ExaminedFault {
  readonly name: string;
  readonly level: LevelName;
  /** What the server does, and what a correct client does, one sentence each. */
  readonly server: string;
  readonly client: string;
  readonly rule: string;
  readonly needs?: string;
  /** Applications read this at their start, and may not read it again at a login. */
  readonly isReadAtStart: boolean;
}

export interface ExamineVerdict extends ShownVerdict {
  readonly name: string;
  readonly level: LevelName;
  readonly grade: Grade;
}

/** How far an examination is. */
export interface ExamineProgress {
  readonly stage: ExamineStage;
  /** Grows with each deed, so that a form of an older page does nothing. */
  readonly step: number;
  readonly levels: readonly ExamineOption[];
  readonly areas: readonly ExamineOption[];
  /** Why the login without a fault does not count. */
  readonly baselineProblem?: keyof ExamineWords["problems"];
  readonly fault?: ExaminedFault;
  /** The requests that the server has seen or, with a final verdict, those that show it. */
  readonly requests: readonly SeenRequest[];
  /** How many older requests the list leaves out. */
  readonly olderRequests: number;
  /** How many answers were wrong. */
  readonly wrongAnswers: number;
  /** The verdict that the requests prove, or the final verdict. */
  readonly verdict?: ExamineVerdict;
  /** How many misbehaviours are still to come. */
  readonly waiting: number;
  /** English sentences: what the logins of the application lack. Empty: nothing. */
  readonly lacks: string;
  readonly verdicts: readonly ExamineVerdict[];
  readonly skipped: readonly string[];
  readonly unusedAreas: readonly string[];
}

export interface ExamineProps extends WrongProps {
  readonly issuer: string;
  /** The page of the card. */
  readonly cardUrl: string;
  /** Absent if the person may not examine anything. */
  readonly progress?: ExamineProgress;
}

/** What the parts of the page need. */
type Shown = ExamineProgress & Omit<ExamineProps, "progress">;

export function examinePage({ progress, ...props }: ExamineProps): Page {
  if (progress !== undefined) return progressPage({ ...props, ...progress }, props);
  return wrongPage(
    {
      section: "examine",
      heading: words.heading,
      lead: words.about,
      main: <p class="notice">{words.safety}</p>,
    },
    props,
  );
}

function progressPage(props: Shown, common: WrongProps): Page {
  const { stage, step, verdicts, skipped } = props;
  const isLive = stage === "baseline" || stage === "running";
  return wrongPage(
    {
      section: "examine",
      heading: words.heading,
      ...(stage === "choose" ? { lead: words.about } : {}),
      ...(isLive ? { scripts: ["live.js"] } : {}),
      main: (
        <>
          {stage === "choose" && <p class="notice">{words.safety}</p>}
          <section aria-labelledby="stage" data-stage={`${stage} ${step}`}>
            {stage !== "choose" && stage !== "baseline" && <p id="progress">{describeDone(props)}</p>}
            <h2 id="stage">{headingOf(props)}</h2>
            {stages[stage](props)}
          </section>
          {stage !== "choose" && stage !== "baseline" && (
            <>
              {verdicts.length + skipped.length > 0 && <CardSoFar {...props} />}
              <MoreOptions {...props} />
            </>
          )}
        </>
      ),
    },
    common,
  );
}

/** How many of the chosen misbehaviours have a verdict or were skipped. */
function describeDone({ stage, fault, verdicts, skipped, waiting }: Shown): string {
  const settled = new Set([...verdicts.map(({ name }) => name), ...skipped]);
  const isOpen = fault !== undefined && stage !== "judged" && !settled.has(fault.name);
  return words.progress(settled.size, settled.size + waiting + (isOpen ? 1 : 0));
}

function headingOf({ stage, fault }: Shown): ComponentChildren {
  if (stage === "offer" && fault === undefined) return words.nothingLeft;
  return [
    words.headings[stage],
    fault !== undefined && [" ", <MisbehaviourName key="name" name={fault.name} />],
  ];
}

const stages: Readonly<Record<ExamineStage, (props: Shown) => VNode>> = {
  choose: (props) => <Choice {...props} action={words.begin} />,
  baseline: (props) => (
    <>
      {props.baselineProblem !== undefined && (
        <p class="notice problem" id="problem">{words.problems[props.baselineProblem]}</p>
      )}
      <p>{fill(words.baseline, { issuer: <code class="value">{props.issuer}</code> })}</p>
      <Live {...props} />
      <Question {...props} />
    </>
  ),
  offer: (props) =>
    props.fault === undefined ? <p>{words.nothingLeftNote}</p> : (
      <>
        <Fault {...props.fault} />
        {props.fault.isReadAtStart && <p class="notice" id="restart-note">{words.readAtStart}</p>}
        <p>{words.signOutFirst}</p>
        <StepForm {...props} kind="onward">
          <DeedButton deed="switch_on" primary>{entry.switchOn}</DeedButton>
          <DeedButton deed="skip">{words.skip}</DeedButton>
        </StepForm>
      </>
    ),
  running: (props) => (
    <>
      {props.fault !== undefined && <Fault {...props.fault} />}
      <p class="notice caution" id="is-on" data-live>
        {props.verdict === undefined && `${words.startNow} `}
        {words.isOn}
      </p>
      <Live {...props} />
      <Question {...props} />
      <StepForm {...props} kind="onward">
        <DeedButton deed="stop">{words.stop}</DeedButton>
      </StepForm>
    </>
  ),
  judged: (props) => (
    <>
      {props.verdict !== undefined && <Outcome {...props.verdict} />}
      {props.fault !== undefined && <Fault {...props.fault} />}
      {props.requests.length > 0 && (
        <div class="block single" id="evidence">
          <p>{on.evidence}</p>
          <SeenRequests id="requests" requests={props.requests} />
        </div>
      )}
      <StepForm {...props} kind="onward">
        <DeedButton deed="next" primary>{words.next}</DeedButton>
        {props.fault !== undefined && (
          <button type="submit" class="button" id="repeat" name="repeat" value={props.fault.name}>
            {words.repeat}
          </button>
        )}
      </StepForm>
    </>
  ),
};

/** A form of this step. A form of an older page does nothing. */
function StepForm(
  { form, step, kind, children }: Pick<Shown, "form" | "step"> & {
    readonly kind?: "onward";
    readonly children: ComponentChildren;
  },
): VNode {
  return <TokenForm form={form} fields={{ step: `${step}` }} class={kind}>{children}</TokenForm>;
}

function Choice(props: Shown & { readonly action: string }): VNode {
  const { form, step, levels, areas, action } = props;
  return (
    <StepForm form={form} step={step}>
      <fieldset>
        <legend>{words.level}</legend>
        {levels.map(({ name, ...option }) => (
          <Option key={name} group="level" name={name} {...option}>
            <span class="tag">{name}</span> {levelWords.client[name as LevelName]}
          </Option>
        ))}
      </fieldset>
      <fieldset class="columns">
        <legend>{words.area}</legend>
        {areas.map(({ name, ...option }) => (
          <Option key={name} group="area" name={name} {...option}>{catalogue.areas(name)}</Option>
        ))}
      </fieldset>
      <button type="submit" class="button primary" id="choose" name="deed" value="choose">{action}</button>
    </StepForm>
  );
}

function Option(
  { group, name, isChosen, count, children }: ExamineOption & {
    readonly group: string;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <label class="option">
      <input type="checkbox" name={group} value={name} checked={isChosen} />
      <span>
        {children} <span class="aside">{words.count(count)}</span>
      </span>
    </label>
  );
}

function Fault(
  { level, server, client, rule, needs }: Pick<
    ExaminedFault,
    "level" | "server" | "client" | "rule" | "needs"
  >,
): VNode {
  return (
    <dl class="facts">
      <Fact term={entry.server}>{server}</Fact>
      <Fact term={entry.client}>{client}</Fact>
      <Fact term={entry.rule}>
        <RuleLinks rules={rule} /> <span class="tag">{level}</span>
      </Fact>
      {needs !== undefined && <Fact term={entry.needs}>{needs}</Fact>}
    </dl>
  );
}

/** What the server has seen. The script replaces it when it changes. */
function Live({ requests, olderRequests, wrongAnswers, verdict, stage, address }: Shown): VNode {
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
      <div id="proof" data-live role="status">{verdict !== undefined && <Verdict {...verdict} />}</div>
      <LookAgain href={address} />
    </>
  );
}

function Verdict({ outcome, because, grade }: ExamineVerdict): VNode {
  return (
    <p class={grade === "failed" ? "notice problem" : "notice"}>
      <VerdictText outcome={outcome} because={because} />
    </p>
  );
}

/** Asks what the application showed, unless the requests have proved what it did. */
function Question(props: Shown): VNode {
  const { verdict, stage, form, step } = props;
  return (
    <div id="question" data-live>
      <StepForm form={form} step={step}>
        {verdict !== undefined
          ? <DeedButton deed="proven" primary>{words.takeProven}</DeedButton>
          : (
            <fieldset>
              <legend>{words.question}</legend>
              <p class="onward">
                <DeedButton deed="success" primary={stage === "baseline"}>{words.shown.success}</DeedButton>
                <DeedButton deed="error">{words.shown.error}</DeedButton>
                <DeedButton deed="nothing">{words.shown.nothing}</DeedButton>
              </p>
            </fieldset>
          )}
      </StepForm>
    </div>
  );
}

function Outcome({ outcome, because, grade }: ExamineVerdict): VNode {
  return (
    <div class="outcome" id="verdict">
      {grade !== "unjudged" && <Gate open={grade === "passed"} />}
      <div>
        <p class="lead">
          <strong id="outcome">{on.outcomes(outcome)}</strong>
        </p>
        <p id="because">{visible(because)}</p>
        {words.advice(outcome) !== undefined && <p id="advice">{words.advice(outcome)}</p>}
      </div>
    </div>
  );
}

function CardSoFar(props: Shown): VNode {
  const { lacks, verdicts, skipped, waiting, cardUrl, form, step, stage } = props;
  const mayRepeat = stage === "offer" || stage === "judged";
  return (
    <Section id="card" heading={words.card}>
      <p id="summary">
        {verdicts.length > 0 && words.summary(countGrades(verdicts))} {words.waiting(waiting)}
      </p>
      <Lacks lacks={lacks} />
      <StepForm form={form} step={step}>
        {verdicts.length > 0 && (
          <dl class="facts pairs verdicts" id="verdicts">
            {verdicts.map(({ name, outcome, because }) => (
              <Fact key={name} term={<MisbehaviourName name={name} />}>
                <VerdictText outcome={outcome} because={because} />
                {mayRepeat && <Again name={name}>{words.repeat}</Again>}
              </Fact>
            ))}
          </dl>
        )}
        {skipped.length > 0 && (
          <details id="skipped">
            <summary>{words.skipped(skipped.length)}</summary>
            <dl class="facts pairs verdicts">
              {skipped.map((name) => (
                <Fact key={name} term={<MisbehaviourName name={name} />}>
                  {mayRepeat && <Again name={name}>{words.offer}</Again>}
                </Fact>
              ))}
            </dl>
          </details>
        )}
      </StepForm>
      {verdicts.length > 0 && (
        <p class="onward">
          <PageLink class="button" id="open-card" href={cardUrl}>{words.openCard}</PageLink>
        </p>
      )}
    </Section>
  );
}

function Lacks({ lacks }: Pick<CardProps, "lacks">): VNode | null {
  return lacks === "" ? null : <p id="lacks">{lacks}</p>;
}

function Again({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <button type="submit" class="plain again" name="repeat" value={name}>
      {children}
      <span class="unseen">{` ${name}`}</span>
    </button>
  );
}

function MoreOptions(props: Shown): VNode {
  const { stage, unusedAreas } = props;
  return (
    <Section id="options" heading={words.options}>
      {unusedAreas.length > 0 && (
        <p id="unused">{words.unused(unusedAreas.map((area) => catalogue.areas(area)).join(", "))}</p>
      )}
      {stage === "offer" && (
        <details>
          <summary>{words.change}</summary>
          <Choice {...props} action={words.changeAction} />
        </details>
      )}
      <StepForm {...props} kind="onward">
        <DeedButton deed="restart">{words.restart}</DeedButton>
      </StepForm>
      <p class="aside">{words.restartNote}</p>
    </Section>
  );
}

/** A verdict with what it is about. */
export interface CardRow extends ExamineVerdict {
  /** The page about the misbehaviour. */
  readonly href: string;
  readonly server: string;
  readonly client: string;
  readonly rule: string;
  /** The requests that show the verdict. */
  readonly requests: readonly SeenRequest[];
}

export interface CardProps extends WrongProps {
  /** As in `ExamineProgress`. */
  readonly lacks: string;
  readonly rows: readonly CardRow[];
  /** How many misbehaviours were skipped, and how many are still to come. */
  readonly skipped: number;
  readonly waiting: number;
  readonly downloads: readonly { readonly label: string; readonly url: string }[];
  readonly examineUrl: string;
}

/** The report card of the application. */
export function cardPage(props: CardProps): Page {
  const { lacks, rows, skipped, waiting, downloads, examineUrl } = props;
  return wrongPage(
    {
      section: "examine",
      heading: words.cardHeading,
      main: (
        <>
          <p class="lead" id="summary">
            {rows.length === 0 ? words.emptyCard : words.summary(countGrades(rows))} {words.waiting(waiting)}
            {" "}
            {skipped > 0 && `${words.skipped(skipped)}.`}
          </p>
          <Lacks lacks={lacks} />
          <p class="onward">
            <PageLink class="button" id="go-on" href={examineUrl}>{words.goOn}</PageLink>
          </p>
          {grades.map((grade) => <RowsOfGrade key={grade} grade={grade} rows={rows} />)}
          {rows.length > 0 && <Downloads downloads={downloads} />}
        </>
      ),
    },
    props,
  );
}

/** The worst first. */
const grades: readonly Grade[] = ["failed", "unjudged", "advice", "passed"];

function countGrades(verdicts: readonly ExamineVerdict[]): Readonly<Record<Grade, number>> {
  const counts = { failed: 0, unjudged: 0, advice: 0, passed: 0 };
  for (const { grade } of verdicts) counts[grade]++;
  return counts;
}

function RowsOfGrade({ grade, rows }: Pick<CardProps, "rows"> & { readonly grade: Grade }): VNode | null {
  const chosen = rows.filter((row) => row.grade === grade);
  return chosen.length === 0 ? null : (
    <Section id={grade} heading={words.grades[grade]}>
      {chosen.map((row) => <CardRowItem key={row.name} {...row} />)}
    </Section>
  );
}

function CardRowItem(
  { name, href, level, outcome, because, server, client, rule, requests }: CardRow,
): VNode {
  return (
    <article class="call" id={name}>
      <h3>
        <MisbehaviourName name={name} href={href} />
      </h3>
      <p>
        <VerdictText outcome={outcome} because={because} />
      </p>
      <Fault level={level} server={server} client={client} rule={rule} />
      {requests.length > 0 && (
        <details>
          <summary>{words.evidenceSummary}</summary>
          <SeenRequests requests={requests} />
        </details>
      )}
    </article>
  );
}

function Downloads({ downloads }: Pick<CardProps, "downloads">): VNode {
  return (
    <Section id="download" heading={words.download}>
      <p class="aside">{words.downloadNote}</p>
      <ul class="links" id="downloads">
        {downloads.map(({ label, url }) => (
          <li key={url}>
            <FileButton url={url}>{label}</FileButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}
