/** What the pages share on which the server is made wrong: their sections, who may change something, and verdicts. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { BreakableName, Table, type TableProps } from "../../../server/pages/parts.tsx";
import { type FormTarget, PageLink, TokenForm } from "../parts/pass.tsx";
import { SectionLinks } from "../parts/section_links.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { type Change, ReadOnlyNote, scriptsOf } from "../parts/read_only.tsx";
import { englishMisbehaviours as words, type MisbehaviourWords } from "./misbehaviours_english.ts";

export type WrongSection = Exclude<keyof MisbehaviourWords["sections"], "label">;

/** `field`: the name of the field with the mistake. */
export interface FormProblem {
  readonly text: string;
  readonly field?: string;
}

export interface WrongProps {
  readonly sections: readonly { readonly name: WrongSection; readonly href: string }[];
  readonly change: Change;
  /** The target of every form of the page. Absent: the page only shows. */
  readonly form?: FormTarget | undefined;
  readonly problem?: FormProblem;
  /** What the person typed before the problem, by the names of the fields. */
  readonly typed: Readonly<Record<string, string>>;
  /** The address of this page, for a person whose browser runs no scripts. */
  readonly address: string;
}

interface WrongPageOptions {
  readonly section: WrongSection;
  /** Default: the name of the section. */
  readonly heading?: string;
  readonly headingElement?: VNode;
  readonly lead?: string;
  readonly scripts?: Page["scripts"];
  /** The labels of the fields, by their names. A problem says the label of its field. */
  readonly labels?: Readonly<Record<string, string>>;
}

export function wrongPage(
  { section, heading = words.sections[section], headingElement, lead, scripts = [], labels = {} }:
    WrongPageOptions,
  { sections, change, problem }: WrongProps,
  ...parts: readonly ComponentChildren[]
): Page {
  const label = labels[problem?.field ?? ""];
  return {
    title: heading,
    here: "misbehaviours",
    styles: ["parts.css", "panels.css"],
    scripts: [...new Set([...scripts, ...scriptsOf(change)])],
    main: (
      <>
        <SectionLinks
          label={words.sections.label}
          links={sections.map(({ name, href }) => ({
            href,
            text: words.sections[name],
            isHere: name === section,
          }))}
        />
        <h1 class={heading === words.sections[section] ? "unseen" : undefined}>
          {headingElement ?? heading}
        </h1>
        {lead !== undefined && <p class="aside">{lead}</p>}
        <ReadOnlyNote change={change} />
        {problem !== undefined && (
          <p class="notice problem" id="problem" role="alert">
            <strong>{label ? `${label}:` : words.problem}</strong> {visible(problem.text)}
          </p>
        )}
        {parts}
      </>
    ),
  };
}

/** A button that does one thing to one of several entries. The value names both: `switch_off misbehaviour-1`. */
export function ActionButton(
  { action, of, unseen, primary = false, children }: {
    readonly action: string;
    readonly of?: string;
    /** Tells the button from other buttons with the same text. */
    readonly unseen?: string;
    readonly primary?: boolean;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <button
      type="submit"
      class={primary ? "button primary" : "button"}
      id={of === undefined ? action : `${action}-${of}`}
      name="action"
      value={of === undefined ? action : `${action} ${of}`}
    >
      {children}
      {unseen !== undefined && <span class="unseen">{unseen}</span>}
    </button>
  );
}

/** `name`: what is switched off. */
export function SwitchOff({ id, name }: { readonly id: string; readonly name: string }): VNode {
  return (
    <ActionButton action="switch_off" of={id} unseen={words.on.offName(name)}>{words.on.off}</ActionButton>
  );
}

/** A table whose last column has buttons. Without a form, it only shows. `children`: more buttons, below the table. */
export function TableForm<Row>(
  { form, children, ...table }: TableProps<Row> & {
    readonly form: FormTarget | undefined;
    readonly children?: ComponentChildren;
  },
): VNode {
  if (form === undefined) return <Table {...table} action={undefined} />;
  return (
    <TokenForm form={form}>
      <Table {...table} />
      {children}
    </TokenForm>
  );
}

/** A link that loads the page again. The script `live.js` hides it. */
export function LookAgain({ href }: { readonly href: string }): VNode {
  return (
    <p data-without-script>
      <PageLink class="button" id="look" href={href}>{words.lookAgain}</PageLink>
    </p>
  );
}

export function MisbehaviourName({ name, href }: { readonly name: string; readonly href?: string }): VNode {
  const code = (
    <code>
      <BreakableName name={name} />
    </code>
  );
  return href === undefined ? code : <PageLink href={href}>{code}</PageLink>;
}

export interface ShownVerdict {
  readonly outcome: string;
  readonly because: string;
}

export function VerdictLine({ outcome, because }: ShownVerdict): VNode {
  const isBad = outcome === "fooled" || outcome === "broke" || outcome === "hung";
  return (
    <p class={isBad ? "notice problem" : "notice"} data-outcome={outcome}>
      <strong>{words.on.outcomes(outcome)}</strong> {visible(because)}
    </p>
  );
}

const marks: Readonly<Record<string, string>> = {
  noticed: "ok",
  unharmed: "ok",
  tolerated: "ok",
  crashed: "refused",
  fooled: "failed",
  broke: "failed",
  hung: "failed",
};

export function MarkedVerdict({ outcome, because }: ShownVerdict): VNode {
  return (
    <>
      <Outcome outcome={outcome} /> {visible(because)}
    </>
  );
}

export function Outcome({ outcome }: Pick<ShownVerdict, "outcome">): VNode {
  const mark = marks[outcome];
  return (
    <>
      {mark !== undefined && [<span key={mark} class={`mark outcome-${mark}`} />, " "]}
      <strong>{words.on.outcomes(outcome)}</strong>
    </>
  );
}

export interface SeenRequest {
  readonly endpoint: string;
  /** The request in a few words. */
  readonly call: string;
  /** How the server answered. */
  readonly outcome: string;
  readonly href?: string;
}

export function SeenRequests(
  { id, requests }: { readonly id?: string; readonly requests: readonly SeenRequest[] },
): VNode {
  return (
    <ol class="seen" id={id}>
      {requests.map(({ call, outcome, href }, at) => (
        <li key={at}>
          {href === undefined ? <code>{visible(call)}</code> : (
            <a href={href}>
              <code>{visible(call)}</code>
            </a>
          )} <span class="aside">→ {visible(outcome)}</span>
        </li>
      ))}
    </ol>
  );
}
