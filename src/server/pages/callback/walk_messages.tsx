/** Shows requests and responses as they were sent: the line, the headers, the form, the body. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { WalkCall } from "../../oauth/contracts/pages.ts";
import { CopyableBlock } from "../parts.tsx";
import { visible, visibleLines } from "../../../ground/values/visible.ts";
import { english as words } from "../words/english.ts";

type Pairs = WalkCall["response"]["headers"];

/** The headers that belong to the answer. Most responses of the server have the others, so those are folded. */
const tellingHeaders: ReadonlySet<string> = new Set([
  ...["content-type", "cache-control", "www-authenticate", "location", "dpop-nonce", "retry-after"],
]);

/** A request and its response, as two blocks. Below the request are the keys that verify its tokens. */
export function WalkMessages({ call, keys, prefix }: {
  readonly call: WalkCall;
  readonly keys: WalkCall | undefined;
  readonly prefix: string;
}): VNode {
  const { request, response } = call;
  const telling = response.headers.filter(([name]) => tellingHeaders.has(name));
  const others = response.headers.filter(([name]) => !tellingHeaders.has(name));
  return (
    <div class="messages">
      <section aria-labelledby={`${prefix}-request-heading`}>
        <h3 id={`${prefix}-request-heading`} class="unseen">{words.walk.request}</h3>
        <CopyableBlock id={`${prefix}-request`} kind={words.walk.request} what={words.walk.copyRequest}>
          {formatRequest(request)}
        </CopyableBlock>
        {keys !== undefined && <WalkCalls id="keys" heading={words.walk.keys} calls={[keys]} />}
      </section>
      <section aria-labelledby={`${prefix}-response-heading`}>
        <h3 id={`${prefix}-response-heading`} class="unseen">{words.walk.response}</h3>
        <CopyableBlock id={`${prefix}-response`} kind={words.walk.response} what={words.walk.copyResponse}>
          {formatResponse({ ...response, headers: telling })}
        </CopyableBlock>
        {others.length > 0 && (
          <details>
            <summary>{words.walk.otherHeaders}</summary>
            <pre class="block single"><code>{formatHeaders(others).join("\n")}</code></pre>
          </details>
        )}
      </section>
    </div>
  );
}

export function WalkCalls({ id, heading, calls }: {
  readonly id: string;
  readonly heading: string;
  readonly calls: readonly WalkCall[];
}): VNode {
  return (
    <details id={id}>
      <summary>{heading}</summary>
      {calls.map(({ request, response }, at) => (
        <pre key={at} class="block single">
          <code>{`${formatRequest(request)}\n\n${formatResponse(response)}`}</code>
        </pre>
      ))}
    </details>
  );
}

/** Each parameter of the form has a line of its own. On the wire, the form is one line. */
function formatRequest({ method, url, headers, form }: WalkCall["request"]): string {
  const lines = [`${method} ${url}`, ...formatHeaders(headers)];
  if (form === undefined) return lines.join("\n");
  const body = form.map(([name, value]) => `${name}=${visible(value)}`).join("\n&");
  return `${lines.join("\n")}\n\n${body}`;
}

function formatResponse({ status, headers, body }: WalkCall["response"]): string {
  const head = [`HTTP ${status}`, ...formatHeaders(headers)].join("\n");
  return body === "" ? head : `${head}\n\n${formatBody(body)}`;
}

function formatHeaders(headers: Pairs): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${visible(value)}`);
}

/** Indents JSON. Other text is shown as it is. */
function formatBody(body: string): string {
  try {
    return visibleLines(JSON.stringify(JSON.parse(body), null, 2));
  } catch {
    return visibleLines(body);
  }
}
