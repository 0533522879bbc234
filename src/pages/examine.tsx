/** The page on which a person examines an application: one wrong answer at a time, and the verdicts so far. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { Page } from "./document.tsx";
import { BreakableName, Fact, Gate } from "./parts.tsx";
import { visible } from "./visible.ts";
import { controlWords } from "./words/control_english.ts";

export type ExamineStage = keyof typeof controlWords.examine.headings;

/** Something that the person can choose, such as an area. */
export interface ExamineOption {
  readonly name: string;
  readonly isChosen: boolean;
  /** How many misbehaviours it has. */
  readonly count: number;
}

export interface ExaminedFault {
  readonly name: string;
  readonly level: ExamineLevel;
  /** What the server does, and what a correct client does, one sentence each. */
  readonly server: string;
  readonly client: string;
  readonly rule: string;
  readonly needs?: string;
  /** Applications read this at their start, and may not read it again at a login. */
  readonly isReadAtStart: boolean;
}

export type ExamineLevel = keyof typeof controlWords.examine.levels;

export interface ExamineVerdict {
  readonly name: string;
  readonly level: ExamineLevel;
  readonly outcome: string;
  readonly because: string;
  readonly grade: "passed" | "failed" | "advice" | "unjudged";
}

export interface ExamineProps {
  readonly stage: ExamineStage;
  /** The hidden fields of every form. */
  readonly fields: Readonly<Record<string, string>>;
  readonly issuer: string;
  readonly levels: readonly ExamineOption[];
  readonly areas: readonly ExamineOption[];
  readonly problem?: keyof typeof controlWords.examine.problems;
  readonly fault?: ExaminedFault;
  /** The requests that the server has seen or, with a final verdict, those that show it. A line each. */
  readonly requests: readonly string[];
  /** How many older requests the list leaves out. */
  readonly olderRequests: number;
  /** How many answers were wrong. */
  readonly wrongAnswers: number;
  /** The verdict that the requests prove, or the final verdict. */
  readonly verdict?: ExamineVerdict;
  /** How many misbehaviours are still to come. */
  readonly waiting: number;
  readonly summary: string;
  readonly verdicts: readonly ExamineVerdict[];
  readonly skipped: readonly string[];
  readonly unusedAreas: readonly string[];
  /** The path of this page. */
  readonly path: string;
  readonly downloads: readonly { readonly label: string; readonly url: string }[];
  readonly homeUrl: string;
}

export function examinePage(props: ExamineProps): Page {
  const { stage, homeUrl, fields, verdicts, skipped } = props;
  const isLive = stage === "baseline" || stage === "running";
  return {
    title: controlWords.examine.title,
    shape: "sheet",
    homeUrl,
    ...(isLive ? { scripts: ["live.js"] } : {}),
    main: (
      <>
        <h1>{controlWords.examine.heading}</h1>
        {stage === "choose" && (
          <>
            <p class="lead">{controlWords.examine.about}</p>
            <p class="notice">{controlWords.examine.safety}</p>
          </>
        )}
        <section aria-labelledby="stage" data-stage={`${stage} ${fields["step"]}`}>
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
  };
}

function headingOf({ stage, fault }: ExamineProps): ComponentChildren {
  if (stage === "offer" && fault === undefined) return controlWords.examine.nothingLeft;
  return [
    controlWords.examine.headings[stage],
    fault !== undefined && [" ", <FaultName key="name" name={fault.name} />],
  ];
}

const stages: Readonly<Record<ExamineStage, (props: ExamineProps) => VNode>> = {
  choose: (props) => <Choice {...props} action={controlWords.examine.begin} />,
  baseline: (props) => (
    <>
      {props.problem !== undefined && (
        <p class="notice problem" id="problem">{controlWords.examine.problems[props.problem]}</p>
      )}
      <p>{controlWords.examine.baseline(<code class="value">{props.issuer}</code>)}</p>
      <Live {...props} />
      <Question {...props} />
    </>
  ),
  offer: (props) =>
    props.fault === undefined ? <p>{controlWords.examine.nothingLeftNote}</p> : (
      <>
        <Fault {...props.fault} />
        {props.fault.isReadAtStart && (
          <p class="notice" id="restart-note">{controlWords.examine.readAtStart}</p>
        )}
        <p>{controlWords.examine.signOutFirst}</p>
        <Deeds {...props}>
          <Deed name="switch_on" primary>{controlWords.examine.switchOn}</Deed>
          <Deed name="skip">{controlWords.examine.skip}</Deed>
        </Deeds>
      </>
    ),
  running: (props) => (
    <>
      {props.fault !== undefined && <Fault {...props.fault} />}
      <p class="notice caution">{controlWords.examine.isOn}</p>
      <Live {...props} />
      <Question {...props} />
      <Deeds {...props}>
        <Deed name="stop">{controlWords.examine.stop}</Deed>
      </Deeds>
    </>
  ),
  judged: (props) => (
    <>
      {props.verdict !== undefined && <Outcome {...props.verdict} />}
      {props.fault !== undefined && <Fault {...props.fault} />}
      {props.requests.length > 0 && (
        <div class="block single" id="evidence">
          <p>{controlWords.examine.evidence}</p>
          <Requests requests={props.requests} />
        </div>
      )}
      <Deeds {...props}>
        <Deed name="next" primary>{controlWords.examine.next}</Deed>
        {props.fault !== undefined && <Repeat name={props.fault.name} />}
      </Deeds>
    </>
  ),
};

/** A form with the hidden fields that prove that it is of this page. */
function Form(
  { fields, path, children, kind }: Pick<ExamineProps, "fields" | "path"> & {
    readonly children: ComponentChildren;
    readonly kind?: string;
  },
): VNode {
  return (
    <form method="post" action={path} {...(kind === undefined ? {} : { class: kind })}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

function Deeds(props: ExamineProps & { readonly children: ComponentChildren }): VNode {
  const { fields, path, children } = props;
  return <Form fields={fields} path={path} kind="onward">{children}</Form>;
}

function Deed(
  { name, primary = false, children }: {
    readonly name: string;
    readonly primary?: boolean;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <button type="submit" class={primary ? "button primary" : "button"} id={name} name="deed" value={name}>
      {children}
    </button>
  );
}

function Repeat({ name }: { readonly name: string }): VNode {
  return (
    <button type="submit" class="button" id="repeat" name="repeat" value={name}>
      {controlWords.examine.repeat}
    </button>
  );
}

function Choice(props: ExamineProps & { readonly action: string }): VNode {
  const { fields, path, levels, areas, action } = props;
  return (
    <Form fields={fields} path={path}>
      <fieldset>
        <legend>{controlWords.examine.level}</legend>
        {levels.map(({ name, ...option }) => (
          <Option key={name} group="level" name={name} {...option}>
            <code>{name}</code> {controlWords.examine.levels[name as ExamineLevel]}
          </Option>
        ))}
      </fieldset>
      <fieldset class="columns">
        <legend>{controlWords.examine.area}</legend>
        {areas.map(({ name, ...option }) => (
          <Option key={name} group="area" name={name} {...option}>
            <code>{name}</code>
          </Option>
        ))}
      </fieldset>
      <button type="submit" class="button primary" id="choose" name="deed" value="choose">{action}</button>
    </Form>
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
        {children} <span class="aside">{controlWords.examine.count(count)}</span>
      </span>
    </label>
  );
}

function Fault({ level, server, client, rule, needs }: ExaminedFault): VNode {
  return (
    <dl class="facts">
      <Fact term={controlWords.examine.server}>{server}</Fact>
      <Fact term={controlWords.examine.client}>{client}</Fact>
      <Fact term={controlWords.examine.rule}>
        {rule} <span class="tag">{level}</span>
      </Fact>
      {needs !== undefined && <Fact term={controlWords.examine.needs}>{needs}</Fact>}
    </dl>
  );
}

/** What the server has seen. The script replaces it when it changes. */
function Live({ requests, olderRequests, wrongAnswers, verdict, stage, path }: ExamineProps): VNode {
  return (
    <>
      <div id="live" data-live class="block single">
        {stage === "running" && (
          <p id="wrong-answers">
            <strong>{controlWords.examine.wrongAnswers(wrongAnswers)}</strong>
          </p>
        )}
        {requests.length === 0 ? <p class="aside">{controlWords.examine.noRequests}</p> : (
          <>
            <p>{controlWords.examine.requests(olderRequests)}</p>
            <Requests requests={requests} />
          </>
        )}
      </div>
      <div id="proof" data-live role="status">
        {verdict !== undefined && <Verdict {...verdict} />}
      </div>
      <p data-without-script>
        <a class="button" id="look" href={path}>{controlWords.examine.lookAgain}</a>
      </p>
    </>
  );
}

function Requests({ requests }: Pick<ExamineProps, "requests">): VNode {
  return (
    <ol class="seen" id="requests">
      {requests.map((request, at) => (
        <li key={at}>
          <code>{visible(request)}</code>
        </li>
      ))}
    </ol>
  );
}

function Verdict({ outcome, because, grade }: ExamineVerdict): VNode {
  return (
    <p class={grade === "failed" ? "notice problem" : "notice"}>
      <strong>{controlWords.examine.outcomes(outcome)}</strong> {visible(because)}
    </p>
  );
}

/** Asks what the application showed, unless the requests have proved what it did. */
function Question(props: ExamineProps): VNode {
  const { stage, verdict, fields, path } = props;
  return (
    <div id="question" data-live>
      <Form fields={fields} path={path}>
        {verdict !== undefined
          ? <Deed name="proven" primary>{controlWords.examine.takeProven}</Deed>
          : (
            <fieldset>
              <legend>{controlWords.examine.question}</legend>
              <p class="onward">
                <Deed name="success" primary={stage === "baseline"}>
                  {controlWords.examine.shown.success}
                </Deed>
                <Deed name="error">{controlWords.examine.shown.error}</Deed>
                <Deed name="nothing">{controlWords.examine.shown.nothing}</Deed>
              </p>
            </fieldset>
          )}
      </Form>
    </div>
  );
}

function Outcome({ outcome, because, grade }: ExamineVerdict): VNode {
  return (
    <div class="outcome" id="verdict">
      {grade !== "unjudged" && <Gate open={grade === "passed"} />}
      <div>
        <p class="lead">
          <strong id="outcome">{controlWords.examine.outcomes(outcome)}</strong>
        </p>
        <p id="because">{visible(because)}</p>
        {controlWords.examine.advice(outcome) !== undefined && (
          <p id="advice">{controlWords.examine.advice(outcome)}</p>
        )}
      </div>
    </div>
  );
}

function CardSoFar(props: ExamineProps): VNode {
  const { summary, verdicts, skipped, downloads, waiting, fields, path, stage } = props;
  const mayRepeat = stage === "offer" || stage === "judged";
  return (
    <section aria-labelledby="card-heading">
      <h2 id="card-heading">{controlWords.examine.card}</h2>
      <p id="summary">{verdicts.length > 0 && summary} {controlWords.examine.waiting(waiting)}</p>
      <Form fields={fields} path={path}>
        {verdicts.length > 0 && (
          <dl class="facts pairs verdicts" id="verdicts">
            {verdicts.map(({ name, outcome, because }) => (
              <Fact key={name} term={<FaultName name={name} />}>
                <strong>{controlWords.examine.outcomes(outcome)}</strong> {visible(because)}
                {mayRepeat && <Again name={name}>{controlWords.examine.repeat}</Again>}
              </Fact>
            ))}
          </dl>
        )}
        {skipped.length > 0 && (
          <details id="skipped">
            <summary>{controlWords.examine.skipped(skipped.length)}</summary>
            <dl class="facts pairs verdicts">
              {skipped.map((name) => (
                <Fact key={name} term={<FaultName name={name} />}>
                  {mayRepeat && <Again name={name}>{controlWords.examine.offer}</Again>}
                </Fact>
              ))}
            </dl>
          </details>
        )}
      </Form>
      {verdicts.length > 0 && (
        <>
          <p>{controlWords.examine.download}</p>
          <ul class="links" id="downloads">
            {downloads.map(({ label, url }) => (
              <li key={url}>
                <a href={url}>{label}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function FaultName({ name }: { readonly name: string }): VNode {
  return (
    <code>
      <BreakableName name={name} />
    </code>
  );
}

function Again({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <button type="submit" class="plain again" name="repeat" value={name}>
      {children}
      <span class="unseen">{` ${name}`}</span>
    </button>
  );
}

function MoreOptions(props: ExamineProps): VNode {
  const { stage, unusedAreas } = props;
  return (
    <section aria-labelledby="options-heading">
      <h2 id="options-heading">{controlWords.examine.options}</h2>
      {unusedAreas.length > 0 && (
        <p id="unused">
          {controlWords.examine.unused} {unusedAreas.map((area) => [<code key={area}>{area}</code>, " "])}
        </p>
      )}
      {stage === "offer" && (
        <details>
          <summary>{controlWords.examine.change}</summary>
          <Choice {...props} action={controlWords.examine.changeAction} />
        </details>
      )}
      <Deeds {...props}>
        <Deed name="restart">{controlWords.examine.restart}</Deed>
      </Deeds>
      <p class="aside">{controlWords.examine.restartNote}</p>
    </section>
  );
}
