/** An address that breaks at the right places. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";

/** The text, with a place to break after each slash, question mark and ampersand, because Chromium breaks at none of them. */
export function BreakableAddress({ text }: { readonly text: string }): VNode {
  const parts = text.split(/(?<=[/?&])(?![/?&])/);
  return <>{parts.map((part, at) => at === 0 ? part : [<wbr key={at} />, part])}</>;
}
