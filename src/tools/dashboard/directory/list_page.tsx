/** The pages that list people and clients: a filter, a table with a row for each entry, and the parts of a long list. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import {
  directoryPage,
  FindForm,
  type ListName,
  type Notices,
  TurnLinks,
  type Turns,
} from "./directory_parts.tsx";
import type { Page } from "../frame/dashboard_document.tsx";
import { FileButton, PageLink } from "../parts/pass.tsx";
import { Table, type TableProps } from "../../../server/pages/parts.tsx";
import { englishDirectory } from "./directory_english.ts";

interface Paging extends Turns {
  readonly query: string;
}

export interface ListProps {
  readonly paging: Paging;
  readonly notices: Notices;
  /** Absent until the person has shown the key. */
  readonly exportUrl?: string;
  /** Where the person types the key. */
  readonly keyUrl?: string;
}

interface ListOptions<Row> extends Pick<TableProps<Row>, "rows" | "columns"> {
  readonly list: ListName;
  /** Adds an entry. */
  readonly action?: ComponentChildren;
  /** Stands above the rows. */
  readonly lead?: ComponentChildren;
  /** Says what the list does not show. */
  readonly note?: ComponentChildren;
}

export function listPage<Row>(
  { list, action, lead, note, ...table }: ListOptions<Row>,
  { paging, notices, exportUrl, keyUrl }: ListProps,
): Page {
  const { shared, [list]: words } = englishDirectory;
  return directoryPage(
    {
      list,
      title: words.heading,
      beside: (
        <>
          <FindForm
            id="filter"
            label={shared.filterLabel[list]}
            value={paging.query}
            send={shared.filter}
            finds="found"
          />
          {action}
        </>
      ),
      scripts: ["filter.js"],
    },
    notices,
    lead,
    <div id="found">
      {table.rows.length > 0 && <Table id={list} {...table} />}
      <Pages list={list} paging={paging} />
    </div>,
    note,
    exportUrl !== undefined && <FileButton url={exportUrl} id="export">{shared.export}</FileButton>,
    <p class="aside">
      {keyUrl !== undefined && (
        <>
          <PageLink id="export-key" href={keyUrl}>{shared.export}</PageLink> ({shared.exportNeedsKey}).
          {" "}
        </>
      )}
      {words.exportNote}
    </p>,
  );
}

function Pages({ list, paging }: { readonly list: ListName; readonly paging: Paging }): VNode {
  const { shared: words } = englishDirectory;
  if (paging.all > 0) return <TurnLinks turns={paging} />;
  if (paging.query === "") return <p id="none">{words.none[list]}</p>;
  return (
    <p id="none">
      {words.noMatch[list]} <PageLink href="?">{words.showAll}</PageLink>
    </p>
  );
}
