/** The page `/playground/read`: takes a pasted text apart. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { ErrorExplanation } from "../../../server/pages/callback/error_explanation.tsx";
import { type FormTarget, TokenForm } from "../parts/pass.tsx";
import type { NamedValue, ShownCheck, ShownValue } from "../../../server/pages/token/token_props.ts";
import { TokenView } from "../../../server/pages/token/token.tsx";
import { type ComparisonProps, TokenComparison } from "../parts/token_comparison.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { englishPlayground, type PlaygroundWords } from "./playground_english.ts";
import { englishComparison } from "../parts/comparison_english.ts";
import { Section } from "../../../server/pages/parts.tsx";

const words = englishPlayground.reader;

export type PastedKind = keyof PlaygroundWords["reader"]["kinds"];

/** Why a text cannot be taken apart. */
export type PastedProblem = keyof PlaygroundWords["reader"]["problems"];

export interface PastedProps {
  readonly kind: PastedKind;
  /** Present if the kind is `unreadable`. */
  readonly problem?: PastedProblem;
  /** The parameter or member that held the text. */
  readonly name?: string;
  readonly checks: readonly ShownCheck[];
  /** The parameters or members of the text, or what the server knows about a code or an opaque token. */
  readonly parameters: readonly NamedValue[];
  /** Present if the text is a code or a token. */
  readonly token?: ShownValue;
  readonly error?: string;
  /** The requests of the same flow in the inspector. */
  readonly flowUrl?: string;
  /** The texts inside of this one. */
  readonly inner: readonly PastedProps[];
}

interface ReaderProps {
  readonly form: FormTarget;
  /** Absent: the person has pasted nothing yet. */
  readonly pasted?: PastedProps;
  readonly comparison?: ComparisonProps;
  /** The person has pasted two texts, and one of them is not a JWT. */
  readonly isUncompared: boolean;
  /** The time by the server's clock, in seconds. */
  readonly now: number;
  readonly builderUrl: string;
}

export function readerPage(props: ReaderProps): Page {
  const { pasted, comparison, isUncompared, now, builderUrl, form } = props;
  const isFirst = pasted === undefined && comparison === undefined;
  return {
    title: words.heading,
    shape: "sheet",
    here: "playground",
    styles: ["parts.css", "token.css", "panels.css"],
    scripts: ["copy.js"],
    main: (
      <>
        <h1>{words.heading}</h1>
        {isUncompared && <p class="notice problem" id="uncompared">{englishComparison.needsTwo}</p>}
        {comparison !== undefined && (
          <Section id="compared" heading={englishComparison.heading}>
            <TokenComparison {...comparison} />
            <p class="aside">{englishComparison.about}</p>
          </Section>
        )}
        {pasted !== undefined && <Pasted {...pasted} now={now} />}
        {pasted?.error !== undefined && <ErrorExplanation code={pasted.error} />}
        {pasted?.inner.map((inner, at) => <Pasted key={at} {...inner} now={now} />)}
        <Section id="read" heading={isFirst ? words.paste : words.pasteAnother}>
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
      <details>
        <summary>{englishComparison.other}</summary>
        <textarea
          id="other"
          name="other"
          rows={4}
          aria-label={englishComparison.other}
          autocomplete="off"
          spellcheck={false}
        />
      </details>
      <p class="onward">
        <button type="submit" class={primary ? "button primary" : "button"} id="take-apart">
          {words.send}
        </button>
      </p>
    </TokenForm>
  );
}

export function Pasted(
  { kind, problem, name, checks, parameters, token = {}, flowUrl, now }:
    & PastedProps
    & Pick<ReaderProps, "now">,
): VNode {
  const id = `pasted-${name ?? "whole"}`;
  if (problem !== undefined) return <p class="notice problem" id="problem">{words.problems[problem]}</p>;
  return (
    <section aria-labelledby={id} data-kind={kind}>
      <h2 id={id}>
        {name === undefined || name === kind ? words.kinds[kind] : (
          <>
            {words.kinds[kind]}: <code>{visible(name)}</code>
          </>
        )}
      </h2>
      <p>{words.aboutKinds[kind]}</p>
      <TokenView
        id={`${id}-token`}
        name={words.kinds[kind]}
        token={token}
        checks={checks}
        facts={parameters}
        now={now}
      />
      {flowUrl !== undefined && (
        <p>
          <a href={flowUrl}>{words.flow}</a>
        </p>
      )}
    </section>
  );
}
