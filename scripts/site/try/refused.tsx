/** Why the server has refused a request, as it writes that into its journal. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Refusal } from "../../../src/kit/mod.ts";
import { describeMoment } from "../../../src/server/pages/value.tsx";
import { RuleLinks } from "../../../src/server/pages/rule_link.tsx";

export function Refused({ refusal: { description, reason, expected, received, spec } }: {
  readonly refusal: Refusal;
}): VNode {
  return (
    <dl class="refused" data-reason={reason}>
      <dt>{description}</dt>
      <dd>
        <code>{reason}</code>
      </dd>
      {expected && <dd>Expected: {withMoments(expected)}</dd>}
      {received && <dd>Received: {withMoments(received)}</dd>}
      {spec && (
        <dd>
          <RuleLinks rules={spec} />
        </dd>
      )}
    </dl>
  );
}

/** Writes a time in seconds, as a claim has it, for people, too. */
function withMoments(text: string): string {
  return text.replace(/\b[12]\d{9}\b/g, (seconds) => `${seconds} (${describeMoment(Number(seconds))})`);
}
