/** A table of the dashboard. A column says once what its heading is, what it shows of a row, and how it looks. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { type Column, Head } from "../../guard/table.tsx";

/** `clip` and `short` are for the cells only, and the others for the heading, too. `name`: the cells name their rows. */
type Look = "name" | "short" | "clip" | `${"short" | "clip"} ${HeadingLook}` | HeadingLook;
type HeadingLook = Exclude<Column, string>[1];

export type TableColumn<Row> = readonly [
  heading: string,
  cell: (row: Row) => ComponentChildren,
  look?: Look,
];

export interface TableProps<Row> {
  readonly id?: string | undefined;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What scripts and links find a row by. */
  readonly attributesOf?: (row: Row) => { readonly id: string; readonly "data-outcome"?: string };
  /** A column that is false is left out. */
  readonly columns: readonly (TableColumn<Row> | false)[];
  /** The last column, with what a person can do. Its heading is for people who hear the page. */
  readonly action?: TableColumn<Row> | false | undefined;
}

export function Table<Row>(
  { id, rows, keyOf, attributesOf, columns, action }: TableProps<Row>,
): VNode {
  const shown = columns.filter((column) => column !== false);
  const cells = action ? [...shown, action] : shown;
  return (
    <table class="rows" id={id}>
      <Head columns={shown.map(headingOf)} action={action ? action[0] : undefined} />
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} {...attributesOf?.(row)}>
            {cells.map(([heading, cell, look]) =>
              look === "name"
                ? <th key={heading} scope="row">{cell(row)}</th>
                : <td key={heading} class={look}>{cell(row)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function headingOf([text, , look]: TableColumn<never>): Column {
  const kind = look?.replace(/^(name|short|clip) ?/, "");
  return kind ? [text, kind as HeadingLook] : text;
}
