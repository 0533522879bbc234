/** A recorded request in a list: its status, what was asked, and the answer. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { RecentRequest } from "./pages_terms.ts";
import { visible } from "./visible.ts";

export function RequestRow({ href, call, sender, outcome, isRefused }: RecentRequest): VNode {
  // The rest may be long.
  const status = outcome.split(" ", 1)[0] ?? "";
  return (
    <li>
      <span class={isRefused ? "tag refused" : "tag"}>{visible(status)}</span>{" "}
      <span>
        <a href={href}>{visible(call)}</a>{" "}
        {sender !== undefined && <span class="aside">{visible(sender)}</span>}{" "}
        <span class="aside">{visible(outcome.slice(status.length + 1))}</span>
      </span>
    </li>
  );
}
