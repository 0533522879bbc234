/** Components that the pages of people and clients share: the notices, and the buttons that end something. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { type FormTarget, PageLink, TokenForm } from "../parts/pass.tsx";
import { type Change, ReadOnlyNote } from "../parts/read_only.tsx";
import { type Done, englishDirectory } from "./directory_english.ts";
import { visible } from "../../../server/pages/visible.ts";
import { type Column, Head } from "../../guard/table.tsx";

const { shared: words } = englishDirectory;

export type ListName = "people" | "clients";

export interface Notices {
  readonly done?: Done;
  /** What the form should have ended did not exist any more. */
  readonly wasGone?: true;
  /** The client and the person of the grant that was revoked. */
  readonly ended?: { readonly client: string; readonly person: string };
  readonly change: Change;
  readonly isIncomplete?: boolean;
}

/** Says what the form did, in the line of the heading, so that nothing below it moves. */
export function DoneNote({ done, wasGone, ended }: Notices): VNode | null {
  if (done === undefined && !wasGone) return null;
  return (
    <p class="notice" id="done" role="status">
      {done === undefined
        ? words.gone
        : done === "grant_ended" && ended !== undefined
        ? words.grantEnded(visible(ended.client), visible(ended.person))
        : words.done[done]}
    </p>
  );
}

export function NoticeBar({ change, isIncomplete }: Notices): VNode {
  return (
    <>
      <ReadOnlyNote change={change} />
      {isIncomplete && <p class="notice caution" id="incomplete">{words.tooMany}</p>}
    </>
  );
}

/** A part of a long list: its first and last number, and the addresses of the parts before and after it. */
export interface Turns {
  readonly from: number;
  readonly to: number;
  readonly all: number;
  readonly previous?: string;
  readonly next?: string;
}

export function TurnLinks(
  { turns: { from, to, all, previous, next } }: { readonly turns: Turns },
): VNode | null {
  return previous === undefined && next === undefined ? null : (
    <p class="turns">
      {previous !== undefined && <PageLink href={previous} rel="prev">{words.previous}</PageLink>}
      <span class="aside">{words.shown(from, to, all)}</span>
      {next !== undefined && <PageLink href={next} rel="next">{words.next}</PageLink>}
    </p>
  );
}

interface AskProps {
  readonly form: FormTarget | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly label: string;
  readonly question: string;
  /** For people who hear the page, because several buttons say the same. */
  readonly what?: string;
}

/** Ends something large, and asks before it does. */
export function AskForm({ form, fields, label, question, what }: AskProps): VNode | null {
  return form === undefined ? null : (
    <details class="ask">
      <summary class="button">
        {label} <span class="unseen">{what}</span>
      </summary>
      <TokenForm class="block single" form={form} fields={fields}>
        <p>{question}</p>
        <button type="submit" class="button primary">{label}</button>
      </TokenForm>
    </details>
  );
}

/** A part of a page that opens. Beside its line is the button that ends all of it. */
export function Fold(
  { summary, isOpen, children, ...ask }: AskProps & {
    readonly summary: ComponentChildren;
    readonly isOpen: boolean;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <div class="fold">
      <details open={isOpen}>
        <summary>{summary}</summary>
        {children}
      </details>
      <AskForm {...ask} />
    </div>
  );
}

export function Headline(
  { list, backUrl, notices, children, actions }: {
    readonly list: ListName;
    readonly notices: Notices;
    readonly backUrl: string;
    readonly children: ComponentChildren;
    readonly actions?: ComponentChildren;
  },
): VNode {
  return (
    <div class="headline">
      <p class="aside">
        <PageLink href={backUrl}>← {words.back[list]}</PageLink>
      </p>
      <h1>{children}</h1>
      {actions}
      <DoneNote {...notices} />
    </div>
  );
}

/** Leads to the requests of a person or a client. */
export function RequestsLink({ href, id }: { readonly href: string; readonly id: string }): VNode {
  return <PageLink id="requests" href={href}>{words.requestsOf(visible(id))}</PageLink>;
}

/** `id`: of the table. */
export function Rows(
  { id, turns, columns, hasAction, children }: {
    readonly id?: string;
    readonly turns: Turns;
    readonly columns: readonly Column[];
    /** The last cell of each row ends what the row shows. */
    readonly hasAction: boolean;
    readonly children: readonly VNode[];
  },
): VNode {
  return (
    <>
      <table class="rows" id={id}>
        <Head columns={columns} action={hasAction ? words.action : undefined} />
        <tbody>{children}</tbody>
      </table>
      <TurnLinks turns={turns} />
    </>
  );
}
