/** The page `/misbehaviours/look_alikes`: the providers that the server can look like. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import {
  ActionButton,
  LookAgain,
  MisbehaviourName,
  SwitchOff,
  TableForm,
  wrongPage,
  type WrongProps,
} from "./misbehaviour_parts.tsx";
import type { LookAlike } from "../../../kit/faults/look_alikes/look_alike.ts";
import { PageLink, TokenForm } from "../parts/pass.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { englishMisbehaviours } from "./misbehaviours_english.ts";
import { present } from "../../../ground/values/present.ts";
import { MarkedText, Section, Table } from "../../../server/pages/parts.tsx";

const { lookAlikes: words, entry: entryWords, on: onWords, catalogue } = englishMisbehaviours;

export interface ShownLookAlike extends Pick<LookAlike, "differences" | "leftOut"> {
  readonly name: string;
  readonly title: string;
  /** Shows the differences. */
  readonly href: string;
  /** The page shows the differences of one provider, because those of all are too heavy. */
  readonly isOpen: boolean;
  /** Returns the address of the page of a misbehaviour. */
  misbehaviourHref(name: string): string;
}

export interface OnLookAlike {
  readonly id: string;
  readonly title: string;
  readonly client?: string;
  readonly count: number;
}

interface LookAlikesProps extends WrongProps {
  readonly lookAlikes: readonly ShownLookAlike[];
  readonly on: readonly OnLookAlike[];
  readonly clients: readonly string[];
}

export function lookAlikesPage(props: LookAlikesProps): Page {
  const { on, address } = props;
  return wrongPage(
    {
      section: "look_alikes",
      lead: words.about,
      scripts: ["live.js"],
    },
    props,
    <div id="on" data-live>{on.length > 0 && <OnNow {...props} />}</div>,
    on.length > 0 && <LookAgain href={address} />,
    <Providers {...props} />,
  );
}

function OnNow({ on, form }: LookAlikesProps): VNode {
  const { provider, where, answers } = words.columns;
  return (
    <Section id="on-now" heading={catalogue.on}>
      <TableForm
        form={form}
        rows={on}
        attributesOf={({ id }) => ({ id })}
        columns={[
          [provider, ({ title }) => title],
          [where, ({ client }) => visible(onWords.terms(present({ client }))), "under"],
          [answers, ({ count }) => count, "end"],
        ]}
        action={[catalogue.action, ({ id, title }) => <SwitchOff id={id} name={title} />, "end"]}
      />
    </Section>
  );
}

function Providers(props: LookAlikesProps): VNode {
  const { lookAlikes, on, form, clients } = props;
  // A client meets one provider at a time.
  const maySwitch = form !== undefined && on.every(({ client }) => client !== undefined);
  return (
    <>
      <Table
        id="providers"
        rows={lookAlikes}
        attributesOf={({ name }) => ({ id: name })}
        columns={[[words.columns.provider, (each) => (
          <>
            <PageLink href={each.href} aria-expanded={each.isOpen}>{each.title}</PageLink>{" "}
            <span class="aside">{words.differences(each.differences.length)}</span>
            {each.isOpen && <Differences {...each} />}
          </>
        )]]}
        action={maySwitch && [catalogue.action, (each) => <SwitchForm {...each} {...props} />, "end under"]}
      />
      <datalist id="clients">{clients.map((each) => <option key={each} value={each} />)}</datalist>
    </>
  );
}

function SwitchForm({ name, title, form, on, typed }: LookAlikesProps & ShownLookAlike): VNode {
  return (
    <TokenForm form={form}>
      <input
        name="client"
        list="clients"
        aria-label={words.clientFor(title)}
        {
          // For every client, the server would look like two providers to some.
          ...(on.length === 0 ? { placeholder: entryWords.everyClient } : { required: true })
        }
        value={typed["action"] === `switch_on ${name}` ? typed["client"] : undefined}
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
      />
      <ActionButton action="switch_on" of={name} unseen={onWords.offName(title)}>
        {catalogue.switchOn}
      </ActionButton>
    </TokenForm>
  );
}

function Differences({ differences, leftOut, misbehaviourHref }: ShownLookAlike): VNode {
  return (
    <>
      <ul>
        {differences.map(({ server, source, same }, at) => (
          <li key={at}>
            <MarkedText text={server} />{" "}
            <a href={source.url} target="_blank" rel="noopener noreferrer">{source.title}</a>
            {same !== undefined && (
              <>
                {"; "}
                {words.same} <MisbehaviourName name={same} href={misbehaviourHref(same)} />
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
                <MarkedText text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
