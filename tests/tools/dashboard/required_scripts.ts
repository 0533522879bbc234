/** Which script a page needs, by what is on it: without the script, a button stays hidden, or a page stays as it is. */

import { assert } from "@std/assert";

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

/** Requires that a page loads the scripts that act on its elements. */
export function requireScripts(html: string): void {
  const [, title = ""] = /<title>([^<]*)/.exec(html) ?? [];
  const loaded = [...html.matchAll(/\/(\w+)\.js"/g)].map(([, name = ""]) => name);
  for (const [mark, scripts] of needs) {
    const isNeeded = mark.test(html);
    const isLoaded = loaded.some((name) => new RegExp(`^(?:${scripts.source})$`).test(name));
    assert(!isNeeded || isLoaded, `${title} has ${mark.source}, and no script ${scripts.source}`);
  }
}
