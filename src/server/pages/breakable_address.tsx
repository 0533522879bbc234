/** An address that breaks at the right places. */
/** @jsxImportSource preact */

import type { VNode } from "preact";

/** A host, with a place to break after each dot. */
export function BreakableHost({ host }: { readonly host: string }): VNode {
  return <>{host.split(/(?<=\.)/).map((part, at) => at === 0 ? part : [<wbr key={at} />, part])}</>;
}

/** The text, with places to break after slashes, `?`, `&`, `=`, `(` and the colons of a URN, because Chromium breaks at none of them. */
export function BreakableAddress({ text }: { readonly text: string }): VNode {
  const parts = text.split(/(?<=[^/]\/|[?&=(])(?![/?&=(])|(?<=:)(?=[a-z])/);
  return <>{parts.map((part, at) => at === 0 ? part : [<wbr key={at} />, part])}</>;
}
