/** The journal of the server, beside the client: each request, and why one was refused. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Mock, RecordedRequest, Refusal } from "../../../src/kit/mod.ts";
import { describeMoment } from "../../../src/server/pages/value.tsx";
import { RuleLinks } from "../../../src/server/pages/rule_link.tsx";

// More would be a list that people search.
const mostShown = 12;

/** Shows each request as soon as the server has answered it. */
export function Journal({ as }: { readonly as: Mock }): VNode {
  const [, setSeen] = useState(0);
  useEffect(() => {
    const wait = () => {
      as.requests.next(undefined, { timeout: "1d" }).then(() => {
        setSeen(as.requests.length);
        wait();
      }, () => {});
    };
    wait();
  }, [as]);
  const requests = as.requests.toArray();
  return (
    <section class="journal" aria-labelledby="journal-title">
      <h2 id="journal-title">What the server saw</h2>
      <p class="aside">{describeShown(requests.length)}</p>
      {requests.length > 0 && (
        <ol reversed start={requests.length}>
          {requests.slice(-mostShown).toReversed().map((request) => (
            <Entry key={request.id} request={request} />
          ))}
        </ol>
      )}
    </section>
  );
}

function describeShown(count: number): string {
  if (count === 0) return "No request yet.";
  return count <= mostShown
    ? "The newest request is first."
    : `The newest request is first. The list shows the last ${mostShown} of ${count} requests.`;
}

function Entry({ request }: { readonly request: RecordedRequest }): VNode {
  const { method, path, status, outcome, grantType, person, refusal, altered = [] } = request;
  return (
    <li data-outcome={outcome}>
      <p>
        <span class={`mark outcome-${outcome}`}>{status}</span> {method} <code>{path}</code>{" "}
        <span class="aside">{[grantType, person].filter((each) => each !== undefined).join(", ")}</span>
      </p>
      {altered.length > 0 && (
        <p class="aside">Wrong on purpose: {altered.map(({ seam }) => seam).join(", ")}</p>
      )}
      {refusal && <Refused refusal={refusal} />}
    </li>
  );
}

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
