/** The parts of the steps of the page *Try it here*. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { RuleLinks } from "../../../src/server/pages/rule_link.tsx";
import { Refused } from "./journal.tsx";
import type { Answered, Outcome } from "./played_client.ts";

export function Step({ id, title, children }: {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class="block" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

export function ClientOutcome({ title, outcome: { greets, failed } }: {
  readonly title: string;
  readonly outcome: Outcome;
}): VNode {
  return (
    <div class="fact">
      <dt>{title}</dt>
      {failed === undefined
        ? <dd class="fooled">“Hello, {greets}!” It did not notice anything.</dd>
        : (
          <dd class="noticed">
            It stops: <code>{failed.name}</code> is wrong. <RuleLinks rules={failed.rule} />
          </dd>
        )}
    </div>
  );
}

export function Value({ children }: { readonly children: string }): VNode {
  return <code class="value address long">{children}</code>;
}

export function Answer({ answer: { status, members, refusal } }: { readonly answer: Answered }): VNode {
  return (
    <div class="answer" data-status={status}>
      <p>
        <span class={`mark outcome-${status < 400 ? "ok" : "refused"}`}>{status}</span>
      </p>
      <pre tabIndex={0}><code>{JSON.stringify(members, shorten, 2)}</code></pre>
      {refusal && <Refused refusal={refusal} />}
    </div>
  );
}

function shorten(_name: string, value: unknown): unknown {
  return typeof value === "string" && value.length > 60 ? `${value.slice(0, 40)}…` : value;
}
