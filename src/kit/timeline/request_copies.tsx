/** The recorded request as programs to copy. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ShownExchange } from "./exchange_props.ts";
import { CopyButton } from "../../server/pages/parts.tsx";
import { visibleLines } from "../../ground/values/visible.ts";
import { englishTimeline as words } from "./timeline_english.ts";

/** The ids of the blocks begin with `prefix`, because a file has many requests. */
export function Copies(
  { copies, prefix }: { readonly copies: ShownExchange["copies"]; readonly prefix: string },
): VNode {
  return (
    <>
      <p class="aside">{words.exchange.copyNote}</p>
      {copies.map(({ kind, text }) => (
        <div key={kind} class="block">
          <p class="bar">
            {words.exchange.copies[kind]}
            <CopyButton target={`${prefix}${kind}`} what={` ${words.exchange.copies[kind]}`} />
          </p>
          <pre id={`${prefix}${kind}`}><code>{visibleLines(text)}</code></pre>
        </div>
      ))}
    </>
  );
}
