/** The page `/playground/read`: takes a pasted text apart. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import { ErrorExplanation } from "../callback/error_explanation.tsx";
import { Jwt, Values } from "../inspector/named_values.tsx";
import { type FormTarget, TokenForm } from "../pass.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { visible } from "../visible.ts";
import { englishInspector } from "../words/inspector_english.ts";
import { englishPlayground } from "../words/playground_english.ts";
import { Section } from "../parts.tsx";
import type { DecodedJwt, NamedValue } from "../inspector/exchange_props.ts";

const words = englishPlayground.reader;

/** What a pasted text is. */
export type PastedKind =
  | "access_token"
  | "authorization_request"
  | "authorization_response"
  | "client_assertion"
  | "code"
  | "dpop_proof"
  | "id_token"
  | "jwt"
  | "logout_token"
  | "refresh_token"
  | "request_object"
  | "response"
  | "unreadable";

export type PastedCheckName =
  | "alive"
  | "ath"
  | "at_hash"
  | "aud"
  | "browser"
  | "client"
  | "events"
  | "exp"
  | "iat"
  | "iss"
  | "jti"
  | "nbf"
  | "no_nonce"
  | "nonce"
  | "redirect_uri"
  | "response_iss"
  | "server"
  | "signature"
  | "sub_or_sid"
  | "typ";

/** `open`: the server cannot decide it, for example because only the client knows the other value. */
export interface PastedCheck {
  readonly name: PastedCheckName;
  readonly result: "passed" | "failed" | "open";
  readonly expected?: string;
  readonly received?: string;
  readonly rule?: string;
}

/** Why a text cannot be taken apart. */
export type PastedProblem = "empty" | "encrypted" | "json" | "too_long" | "unknown";

export interface PastedProps {
  readonly kind: PastedKind;
  /** Present if the kind is `unreadable`. */
  readonly problem?: PastedProblem;
  /** The parameter or member that held the text. */
  readonly name?: string;
  readonly checks: readonly PastedCheck[];
  readonly parameters: readonly NamedValue[];
  readonly jwt?: DecodedJwt;
  /** The error code of a response. */
  readonly error?: string;
  /** The requests of the same flow in the inspector. */
  readonly flowUrl?: string;
  /** The texts inside of this one. */
  readonly inner: readonly PastedProps[];
}

export interface ReaderProps {
  readonly form: FormTarget;
  /** Absent: the person has pasted nothing yet. */
  readonly pasted?: PastedProps;
  /** The address of the playground. */
  readonly builderUrl: string;
}

export function readerPage({ pasted, builderUrl, form }: ReaderProps): Page {
  return {
    title: words.heading,
    shape: "sheet",
    here: "playground",
    styles: ["playground.css"],
    main: (
      <>
        <h1>{words.heading}</h1>
        {pasted !== undefined && <Pasted {...pasted} />}
        {pasted?.error !== undefined && <ErrorExplanation code={pasted.error} />}
        {pasted?.inner.map((inner, at) => <Pasted key={at} {...inner} />)}
        <Section id="read" heading={pasted === undefined ? words.paste : words.pasteAnother}>
          <PasteForm form={form} primary />
        </Section>
        <p>
          <a id="builder" href={builderUrl}>{words.builder}</a>
        </p>
      </>
    ),
  };
}

/** `primary`: the form is what the page is for. */
export function PasteForm(
  { form, primary = false }: { readonly form: FormTarget; readonly primary?: boolean },
): VNode {
  return (
    <TokenForm id="read" form={form}>
      <label for="pasted">{words.label}</label>
      <textarea
        id="pasted"
        name="pasted"
        rows={4}
        aria-describedby="pasted-about"
        autocomplete="off"
        spellcheck={false}
      />
      <p class="aside" id="pasted-about">{words.about}</p>
      <p class="onward">
        <button type="submit" class={primary ? "button primary" : "button"} id="take-apart">
          {words.send}
        </button>
      </p>
    </TokenForm>
  );
}

function Pasted({ kind, problem, name, checks, parameters, jwt, flowUrl }: PastedProps): VNode {
  const { explanations } = englishInspector;
  const id = `pasted-${name ?? "whole"}`;
  if (problem !== undefined) return <p class="notice problem" id="problem">{words.problems[problem]}</p>;
  return (
    <section aria-labelledby={id} data-kind={kind}>
      <h2 id={id}>
        {name === undefined ? words.kinds[kind] : (
          <>
            {words.kinds[kind]}: <code>{visible(name)}</code>
          </>
        )}
      </h2>
      <p>{words.aboutKinds[kind]}</p>
      {checks.length > 0 && (
        <>
          <h3>{words.checks}</h3>
          <dl class="facts triples">{checks.map((check) => <Check key={check.name} {...check} />)}</dl>
        </>
      )}
      {jwt !== undefined && (
        <>
          <h3>{words.members}</h3>
          <Jwt jwt={jwt} />
        </>
      )}
      {parameters.length > 0 && (
        <>
          <h3>{words.parameters}</h3>
          <Values values={parameters} explain={[explanations.parameters]} />
        </>
      )}
      {flowUrl !== undefined && (
        <p>
          <a href={flowUrl}>{words.flow}</a>
        </p>
      )}
    </section>
  );
}

function Check({ name, result, expected, received, rule }: PastedCheck): VNode {
  return (
    <div class={`fact ${result}`} data-check={name} data-result={result}>
      <dt>
        {words.checkNames[name].title} <span class="tag">{words.results[result]}</span>
      </dt>
      <dd>
        {received !== undefined && <code class="told">{visible(received)}</code>}
        {expected !== undefined && (
          <span class="aside">
            {words.expected} <code class="told">{visible(expected)}</code>
          </span>
        )}
      </dd>
      <dd class="aside">{words.checkNames[name].about} {rule !== undefined && <RuleLinks rules={rule} />}</dd>
    </div>
  );
}
