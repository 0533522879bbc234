/** The components that say what a client or an API has to make of a wrong or unusual answer. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Remark } from "./exchange_props.ts";
import { RuleLinks } from "../../server/pages/rule_link.tsx";
import { englishTimeline as words } from "./timeline_english.ts";

/** The failed comparisons. What was changed on purpose stands in the box at the top. */
export function Remarks({ remarks }: { readonly remarks: readonly Remark[] }): VNode {
  return (
    <>
      {remarks.filter(({ check }) => check !== undefined).map((remark) => (
        <p key={remark.name} class={remark.isUnusual ? "notice" : "notice caution"}>
          <RemarkText remark={remark} />
        </p>
      ))}
    </>
  );
}

export function RemarkText({ remark }: { readonly remark: Remark }): VNode {
  return (
    <>
      {describeFault(remark)} {words.levels[remark.reader][remark.level]}. {remark.action}{" "}
      (<RuleLinks rules={remark.rule} />)
    </>
  );
}

export function describeFault({ check, server }: Pick<Remark, "check" | "server">): string {
  return check === undefined ? server : `${words.failedChecks[check]}.`;
}
