/** The page `/misbehaviours/clock`: the time of the server, and forms that turn it. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../schema/format_duration.ts";
import type { Page } from "../document.tsx";
import { DeedButton, Field, LookAgain, wrongPage, type WrongProps } from "./misbehaviour_parts.tsx";
import { TokenForm } from "../pass.tsx";
import { Fact, Section } from "../parts.tsx";
import { describeMoment } from "../time_text.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "../words/misbehaviours_english.ts";

const { clock: words } = englishMisbehaviours;

export interface ClockProps extends WrongProps {
  /** The time that the server issues and checks tokens by, in seconds since 1970. */
  readonly serverNow: number;
  /** How many seconds the server's clock is ahead of the right time. */
  readonly skew: number;
  readonly state: keyof MisbehaviourWords["clock"]["states"];
  /** What the person typed before the problem. */
  readonly typed: Readonly<Partial<Record<"by" | "to" | "skew", string>>>;
}

export function clockPage(props: ClockProps): Page {
  const { serverNow, skew, state, form, address, typed } = props;
  return wrongPage(
    {
      section: "clock",
      heading: words.heading,
      lead: words.about,
      scripts: ["live.js"],
      main: (
        <>
          <dl class="facts" id="clock" data-live>
            <Fact term={words.server}>
              <strong id="server-time">{describeMoment(serverNow)}</strong>
              <LocalTime seconds={serverNow} />
            </Fact>
            <Fact term={words.state}>
              <span id="clock-state">{words.states[state]}</span>
            </Fact>
            {skew !== 0 && <Fact term={words.skew}>{describeSkew(skew)}</Fact>}
          </dl>
          <LookAgain href={address} />
          <Section id="advance" heading={words.advance}>
            <TokenForm form={form}>
              <p class="onward">
                {Object.entries(words.steps).map(([step, text]) => (
                  <button
                    key={step}
                    type="submit"
                    class="button"
                    id={`step-${step}`}
                    name="step"
                    value={step}
                  >
                    {text}
                  </button>
                ))}
              </p>
            </TokenForm>
            <TokenForm form={form} class="inline">
              <Field name="by" label={words.by} hint={words.byHint} value={typed.by} required />
              <DeedButton deed="advance">{words.advanceSend}</DeedButton>
            </TokenForm>
          </Section>
          <Section id="set" heading={words.set}>
            <TokenForm form={form} class="inline">
              <Field name="to" label={words.to} value={typed.to ?? writeIso(serverNow - skew)} required />
              <DeedButton deed="set">{words.setSend}</DeedButton>
            </TokenForm>
          </Section>
          <Section id="freeze" heading={words.freeze}>
            <p>{words.freezeNote}</p>
            <TokenForm form={form} class="onward">
              {state === "frozen"
                ? <DeedButton deed="resume">{words.resumeSend}</DeedButton>
                : <DeedButton deed="freeze">{words.freezeSend}</DeedButton>}
            </TokenForm>
          </Section>
          <Section id="skew" heading={words.skewHeading}>
            <p>{words.skewNote}</p>
            <TokenForm form={form} class="inline">
              <Field name="skew" label={words.by} hint="-90s" value={typed.skew} required />
              <DeedButton deed="skew">{words.skewSend}</DeedButton>
            </TokenForm>
          </Section>
          {state !== "right" && (
            <Section id="reset" heading={words.reset}>
              <p>{words.resetNote}</p>
              <TokenForm form={form} class="onward">
                <DeedButton deed="reset" primary>{words.reset}</DeedButton>
              </TokenForm>
            </Section>
          )}
        </>
      ),
    },
    props,
  );
}

/** The script `live.js` writes the time in the zone of the person. Its line is empty without the script. */
function LocalTime({ seconds }: { readonly seconds: number }): VNode {
  const iso = new Date(Math.round(seconds * 1000)).toISOString();
  return <time class="local" dateTime={iso} data-local={words.local} />;
}

function describeSkew(skew: number): string {
  const text = formatDuration(skew);
  return skew > 0 ? words.ahead(text) : words.behind(text);
}

function writeIso(seconds: number): string {
  return `${new Date(Math.round(seconds * 1000)).toISOString().slice(0, 19)}Z`;
}
