/** The pages that list people and clients: a filter, a card for each entry, and the parts of a long list. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { type ListName, NoticeBar, type Notices, TurnLinks, type Turns } from "./directory.tsx";
import type { Page } from "../document.tsx";
import { FileButton, PageForm, PageLink } from "../pass.tsx";
import { quote } from "../visible.ts";
import { englishDirectory } from "../words/directory_english.ts";

export interface Paging extends Turns {
  readonly query: string;
}

/** What each list needs. */
export interface ListProps {
  readonly paging: Paging;
  readonly notices: Notices;
  /** Absent until the person has shown the key. */
  readonly exportUrl?: string;
  /** Where the person types the key. */
  readonly keyUrl?: string;
}

interface ListTerms {
  readonly list: ListName;
  readonly cards: readonly VNode[];
  /** Adds an entry. */
  readonly action?: ComponentChildren;
  /** Says what the list does not show. */
  readonly note?: ComponentChildren;
}

export function listPage(
  { list, cards, action, note }: ListTerms,
  { paging, notices, exportUrl, keyUrl }: ListProps,
): Page {
  const { shared, [list]: words } = englishDirectory;
  return {
    title: words.heading,
    shape: "sheet",
    here: list,
    styles: ["directory.css"],
    main: (
      <>
        <h1>{words.heading}</h1>
        <p class="lead">{words.lead}</p>
        <NoticeBar {...notices} />
        {action}
        <Filter list={list} paging={paging} />
        {cards.length > 0 && <ul class="cards" id={list}>{cards}</ul>}
        <Pages paging={paging} />
        {note}
        {exportUrl !== undefined && <FileButton url={exportUrl} id="export">{words.export}</FileButton>}
        <p class="aside">
          {keyUrl !== undefined && (
            <>
              <PageLink id="export-key" href={keyUrl}>{words.export}</PageLink> ({shared.exportNeedsKey}).
              {" "}
            </>
          )}
          {words.exportNote}
        </p>
      </>
    ),
  };
}

/** The card of a list: a name, which is a link, with its details. */
export function ListCard(
  { href, name, details, tags, children }: {
    readonly href: string;
    readonly name: string;
    readonly details: readonly string[];
    readonly tags: readonly string[];
    readonly children?: ComponentChildren;
  },
): VNode {
  return (
    <li class="card">
      <h2>
        <PageLink href={href}>
          <bdi>{quote(name)}</bdi>
        </PageLink>
      </h2>
      {details.map((detail) => (
        <p key={detail} class="aside">
          <bdi>{quote(detail)}</bdi>
        </p>
      ))}
      {tags.length > 0 && <p class="tags">{tags.map((tag) => <span key={tag} class="tag">{tag}</span>)}</p>}
      {children}
    </li>
  );
}

function Filter({ list, paging: { query } }: { readonly list: ListName; readonly paging: Paging }): VNode {
  const { shared: words } = englishDirectory;
  return (
    <PageForm role="search" class="filter" aria-label={words.filterLabel[list]}>
      <label for="filter">{words.filterLabel[list]}</label>
      <input id="filter" type="search" name="q" value={query} maxLength={200} />
      <button type="submit" class="button">{words.filter}</button>
    </PageForm>
  );
}

function Pages({ paging }: { readonly paging: Paging }): VNode | null {
  const { shared: words } = englishDirectory;
  return paging.all === 0 ? <p id="none">{words.none}</p> : <TurnLinks turns={paging} />;
}
