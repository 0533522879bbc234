/** A sequence diagram as a list of steps. The arrows of a step are one link. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Arrow, DiagramStep, Participant, Sequence } from "./diagram_props.ts";
import type { LinkTo } from "./exchange_line.tsx";
import { describeInstant, describeMilliseconds } from "./time_text.ts";
import { quote } from "../../ground/values/visible.ts";
import { englishTimeline as words } from "./timeline_english.ts";

/** The style sheet has as many columns. */
export const mostColumns: { readonly mostClients: number; readonly mostApis: number } = {
  mostClients: 4,
  mostApis: 2,
};

export function Diagram({ sequence: { participants, steps }, link, now, name }: {
  readonly sequence: Sequence;
  readonly link: LinkTo;
  /** The day of these seconds has times without a date. */
  readonly now: number;
  /** Tells several diagrams apart. */
  readonly name?: string;
}): VNode {
  return (
    <div class="diagram" role="region" aria-label={name ?? words.diagram.title} tabIndex={0}>
      <ol class={`n-${participants.length}`}>
        <li class="who" aria-hidden="true">
          {participants.map((each) => <span key={each.key}>{nameOf(each)}</span>)}
        </li>
        {steps.map((step) => (
          <Step key={step.id} step={step} participants={participants} now={now} href={link(step.id)} />
        ))}
      </ol>
    </div>
  );
}

function nameOf({ kind, name }: Participant): string {
  return name === undefined ? words.diagram.participants[kind] : quote(name);
}

function Step({ step, participants, now, href }: {
  readonly step: DiagramStep;
  readonly participants: readonly Participant[];
  readonly now: number;
  readonly href: string;
}): VNode {
  const placeOf = (key: string) => participants.findIndex((each) => each.key === key) + 1;
  return (
    <li class={step.isBad ? "bad" : undefined}>
      <a href={href}>
        <time title={describeMilliseconds(step.at)}>{describeInstant(step.at, now)}</time>
        {step.arrows.map((arrow, at) => {
          const [from, to] = [placeOf(arrow.from), placeOf(arrow.to)];
          return (
            <span key={at} class={`n-${Math.min(from, to)}`}>
              <span
                class={`n-${Math.max(from, to)} ${from < to ? "right" : "left"} ${arrow.kind}`}
                title={quote(arrow.text)}
              >
                <span class="unseen">
                  {words.diagram.direction(nameOf(participants[from - 1]!), nameOf(participants[to - 1]!))}
                </span>
                <Label step={step} arrow={arrow} at={at} />
              </span>
            </span>
          );
        })}
      </a>
    </li>
  );
}

/** The first arrow is the request. Its answer is shown in short. */
function Label({ step, arrow, at }: {
  readonly step: DiagramStep;
  readonly arrow: Arrow;
  readonly at: number;
}): VNode {
  const { method, target, status, reason, arrows } = step;
  if (arrow.kind === "request") {
    return (
      <>
        <strong>{words.endpoint(step)}</strong> <span class="aside">{quote(`${method} ${target}`)}</span>
      </>
    );
  }
  // A client answers a notice of the server before the server answers.
  const isAnswer = at === arrows.findLastIndex(({ kind }) => kind === "answer");
  if (!isAnswer) return <span>{quote(arrow.text)}</span>;
  return (
    <span>
      {status ?? words.line.accepted}
      {reason !== undefined && (
        <>
          {" "}
          <code>{quote(reason)}</code>
        </>
      )}
    </span>
  );
}
