/** The component that says what a client or an API has to make of a wrong or unusual answer. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Remark } from "./exchange_props.ts";
import { RuleLinks } from "../rule_link.tsx";
import { englishInspector as words } from "../words/inspector_english.ts";

/** What is wrong, how strongly a standard obliges the reader, what the reader does, and the rule. */
export function Remarks({ remarks }: { readonly remarks: readonly Remark[] }): VNode {
  return (
    <>
      {remarks.map(({ name, check, level, reader, isUnusual, server, deed, rule }) => (
        <p key={name} class={isUnusual ? "notice" : "notice caution"}>
          {check === undefined ? server : `${words.failedChecks[check]}.`} {words.levels[reader][level]}.{" "}
          {deed} (<RuleLinks rules={rule} />)
        </p>
      ))}
    </>
  );
}
