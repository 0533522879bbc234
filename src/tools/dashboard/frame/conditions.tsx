/** The strip below the bar of the frame: what is unusual about the server, once for all rows and pages. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { PageLink, TokenForm } from "../parts/pass.tsx";
import { describeMoment } from "../../../server/pages/value.tsx";
import { langOfEnglish, useWords } from "../../../server/pages/words/use_words.ts";
import { formatDuration } from "../../../ground/schema/duration.ts";
import { englishFrame } from "./frame_english.ts";
import type { Condition, FrameProps } from "./frame_props.ts";

const { conditions: words } = englishFrame;

export function Conditions({ conditions, mayChange, clockForm }: FrameProps): VNode | null {
  if (conditions.length === 0) return null;
  const isWrong = conditions.some(({ kind }) => kind === "misbehaviour");
  return (
    <section
      class={isWrong ? "conditions wrong" : "conditions"}
      aria-label={words.label}
      lang={langOfEnglish(useWords())}
    >
      <ul>
        {conditions.map((condition) => (
          <li key={condition.kind} id={ids[condition.kind]} class="condition">
            <span>{describeCondition(condition)}</span> {condition.kind === "clock" && clockForm
              ? (
                <TokenForm form={clockForm} fields={{ action: "reset" }}>
                  <button type="submit" class="as-link">{words.end}</button>
                </TokenForm>
              )
              : (
                <PageLink href={condition.href}>
                  {mayChange ? words.change[condition.kind] : words.look}
                  <span class="unseen">{words.about[condition.kind]}</span>
                </PageLink>
              )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The pages of a sign-in name the last two under the same ids. */
const ids = {
  clock: "clock-condition",
  gate: "gate-condition",
  misbehaviour: "misbehaving",
  look_alike: "look-alike",
} as const satisfies Record<Condition["kind"], string>;

const mostNames = 3;

/** Returns text such as `1 h behind`. In seconds. */
export function describeTurn(ahead: number): string {
  return words.turn(formatDuration(ahead), ahead >= 0);
}

export function describeCondition(condition: Condition): ComponentChildren {
  switch (condition.kind) {
    case "clock":
      return condition.isFrozen
        ? words.stoppedClock(describeMoment(condition.now))
        : words.turnedClock(describeTurn(condition.ahead));
    case "gate":
      return words.gate(condition.endpoints);
    case "look_alike":
      return words.lookAlike(condition.titles);
    case "misbehaviour": {
      const { names } = condition;
      return (
        <>
          {words.misbehaviour(names.length)}{" "}
          {names.slice(0, mostNames).map((name, at) => [at > 0 && ", ", <code key={name}>{name}</code>])}
          {names.length > mostNames && words.more(names.length - mostNames)}.
        </>
      );
    }
  }
}
