/** Components that the pages of people and clients share: the notices, and the buttons that end something. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { type FormTarget, PageLink, TokenForm } from "../parts/pass.tsx";
import { type Change, ReadOnlyNote } from "../parts/read_only.tsx";
import { type Done, englishDirectory } from "./directory_english.ts";
import { visible } from "../../../server/pages/visible.ts";
import { Section } from "../../../server/pages/parts.tsx";
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

/** A button that ends something. `what` is for people who hear the page, because several buttons say the same. */
export function EndButton(
  { form, fields, label, what }: {
    readonly form: FormTarget | undefined;
    readonly fields: Readonly<Record<string, string>>;
    readonly label: string;
    readonly what: string;
  },
): VNode {
  return (
    <TokenForm form={form} fields={fields}>
      <button type="submit" class="button">
        {label}
        <span class="unseen">{what}</span>
      </button>
    </TokenForm>
  );
}

export function RemoveForm(
  { form, fields, label, note }: {
    readonly form: FormTarget | undefined;
    readonly fields: Readonly<Record<string, string>>;
    readonly label: string;
    readonly note: string;
  },
): VNode {
  return (
    <TokenForm class="remove" form={form} fields={fields}>
      <button type="submit" class="button" id="remove">{label}</button>
      <p class="aside">{note}</p>
    </TokenForm>
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

export function TableSection(
  { id, heading, none, turns, columns, hasAction, children }: {
    readonly id: string;
    readonly heading: string;
    readonly none: string;
    readonly turns: Turns;
    readonly columns: readonly Column[];
    /** The last cell of each row ends what the row shows. */
    readonly hasAction: boolean;
    readonly children: readonly VNode[];
  },
): VNode {
  return (
    <Section id={id} heading={heading}>
      {children.length === 0 ? <p class="aside">{none}</p> : (
        <>
          <table class="rows" id={id}>
            <Head columns={columns} action={hasAction ? words.action : undefined} />
            <tbody>{children}</tbody>
          </table>
          <TurnLinks turns={turns} />
        </>
      )}
    </Section>
  );
}
