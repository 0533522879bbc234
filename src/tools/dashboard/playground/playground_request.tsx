/** Shows a request of the playground, its copies, the button that sends it, and the arithmetic of its PKCE pair. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { CopyableBlock, HangingLines, Section, ValueFact } from "../../../server/pages/parts.tsx";
import { visible, visibleLines } from "../../../ground/values/visible.ts";
import { englishPlayground as words } from "./playground_english.ts";
import type { RequestKind } from "./request_kinds.ts";
import type { RequestCopy } from "../../../kit/timeline/exchange_props.ts";

/** A request as the browser would send it. */
export interface RequestProps {
  readonly method: "GET" | "POST";
  /** The address as the issuer names it. */
  readonly url: string;
  /** The address on this server. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The fields of the body, if it is a form. */
  readonly form?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly copies: readonly RequestCopy[];
}

export interface SendProps {
  readonly request: RequestProps;
  readonly kind: RequestKind;
  /** Answers with the page of the inspector about the last request to a path. */
  readonly sentUrl: string;
}

export interface PkcePair {
  readonly verifier: string;
  /** SHA-256 of the verifier, as hexadecimal digits. */
  readonly hash: string;
  /** The same octets as base64url. */
  readonly challenge: string;
}

export function RequestText(
  { request: { method, url, headers, form, body, copies } }: { readonly request: RequestProps },
): VNode {
  const [address, query] = [url.split("?")[0]!, url.includes("?") ? url.slice(url.indexOf("?") + 1) : ""];
  const shownBody = form === undefined ? body : undefined;
  return (
    <>
      <pre id="request" class="block" tabIndex={0} role="group" aria-label={words.request.heading}>
        <code>
          <HangingLines>
          {`${method} ${visible(address)}`}
          {query !== "" && `\n?${query.split("&").map(visible).join("\n&")}`}
          {headers.map(([name, value]) => `\n${name}: ${visible(value)}`)}
          {form !== undefined && form.length > 0 && "\n"}
          {form?.map(([name, value]) => `\n${visible(name)} = ${visible(value)}`)}
          {shownBody !== undefined && `\n\n${visibleLines(shownBody)}`}
          </HangingLines>
        </code>
      </pre>
      <details>
        <summary>{words.request.copy}</summary>
        {copies.map(({ kind, text }) => (
          <CopyableBlock
            key={kind}
            id={`copy-${kind}`}
            kind={words.request.copies[kind]}
            what={words.request.copyWhat[kind]}
          >
            {text}
          </CopyableBlock>
        ))}
      </details>
    </>
  );
}

/** Sends the request from the browser. Without the script, a browser can send only a form without own headers. */
export function Send(
  { request, kind, sentUrl, isRefused }: SendProps & { readonly isRefused: boolean },
): VNode {
  const { method, target, headers, form, body } = request;
  // The form helps more than an answer that the page already has.
  const face = isRefused ? "button" : "button primary";
  if (kind.isOpenedByBrowser) {
    return (
      <p class="onward">
        <a class={face} id="start" href={target}>{words.request.start}</a>
      </p>
    );
  }
  const isPlain = headers.every(([name]) => name === "content-type") &&
    (form !== undefined || method === "GET");
  return (
    <form
      id="send"
      method={method}
      action={target}
      target="_blank"
      rel="noopener"
      data-request={JSON.stringify({ method, target, headers, body })}
      data-sent={sentUrl}
    >
      {form?.map(([name, value], at) => <input key={at} type="hidden" name={name} value={value} />)}
      <p class="onward">
        <button type="submit" class={face} id="send-request" hidden={!isPlain || undefined}>
          {words.request.send}
        </button>
      </p>
      {!isPlain && <p class="aside" data-without-script>{words.request.needsScript}</p>}
    </form>
  );
}

/** RFC 7636 §4.2: BASE64URL(SHA256(code_verifier)). */
export function Arithmetic({ verifier, hash, challenge }: PkcePair): VNode {
  return (
    <Section id="pkce" heading={words.pkce.heading}>
      <p>{words.pkce.about}</p>
      <dl class="facts">
        <ValueFact term={words.pkce.verifier} id="verifier" value={verifier} />
        <ValueFact term={words.pkce.hash} id="verifier-hash" value={hash} />
        <ValueFact term={words.pkce.challenge} id="challenge" value={challenge} />
      </dl>
    </Section>
  );
}
