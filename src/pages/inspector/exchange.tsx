/** The component that shows everything about one exchange in a file, below an `ExchangeHead`. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { EntryTokens, listTokens } from "./entry_tokens.tsx";
import type { LinkTo } from "./exchange_line.tsx";
import type { ShownExchange } from "./exchange_props.ts";
import { Explained } from "./explained.tsx";
import { RawMessages } from "./raw_messages.tsx";
import { Copies } from "./request_copies.tsx";
import { englishInspector as words } from "../words/inspector_english.ts";

/** The ids of its elements begin with `prefix`, because a file has many exchanges. */
export function ExchangeBody(
  { shown, link, prefix }: {
    readonly shown: ShownExchange;
    readonly link: LinkTo;
    readonly prefix: string;
  },
): VNode {
  return (
    <>
      <Explained shown={shown} link={link} />
      <RawMessages shown={shown} />
      <EntryTokens tokens={listTokens(shown)} prefix={prefix} />
      <details class="copies">
        <summary>{words.exchange.copy}</summary>
        <Copies shown={shown} prefix={prefix} />
      </details>
    </>
  );
}
