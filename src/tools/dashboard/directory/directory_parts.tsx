/** What the pages of people and clients share: their heading with its notices, and the buttons that end something. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { longestPasted, longestSearch } from "../read_search.ts";
import type { Page } from "../frame/dashboard_document.tsx";
import { type FormTarget, PageForm, PageLink, TokenForm } from "../parts/pass.tsx";
import { type Change, ReadOnlyNote, scriptsOf } from "../parts/read_only.tsx";
import { englishDirectory } from "./directory_english.ts";
import { quote, visible } from "../../../ground/values/visible.ts";

const { shared: words } = englishDirectory;

export type ListName = "people" | "clients";

export interface Notices {
  /** Says what the form did, in the line of the heading, so that nothing below it moves. */
  readonly done?: string;
  readonly change: Change;
  readonly isIncomplete?: boolean;
}

interface DirectoryPage extends Pick<Page, "title" | "scripts"> {
  readonly list: ListName;
  /** Default: the title. */
  readonly heading?: VNode;
  /** The list, from the page of one entry. */
  readonly backUrl?: string;
  /** Stands in the line of the heading. */
  readonly beside?: ComponentChildren;
}

export function directoryPage(
  { list, title, heading, backUrl, beside, scripts = [] }: DirectoryPage,
  { change, done, isIncomplete }: Notices,
  ...parts: readonly ComponentChildren[]
): Page {
  return {
    title,
    here: list,
    scripts: [...new Set([...scripts, ...scriptsOf(change)])],
    styles: ["parts.css", "panels.css"],
    main: (
      <>
        <div class="headline">
          {backUrl !== undefined && (
            <p class="aside">
              <PageLink href={backUrl}>← {words.back[list]}</PageLink>
            </p>
          )}
          <h1>{heading ?? title}</h1>
          {beside}
          {done !== undefined && <p class="notice" id="done" role="status">{done}</p>}
        </div>
        <ReadOnlyNote change={change} />
        {isIncomplete && <p class="notice caution" id="incomplete">{words.tooMany}</p>}
        {parts}
      </>
    ),
  };
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

export interface EndProps {
  readonly form: FormTarget | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly label: string;
  /** For people who hear the page, because several buttons say the same. */
  readonly what?: string;
  /** It has no frame, where a list has many of them. */
  readonly isQuiet?: true;
}

/** Ends at once what a new sign-in gives again. */
export function EndForm({ form, fields, label, what, isQuiet }: EndProps): VNode {
  return (
    <TokenForm form={form} fields={fields}>
      <button type="submit" class={isQuiet ? "button ends quiet" : "button ends"}>
        {label}
        <span class="unseen">{what}</span>
      </button>
    </TokenForm>
  );
}

/** Deletes something, and asks before it does. */
export function AskForm({ question, ...end }: EndProps & { readonly question: string }): VNode | null {
  return end.form === undefined ? null : (
    <details class="ask">
      <summary class="button ends">{end.label}</summary>
      <div class="block single">
        <p>{question}</p>
        <EndForm {...end} />
      </div>
    </details>
  );
}

/** A part of a page that opens. Beside its line is the button that ends all of it. */
export function Fold(
  { summary, isOpen, children, ...end }: EndProps & {
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
      <EndForm {...end} />
    </div>
  );
}

/** `finds`: the id of the part of the page that a script brings up to date while the person types. */
export function FindForm({ id, label, value, send, finds }: {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly send: string;
  readonly finds?: string;
}): VNode {
  const maxLength = finds === undefined ? longestPasted : longestSearch;
  const common = { id, name: "q", value, maxLength, placeholder: label, "aria-label": label };
  return (
    <PageForm role="search" class="find" aria-label={label} data-filter={finds}>
      <input type="search" {...common} />
      <button type="submit" class="button">{send}</button>
    </PageForm>
  );
}

export function NameLink({ href, name }: { readonly href: string; readonly name: string }): VNode {
  return (
    <PageLink href={href}>
      <bdi>{quote(name)}</bdi>
    </PageLink>
  );
}

/** Leads to the requests of a person or a client. */
export function RequestsLink({ href, id }: { readonly href: string; readonly id: string }): VNode {
  return <PageLink id="requests" href={href}>{words.requestsOf(visible(id))}</PageLink>;
}
