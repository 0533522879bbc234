/** The page `/misbehaviours/look_alikes`: the providers that the server can look like. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import {
  Choice,
  DeedButton,
  Field,
  LookAgain,
  MisbehaviourName,
  wrongPage,
  type WrongProps,
} from "./misbehaviour_parts.tsx";
import { TokenForm } from "../pass.tsx";
import { visible } from "../visible.ts";
import { englishMisbehaviours } from "../words/misbehaviours_english.ts";
import { present } from "../../present.ts";
import { Section } from "../parts.tsx";

const { lookAlikes: words, entry: entryWords, on: onWords } = englishMisbehaviours;

export interface ShownLookAlike {
  readonly name: string;
  readonly title: string;
  readonly differences: readonly {
    /** One sentence in which backticks enclose code. */
    readonly server: string;
    readonly source: { readonly title: string; readonly url: string };
    /** The misbehaviour that is the same fault. */
    readonly same?: { readonly name: string; readonly href: string };
  }[];
  /** Sentences about differences that are not imitated. */
  readonly leftOut: readonly string[];
}

export interface OnLookAlike {
  readonly id: string;
  readonly title: string;
  readonly client?: string;
  readonly count: number;
}

export interface LookAlikesProps extends WrongProps {
  readonly lookAlikes: readonly ShownLookAlike[];
  readonly on: readonly OnLookAlike[];
  readonly clients: readonly string[];
  /** What the person typed before the problem. */
  readonly typed: Readonly<{ client?: string; provider?: string }>;
}

export function lookAlikesPage(props: LookAlikesProps): Page {
  const { lookAlikes, on, form, address, clients, typed } = props;
  return wrongPage(
    {
      section: "look_alikes",
      heading: words.heading,
      lead: words.about,
      scripts: ["live.js"],
      main: (
        <>
          <div id="on" data-live>
            {on.map(({ id, title, client, count }) => (
              <section key={id} class="block single" id={id} aria-label={words.on}>
                <h2>{title}</h2>
                <p class="aside">{visible(onWords.terms(present({ client })))}</p>
                <p>
                  {words.on}. {onWords.likeCount(count)}
                </p>
                <TokenForm form={form}>
                  <DeedButton deed="switch_off" of={id} unseen={onWords.offName(title)}>
                    {onWords.off}
                  </DeedButton>
                </TokenForm>
              </section>
            ))}
          </div>
          {on.length > 0 && <LookAgain href={address} />}
          <TokenForm form={form} class="inline">
            <Choice
              name="provider"
              label={words.provider}
              value={typed.provider ?? "github"}
              options={lookAlikes.map(({ name, title }) => ({ value: name, text: title }))}
            />
            <Field
              name="client"
              label={entryWords.client_id}
              value={typed.client}
              hint={entryWords.everyClient}
              list={clients}
            />
            <DeedButton deed="switch_on" primary>{entryWords.switchOn}</DeedButton>
          </TokenForm>
          {lookAlikes.map((each) => <LookAlike key={each.name} {...each} />)}
        </>
      ),
    },
    props,
  );
}

function LookAlike({ name, title, differences, leftOut }: ShownLookAlike): VNode {
  return (
    <Section id={name} heading={title}>
      <details>
        <summary>{words.differences(differences.length)}</summary>
        <ul>
          {differences.map(({ server, source, same }, at) => (
            <li key={at}>
              <Marked text={server} />{" "}
              <a href={source.url} target="_blank" rel="noopener noreferrer">{source.title}</a>
              {same !== undefined && (
                <>
                  {"; "}
                  {words.same} <MisbehaviourName {...same} />
                </>
              )}
            </li>
          ))}
        </ul>
        {leftOut.length > 0 && (
          <>
            <h3>{words.leftOut}</h3>
            <ul>
              {leftOut.map((text) => (
                <li key={text}>
                  <Marked text={text} />
                </li>
              ))}
            </ul>
          </>
        )}
      </details>
    </Section>
  );
}

/** A sentence in which backticks enclose code. */
function Marked({ text }: { readonly text: string }): VNode {
  return <>{text.split("`").map((part, at) => at % 2 === 0 ? part : <code key={at}>{part}</code>)}</>;
}
