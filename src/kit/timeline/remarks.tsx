/** The component that says what a client or an API has to make of a wrong or unusual answer. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Remark } from "./exchange_props.ts";
import { RuleLinks } from "../../server/pages/rule_link.tsx";
import { englishTimeline as words } from "./timeline_english.ts";

export function Remarks({ remarks }: { readonly remarks: readonly Remark[] }): VNode {
  return (
    <>
      {remarks.map((remark) => (
        <p key={remark.name} class={remark.isUnusual ? "notice" : "notice caution"}>
          {describeFault(remark)} {words.levels[remark.reader][remark.level]}. {remark.action}{" "}
          (<RuleLinks rules={remark.rule} />)
        </p>
      ))}
    </>
  );
}

export function describeFault({ check, server }: Pick<Remark, "check" | "server">): string {
  return check === undefined ? server : `${words.failedChecks[check]}.`;
}
