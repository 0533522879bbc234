/** The component that marks where what came differs from what was expected. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { describeMoment } from "../../server/pages/value.tsx";
import { visible } from "../../server/pages/visible.ts";
import { englishTimeline as words } from "./timeline_english.ts";

/** What the server recorded. The names of causes are put into words. */
export function Told(
  { text, other = "" }: { readonly text: string; readonly other?: string | undefined },
): VNode {
  const cause = words.losses.get(text);
  return cause === undefined
    ? <code class="told">{mark(visible(addDate(text)), visible(addDate(other)))}</code>
    : <span class="told">{cause}</span>;
}

// Characters that two texts share at least, if the rest is worth marking.
const leastCommon = 8;

/** Marks where a text differs from a similar one, for example the slash at the end of a redirect URI. */
function mark(text: string, other: string): ComponentChildren {
  const [own, its] = [[...text], [...other]];
  const differsAt = (index: (at: number, length: number) => number) => {
    const most = Math.min(own.length, its.length);
    let at = 0;
    while (at < most && own[index(at, own.length)] === its[index(at, its.length)]) at++;
    return at;
  };
  const start = differsAt((at) => at);
  if (start < leastCommon || text === other) return text;
  const end = Math.min(differsAt((at, length) => length - 1 - at), own.length - start, its.length - start);
  // A mark below most of a text would say nothing.
  if (Math.max(own.length, its.length) > 2 * (start + end)) return text;
  return (
    <>
      {own.slice(0, start).join("")}
      <mark>{own.slice(start, own.length - end).join("")}</mark>
      {own.slice(own.length - end).join("")}
    </>
  );
}

/** Writes the date before a time in seconds. */
function addDate(recorded: string): string {
  return recorded.replace(
    /\b(exp|iat|nbf|auth_time|after) (\d{10})\b/g,
    (_, name, time) => `${name} ${describeMoment(Number(time))} (${time})`,
  );
}
