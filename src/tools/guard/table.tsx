/** The headings of the tables of the dashboard. */
/** @jsxImportSource preact */

import type { VNode } from "preact";

/** The heading of a column, and the class of its cells. */
export type Column =
  | string
  | readonly [text: string, kind: "end" | "wide" | "under" | "end wide" | "end under"];

/** `action`: the heading of the last column, with what a person can do. It is for people who hear the page. */
export function Head(
  { columns, action }: { readonly columns: readonly Column[]; readonly action?: string | undefined },
): VNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [text, kind] = typeof column === "string" ? [column] : column;
          return <th key={text} scope="col" class={kind}>{text}</th>;
        })}
        {action !== undefined && (
          <th scope="col">
            <span class="unseen">{action}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
