/** Requires of any page what no eye would miss in a browser: the scripts that it needs, and tables whose rows are as wide. */

import { assert, assertEquals } from "@std/assert";
import { type Element, findAll, readHtml } from "../../server/pages/read_html.ts";

/** Without the script, a button stays hidden, or a page stays as it is. */
const needs: readonly (readonly [mark: RegExp, scripts: RegExp])[] = [
  [/ data-copy="/, /copy/],
  [/ data-each="/, /copy_lines/],
  [/ data-filter="/, /filter/],
  [/ data-without-script/, /live|playground/],
  [/ data-local="/, /live/],
  [/ class="tabs"/, /tabs/],
  [/ data-pass="carried"/, /pass/],
  [/ id="key-form"/, /key/],
  [/ id="build"/, /playground/],
  [/ id="notify"/, /inspector/],
  [/ data-entry="/, /beside|inspector/],
];

export function requireWhole(html: string): void {
  const page = readHtml(html);
  const [, title = ""] = /<title>([^<]*)/.exec(html) ?? [];
  const loaded = [...html.matchAll(/\/(\w+)\.js"/g)].map(([, name = ""]) => name);
  for (const [mark, scripts] of needs) {
    const isNeeded = mark.test(html);
    const isLoaded = loaded.some((name) => new RegExp(`^(?:${scripts.source})$`).test(name));
    assert(!isNeeded || isLoaded, `${title} has ${mark.source}, and no script ${scripts.source}`);
  }
  for (const table of findAll(page, "table").filter((each) => hasClass(each, "rows"))) {
    const [first, ...others] = findAll(table, "tr").map(countColumns);
    for (const count of others) assertEquals(count, first, `the columns of a table of ${title}`);
  }
}

function hasClass({ attributes }: Element, name: string): boolean {
  return attributes.get("class")?.split(" ").includes(name) ?? false;
}

function countColumns({ children }: Element): number {
  return children.filter((each) => typeof each !== "string")
    .filter(({ attributes }) => !attributes.has("hidden"))
    .reduce((sum, { attributes }) => sum + Number(attributes.get("colspan") ?? 1), 0);
}
