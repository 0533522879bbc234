/** The page `/misbehaviours/gates`: the gates that are closed now, and a form that closes one. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import { Choice, DeedButton, Field, LookAgain, wrongPage, type WrongProps } from "./misbehaviour_parts.tsx";
import { TokenForm } from "../pass.tsx";
import { visible } from "../visible.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "../words/misbehaviours_english.ts";
import { Section } from "../parts.tsx";

const { gates: words } = englishMisbehaviours;

export type GateKind = keyof MisbehaviourWords["gates"]["kinds"];

const kinds = ["hold", "delay", "fail", "drop"] as const satisfies readonly GateKind[];

/** A gate, a delay, a failure or a drop. */
export interface ShownGate {
  readonly id: string;
  readonly kind: GateKind;
  readonly endpoint: string;
  readonly terms: Parameters<MisbehaviourWords["gates"]["terms"]>[0];
  readonly waiting: number;
  readonly used: number;
  /** How many more requests it applies to. Absent: all. */
  readonly remaining?: number;
}

export type GateField = "endpoint" | "kind" | "count" | "by" | "status" | "retryAfter";

export interface GatesProps extends WrongProps {
  readonly closed: readonly ShownGate[];
  readonly endpoints: readonly string[];
  /** What the person typed before the problem. */
  readonly typed: Readonly<Partial<Record<GateField, string>>>;
}

export function gatesPage(props: GatesProps): Page {
  const { closed, form, address } = props;
  return wrongPage(
    {
      section: "gates",
      heading: words.heading,
      lead: words.about,
      labels: { count: words.count, status: words.status },
      scripts: ["live.js"],
      main: (
        <>
          <Section id="closed" heading={words.closed}>
            <div id="closed" data-live>
              {closed.length === 0 ? <p>{words.none}</p> : (
                <ul class="cards">
                  {closed.map((each) => <GateCard key={each.id} {...each} form={form} />)}
                </ul>
              )}
              {closed.length > 1 && (
                <TokenForm form={form} class="onward">
                  <DeedButton deed="open_all">{words.openAll}</DeedButton>
                </TokenForm>
              )}
            </div>
            <LookAgain href={address} />
          </Section>
          {form !== undefined && (
            <Section id="close" heading={words.close}>
              <CloseForm {...props} />
            </Section>
          )}
        </>
      ),
    },
    props,
  );
}

function GateCard(
  { id, kind, endpoint, terms, waiting, used, remaining, form }: ShownGate & Pick<GatesProps, "form">,
): VNode {
  const name = words.of(`${kind} ${endpoint}`);
  const told = words.terms(terms);
  return (
    <li class="card" id={id}>
      <h3>
        {words.describe[kind]} <code>{endpoint}</code>
      </h3>
      {told !== "" && <p>{visible(told)}</p>}
      {(kind === "hold" || kind === "delay") && (
        <p>
          <strong id={`waiting-${id}`}>{words.waiting(waiting)}</strong>
        </p>
      )}
      <p>
        {words.used(used)} {words.remaining(remaining)}
      </p>
      <TokenForm form={form} class="onward">
        {kind === "hold" && waiting > 0 && (
          <>
            <DeedButton deed="release_one" of={id} unseen={name} primary>{words.releaseOne}</DeedButton>
            <DeedButton deed="release_all" of={id} unseen={name}>{words.releaseAll}</DeedButton>
          </>
        )}
        <DeedButton deed="open" of={id} unseen={name}>{words.open}</DeedButton>
      </TokenForm>
    </li>
  );
}

function CloseForm({ form, endpoints, typed }: GatesProps): VNode | null {
  return (
    <TokenForm form={form}>
      <div class="inline">
        <Choice
          name="endpoint"
          label={words.endpoint}
          value={typed.endpoint ?? "token"}
          options={endpoints.map((name) => ({ value: name, text: name }))}
        />
      </div>
      <fieldset>
        <legend>{words.kind}</legend>
        {kinds.map((kind) => (
          <label key={kind} class="option">
            <input type="radio" name="kind" value={kind} checked={kind === (typed.kind ?? "hold")} />
            <span>{words.kinds[kind]}</span>
          </label>
        ))}
      </fieldset>
      <div class="fields">
        {(["count", "by", "status", "retryAfter"] as const).map((name) => (
          <Field key={name} name={name} label={words[name]} hint={words[`${name}Hint`]} value={typed[name]} />
        ))}
      </div>
      <p class="onward">
        <DeedButton deed="close" primary>{words.send}</DeedButton>
      </p>
      <p class="aside">{words.pageNote}</p>
    </TokenForm>
  );
}
