/** The parts of the steps of the page *Try it here*. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { RuleLinks } from "../../../src/server/pages/rule_link.tsx";
import type { StartedWorker } from "../../../src/tools/browser/worker_terms.ts";
import type { Course } from "./course.ts";
import type { Answered, Outcome } from "./played_client.ts";
import { Refused } from "./refused.tsx";

export interface StepProps {
  readonly server: StartedWorker;
  readonly course: Course;
  /** The step that comes next. Its button stands out. */
  readonly next: StepId;
  /** Returns what a button does: the step, and then the focus goes to its result. */
  readonly take: (of: string, step: () => Promise<Course>) => () => Promise<void>;
}

export type StepId = "sign-in" | "exchange" | "refresh" | "replay" | "clock" | "wrong";

/** Returns the classes of the button of a step. */
export function lookOf(step: StepId, next: StepId): string {
  return step === next ? "button primary" : "button";
}

export function Step({ id, title, children }: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class="block" id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** What came of the step. It takes the focus, so that people read on here, and the next step follows it. */
export function Result({ of, children }: {
  readonly of: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div class="result" id={resultId(of)} role="group" aria-label="What happened" tabIndex={-1}>
      {children}
    </div>
  );
}

export function resultId(of: string): string {
  return `${of}-result`;
}

/** `fault` is what the server did, as a clause. */
export function ClientOutcome({ title, fault, outcome: { greets, failed } }: {
  readonly title: string;
  readonly fault: string;
  readonly outcome: Outcome;
}): VNode {
  return (
    <div class="fact">
      <dt>{title}</dt>
      {failed === undefined
        ? <dd class="fooled">“Hello, {greets}!” It did not notice anything.</dd>
        : (
          <dd class="noticed">
            It stops, because {fault}. <RuleLinks rules={failed.rule} />
          </dd>
        )}
    </div>
  );
}

export function Value({ children }: { readonly children: string }): VNode {
  return <code class="value address long">{children}</code>;
}

export function Answer(
  { answer: { status, members, header, refusal } }: { readonly answer: Answered },
): VNode {
  const isOk = status < 400;
  return (
    <div class="answer" data-status={status}>
      <p>
        <span class={`mark outcome-${isOk ? "ok" : "refused"}`}>{status}</span>{" "}
        {isOk ? "The server agrees, and answers:" : "The server refuses, and answers:"}
      </p>
      <pre tabIndex={0}><code>{header ?? JSON.stringify(members, shorten, 2)}</code></pre>
      {refusal && (
        <>
          <p>Its own record has the reason:</p>
          <Refused refusal={refusal} />
        </>
      )}
    </div>
  );
}

function shorten(_name: string, value: unknown): unknown {
  return typeof value === "string" && value.length > 60 ? `${value.slice(0, 40)}…` : value;
}
