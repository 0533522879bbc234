/** The page `/misbehaviours/clock`: what clients see of the time of the server, and one control that turns it. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { describeTurn } from "../frame/conditions.tsx";
import type { Page } from "../frame/dashboard_document.tsx";
import { ActionButton, LookAgain, wrongPage, type WrongProps } from "./misbehaviour_parts.tsx";
import { Field } from "../parts/field.tsx";
import { TokenForm } from "../parts/pass.tsx";
import { describeMoment } from "../../../server/pages/value.tsx";
import { fill } from "../../../ground/values/fill.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "./misbehaviours_english.ts";

const { clock: words } = englishMisbehaviours;

export interface ClockProps extends WrongProps {
  /** The time that the server issues and checks tokens by, in seconds since 1970. */
  readonly serverNow: number;
  /** How many seconds the server's clock is ahead of the right time. */
  readonly skew: number;
  readonly state: keyof MisbehaviourWords["clock"]["states"];
  /** In seconds. */
  readonly tokenLifetime: number;
}

export function clockPage(props: ClockProps): Page {
  const { form, address } = props;
  return wrongPage(
    { section: "clock", scripts: ["live.js"] },
    props,
    <div id="clock" data-live>
      <WhatClientsSee {...props} />
    </div>,
    <LookAgain href={address} />,
    form !== undefined && <Control {...props} />,
    <p class="aside">{words.about}</p>,
  );
}

/** The time of the server in one sentence, and the same time in the zone of the person. */
function WhatClientsSee({ serverNow, skew, state, tokenLifetime }: ClockProps): VNode {
  return (
    <>
      <p>
        {fill(words.sees, {
          time: <strong id="server-time">{describeMoment(serverNow)}</strong>,
          state: (
            <>
              <span id="clock-state">{words.states[state]}</span>
              {skew !== 0 && ` (${describeTurn(skew)})`}
            </>
          ),
          end: <>{describeMoment(serverNow + tokenLifetime)}</>,
        })}
      </p>
      <p>
        <LocalTime seconds={serverNow} />
      </p>
    </>
  );
}

const steps = ["-1d", "-1h", "-1m", "1m", "1h", "1d"] as const;

function Control({ serverNow, state, form, typed }: ClockProps): VNode {
  return (
    <div class="dials">
      <Dial id="move" heading={words.move} note={words.moveNote}>
        <TokenForm form={form}>
          {steps.map((step) => (
            <button key={step} type="submit" class="button" id={`step-${step}`} name="step" value={step}>
              {words.steps[step]}
            </button>
          ))}
        </TokenForm>
        <TokenForm form={form}>
          <Field isRequired name="by" label={words.by} hint={words.byHint} value={typed["by"]} />
          <ActionButton action="advance">{words.move}</ActionButton>
        </TokenForm>
      </Dial>
      <Dial id="set" heading={words.set}>
        <TokenForm form={form}>
          <Field isRequired name="to" label={words.to} value={typed["to"] ?? writeIso(serverNow)} />
          <ActionButton action="set">{words.set}</ActionButton>
        </TokenForm>
      </Dial>
      <Dial id="stop" heading={words.freeze} note={words.freezeNote}>
        <TokenForm form={form}>
          {state === "frozen"
            ? <ActionButton action="resume">{words.resumeSend}</ActionButton>
            : <ActionButton action="freeze">{words.freezeSend}</ActionButton>}
        </TokenForm>
      </Dial>
      <Dial id="wrong" heading={words.skewHeading} note={words.skewNote}>
        <TokenForm form={form}>
          <Field isRequired name="skew" label={words.by} hint="-90s" value={typed["skew"]} />
          <ActionButton action="skew">{words.skewSend}</ActionButton>
        </TokenForm>
      </Dial>
    </div>
  );
}

function Dial(
  { id, heading, note, children }: {
    readonly id: string;
    readonly heading: string;
    readonly note?: string;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <section class="dial" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{heading}</h2>
      <div>
        {children}
        {note !== undefined && <p class="aside">{note}</p>}
      </div>
    </section>
  );
}

/** The script `live.js` writes the time in the zone of the person. Its line is empty without the script. */
function LocalTime({ seconds }: { readonly seconds: number }): VNode {
  const iso = new Date(Math.round(seconds * 1000)).toISOString();
  return <time class="local" dateTime={iso} data-local={words.local} />;
}

function writeIso(seconds: number): string {
  return `${new Date(Math.round(seconds * 1000)).toISOString().slice(0, 19)}Z`;
}
