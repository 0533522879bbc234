/** What the person can do next: a row for each step with its button, and what will happen or why it is not offered. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { WalkChoice, WalkProps } from "../../oauth/contracts/pages.ts";
import { MarkedText, Section } from "../parts.tsx";
import { english as words } from "../words/english.ts";
import { fill } from "../../../ground/values/fill.ts";
import { SecretField } from "./exchange_form.tsx";
import { refusalSteps } from "./walk_outcome.ts";

export function WalkChoices(props: WalkProps): VNode | null {
  if (props.choices.length === 0) return null;
  const groups = [
    { heading: words.walk.use, choices: props.choices.filter(({ name }) => !refusalSteps.has(name)) },
    { heading: words.walk.rules, choices: props.choices.filter(({ name }) => refusalSteps.has(name)) },
  ];
  return (
    <Section id="next" heading={words.walk.next}>
      <form method="post" action={props.action} id="next">
        <input type="hidden" name="walk" value={props.ticket} />
        <SecretField need={props.secret} isRequired={false} />
        <div class="groups">
          {groups.map(({ heading, choices }) => (
            <fieldset key={heading}>
              <legend>{heading}</legend>
              <ul class="choices">
                {choices.map((choice) => <Choice key={choice.name} choice={choice} props={props} />)}
              </ul>
            </fieldset>
          ))}
        </div>
      </form>
    </Section>
  );
}

function Choice({ choice, props }: { readonly choice: WalkChoice; readonly props: WalkProps }): VNode {
  const { name, blocker, ended } = choice;
  const { button } = words.walk.steps[name];
  const about = `${name}-about`;
  return (
    <li>
      {blocker === undefined && ended === undefined
        ? (
          <button type="submit" class="button" id={name} name="step" value={name} aria-describedby={about}>
            {button}
          </button>
        )
        : <span class="closed" id={name}>{button}</span>}
      <p class="aside" id={about}>
        <MarkedText text={describeChoice(choice)} />
        {blocker === "not_for_api" && <OtherAudience {...props} />}
      </p>
    </li>
  );
}

function describeChoice({ name, blocker, ended }: WalkChoice): string {
  if (blocker !== undefined) return words.walk.blockers[blocker];
  return ended?.state === undefined
    ? words.walk.steps[name].about
    : words.walk.endedNow(ended.kind, ended.state);
}

function OtherAudience({ audience, api }: WalkProps): VNode | null {
  return api === undefined ? null : (
    <>
      {" "}
      {fill(words.walk.apiAudience, {
        audience: <code>{audience.join(" ")}</code>,
        api: <code>{api.url}</code>,
      })} {api.startUrl !== undefined && <a href={api.startUrl}>{words.walk.apiStart}</a>}
    </>
  );
}
