/** The component that shows values with their names and explanations. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { NamedValue } from "./exchange_props.ts";
import { Value } from "./value.tsx";
import { Fact } from "../parts.tsx";
import { TokenView } from "../token/token.tsx";
import { quote } from "../visible.ts";

export type Explanations = ReadonlyMap<string, string>;

/** Values with their names and explanations. */
export function Values({ values, explain }: {
  readonly values: readonly NamedValue[];
  readonly explain: readonly Explanations[];
}): VNode {
  return (
    <dl class="facts">
      {values.map((value, at) => {
        const meaning = value.meaning ?? value.name;
        const explanation = explain.find((each) => each.has(meaning))?.get(meaning);
        return (
          <Fact key={at} term={<code>{quote(value.name)}</code>}>
            <Value value={value} />
            {explanation !== undefined && <span class="aside">{explanation}</span>}
            {value.jwt !== undefined && (
              <TokenView name={value.name} token={{ jwt: value.jwt }} checks={[]} carriedBy={value.name} />
            )}
          </Fact>
        );
      })}
    </dl>
  );
}
