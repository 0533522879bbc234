/** The page after the exchange: what came, what the person can do with it, and the steps that were taken. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ShownStep, WalkProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import { ClientName, Outcome, Section, WayOn } from "../parts.tsx";
import type { Frame } from "../pages_options.ts";
import { RuleLinks } from "../rule_link.tsx";
import { english as words } from "../words/english.ts";
import { WalkChoices } from "./walk_choices.tsx";
import { describeOutcome, walkRules } from "./walk_outcome.ts";
import { WalkStepRow } from "./walk_step_row.tsx";
import { WalkTokens } from "./walk_tokens.tsx";

export type FramedWalk = WalkProps & { readonly frame?: Frame | undefined };

export function walkPage(props: FramedWalk): Page {
  return {
    title: words.walk.title,
    homeUrl: props.homeUrl,
    scripts: ["copy.js", "form.js"],
    styles: ["parts.css", "token.css", "sheet.css", "walk.css"],
    main: (
      <>
        <WalkOutcome {...props} />
        <WalkTokens {...props} />
        <WalkChoices {...props} />
        <Steps {...props} />
        <nav class="onward" aria-label={words.callback.onward}>
          <WayOn id="retry" href={props.codeUrl}>{words.walk.tryAgain}</WayOn>
          <WayOn id="start" href={props.startUrl}>{words.home.start}</WayOn>
          <WayOn id="step-up" href={props.stepUpUrl}>{words.walk.stepUp}</WayOn>
          <WayOn id="home" href={props.homeUrl}>{words.callback.home}</WayOn>
        </nav>
      </>
    ),
  };
}

function WalkOutcome({ steps, number, client, scope }: WalkProps): VNode {
  const step = steps[number - 1]!;
  const { heading, text, isDone } = describeOutcome(step);
  return (
    <Outcome isOpen={isDone} heading={heading}>
      <p id="explanation">{text}</p>
      <p class="aside">
        <span id="client">
          {words.walk.client}: <ClientName client={client} />{" "}
          {client.name !== undefined && <code>{client.id}</code>}
        </span>
        {scope.length > 0 && (
          <>
            {" · "}
            {words.walk.scope}: <code id="scope">{scope.join(" ")}</code>
          </>
        )}
        {" · "}
        <span id="rule">
          {words.walk.rule}: <RuleLinks rules={walkRules[step.name]} />
        </span>
      </p>
    </Outcome>
  );
}

// In characters of JSON. The oldest steps of a long walk only have links, so that the page stays small.
const mostShown = 13_000;

function Steps({ steps, number: shown, tokens, now, frame }: FramedWalk): VNode {
  let left = mostShown - sizeOf(steps[shown - 1]!);
  return (
    <Section id="steps" heading={words.walk.stepsHeading}>
      <ol class="walk" id="so-far">
        {steps.map((_, at) => steps.length - at).map((number) => {
          const step = steps[number - 1]!;
          const isFolded = number !== shown;
          if (isFolded) left -= sizeOf(step);
          return (
            <WalkStepRow
              key={number}
              {...{ step, number, tokens, now, isFolded }}
              entryUrl={frame?.entryUrl(step.call.id)}
              isBrief={isFolded && left < 0}
            />
          );
        })}
      </ol>
    </Section>
  );
}

function sizeOf(step: ShownStep): number {
  return JSON.stringify(step).length;
}
