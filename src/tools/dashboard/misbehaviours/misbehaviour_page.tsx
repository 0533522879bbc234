/** The page of one misbehaviour: what it is, a switch, the verdict, and how to use it elsewhere. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import {
  ActionButton,
  LookAgain,
  MisbehaviourName,
  SwitchOff,
  VerdictLine,
  wrongPage,
  type WrongProps,
} from "./misbehaviour_parts.tsx";
import { Field } from "../parts/field.tsx";
import type { OnMisbehaviour } from "./catalogue_page.tsx";
import { CopyableBlock, Fact, Section } from "../../../server/pages/parts.tsx";
import { PageLink, TokenForm } from "../parts/pass.tsx";
import { RequestTable } from "../parts/request_table.tsx";
import type { RecentRequests } from "../frame/frame_props.ts";
import { Tabs } from "../parts/tabs.tsx";
import { RuleLinks } from "../../../server/pages/rule_link.tsx";
import type { FaultySide } from "../../../kit/faults/names.ts";
import { visible } from "../../../ground/values/visible.ts";
import type { DescribedMisbehaviour } from "../../../kit/faults/choose.ts";
import { englishMisbehaviours } from "./misbehaviours_english.ts";

const { entry: words, on: onWords, levels, catalogue } = englishMisbehaviours;

export interface WatchedMisbehaviour extends OnMisbehaviour {
  /** The person has said how the client ended. */
  readonly isSettled: boolean;
}

export interface MisbehaviourProps extends WrongProps {
  readonly described: DescribedMisbehaviour;
  readonly areaHref: string;
  readonly faultySide: FaultySide;
  readonly on: readonly WatchedMisbehaviour[];
  /** The misbehaviour that the person has switched off last. */
  readonly ended?: WatchedMisbehaviour;
  /** The first requests that show the verdict. The query selects all that the misbehaviour changed. */
  readonly evidence: RecentRequests;
  readonly clients: readonly string[];
  readonly people: readonly string[];
  readonly examples: readonly { readonly kind: MisbehaviourExample; readonly text: string }[];
}

type MisbehaviourExample = "cli" | "examine" | "examineApi" | "kit" | "http";

export function misbehaviourPage(props: MisbehaviourProps): Page {
  const { described: { name }, on, ended, form, faultySide } = props;
  const page = wrongPage(
    {
      section: "misbehaviours",
      heading: name,
      headingElement: <MisbehaviourName name={name} />,
      labels: { times: words.times, probability: words.probability },
      scripts: ["copy.js", "live.js", "tabs.js"],
    },
    props,
    <div class="beside">
      <Facts {...props} />
      <div>
        <div id="on" data-live>{on.map((each) => <Watched key={each.id} {...each} form={form} />)}</div>
        {on.length > 0 && <LookAgain href={props.address} />}
        {ended !== undefined && (
          <section class="block single" id="ended" aria-labelledby="ended-heading">
            <h2 id="ended-heading">{onWords.wasOn}</h2>
            <Happened {...ended} />
          </section>
        )}
        {faultySide === "server"
          ? <Switch {...props} />
          : <p class="notice" id="elsewhere">{words.elsewhere[faultySide]}</p>}
      </div>
    </div>,
    <Evidence {...props} />,
    <Examples {...props} />,
  );
  return { ...page, styles: [...page.styles!, "inspector.css"] };
}

function Facts({ described, areaHref, faultySide }: MisbehaviourProps): VNode {
  const { area, level, phase, server, client, rule, needs, bugs = [], api } = described;
  const isOfApi = faultySide === "caller";
  return (
    <dl class="facts compact" id="facts">
      <Fact term={isOfApi ? words.request : words.server}>{server}</Fact>
      <Fact term={isOfApi ? words.correctApi : words.client}>{client}</Fact>
      <Fact term={words.rule}>
        <RuleLinks rules={rule} />
      </Fact>
      <Fact term={words.level}>
        <span class="tag">{level}</span>{" "}
        {faultySide === "client" ? words.mustSend : levels[api === undefined ? "client" : "api"][level]}
      </Fact>
      {!isOfApi && <Fact term={words.phase}>{words.phases(phase)}</Fact>}
      {needs !== undefined && <Fact term={isOfApi ? words.needed : words.needs}>{needs}</Fact>}
      {api !== undefined && (
        <Fact term={words.api}>
          <code>{[api.status, api.error].filter((part) => part !== undefined).join(" ")}</code>
        </Fact>
      )}
      {bugs.length > 0 && <Fact term={words.bugs}>{bugs.join(", ")}</Fact>}
      <Fact term={words.area}>
        <PageLink href={areaHref}>{catalogue.areas(area)}</PageLink>
      </Fact>
    </dl>
  );
}

/** The switch. While the misbehaviour is on, a second one is seldom wanted. */
function Switch(props: MisbehaviourProps): VNode | null {
  const { form, on, problem } = props;
  if (form === undefined) return null;
  if (on.length === 0) {
    return (
      <Section id="switch" heading={words.switchOn}>
        <SwitchForm {...props} />
      </Section>
    );
  }
  return (
    <details open={problem !== undefined}>
      <summary>{words.switchAgain}</summary>
      <SwitchForm {...props} />
    </details>
  );
}

function SwitchForm({ form, typed, problem, clients, people, on }: MisbehaviourProps): VNode {
  const fields = [
    { name: "client", label: words.client_id, hint: words.everyClient, list: clients },
    { name: "username", label: words.username, hint: words.everyone, list: people },
    { name: "times", label: words.times, hint: words.everyTime },
    { name: "probability", label: words.probability, hint: words.always },
  ] as const;
  return (
    <TokenForm form={form}>
      <div class="fields">
        {fields.map(({ name, ...field }) => (
          <Field key={name} name={name} {...field} value={typed[name]} isWrong={problem?.field === name} />
        ))}
      </div>
      <p class="onward">
        <ActionButton action="switch_on" primary={on.length === 0}>{words.switchOn}</ActionButton>
      </p>
    </TokenForm>
  );
}

/** A misbehaviour while it is on: what has happened, and what the person says about it. */
function Watched({ form, ...watched }: WatchedMisbehaviour & Pick<WrongProps, "form">): VNode {
  const { id, name, isSettled } = watched;
  return (
    <section class="block single" id={id} aria-label={onWords.heading}>
      <div class="headline">
        <h2>{onWords.heading}</h2>
        <TokenForm form={form}>
          <SwitchOff id={id} name={name} />
        </TokenForm>
      </div>
      <Happened {...watched} />
      {isSettled ? <p class="aside">{onWords.settledNote}</p> : <Settle id={id} form={form} />}
    </section>
  );
}

function Happened({ id, terms, count, verdict }: WatchedMisbehaviour): VNode {
  return (
    <>
      <p class="aside">{visible(onWords.terms(terms))}</p>
      <p id={`count-${id}`}>
        <strong>{onWords.count(count)}</strong>
      </p>
      {verdict === undefined ? <p>{onWords.waiting}</p> : <VerdictLine {...verdict} />}
    </>
  );
}

/** The script replaces it when it changes. */
function Evidence({ evidence }: MisbehaviourProps): VNode {
  return (
    <div id="evidence" data-live>
      {evidence.items.length > 0 && (
        <>
          <p>
            {onWords.evidence}{" "}
            <PageLink id="all-requests" href={evidence.path + evidence.query}>{onWords.allRequests}</PageLink>
          </p>
          <RequestTable {...evidence} />
        </>
      )}
    </div>
  );
}

function Settle({ id, form }: { readonly id: string } & Pick<WrongProps, "form">): VNode | null {
  return (
    <TokenForm form={form}>
      <fieldset>
        <legend>{onWords.question}</legend>
        <p class="onward">
          <ActionButton action="success" of={id}>{onWords.results.success}</ActionButton>
          <ActionButton action="error" of={id}>{onWords.results.error}</ActionButton>
          <ActionButton action="unknown" of={id}>{onWords.results.unknown}</ActionButton>
        </p>
      </fieldset>
    </TokenForm>
  );
}

function Examples({ examples }: MisbehaviourProps): VNode {
  return (
    <Section id="try" heading={words.try}>
      <Tabs
        id="examples"
        label={words.try}
        headingLevel={3}
        sections={examples.map(({ kind, text }) => ({
          id: kind,
          name: words.short[kind],
          content: (
            <CopyableBlock id={`example-${kind}`} kind={words[kind]} what={words.copy(words[kind])}>
              {text}
            </CopyableBlock>
          ),
        }))}
      />
    </Section>
  );
}
