/** The page `/playground/read`: takes a pasted text apart. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { ErrorExplanation } from "../../../server/pages/callback/error_explanation.tsx";
import { type FormTarget, TokenForm } from "../parts/pass.tsx";
import type { NamedValue, ShownCheck, ShownValue } from "../../../server/pages/token/token_props.ts";
import { countResults, TokenView } from "../../../server/pages/token/token.tsx";
import { type ComparisonProps, TokenComparison } from "../parts/token_comparison.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { englishPlayground, type PlaygroundWords } from "./playground_english.ts";
import { englishComparison } from "../parts/comparison_english.ts";
import { Section } from "../../../server/pages/parts.tsx";
import type { SectionLink } from "../parts/section_links.tsx";
import { SectionLinks } from "../parts/section_links.tsx";

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
  readonly sections: PlaygroundSections;
}

/** The addresses of the two pages of the playground. */
export interface PlaygroundSections {
  readonly build: string;
  readonly read: string;
}

export function linkSections(
  here: keyof PlaygroundSections,
  { build, read }: PlaygroundSections,
): { readonly label: string; readonly links: readonly SectionLink[] } {
  return {
    label: englishPlayground.sections,
    links: [
      { href: build, text: words.builder, isHere: here === "build" },
      { href: read, text: words.heading, isHere: here === "read" },
    ],
  };
}

export function readerPage(props: ReaderProps): Page {
  const { pasted, comparison, isUncompared, now, sections, form } = props;
  const isFirst = pasted === undefined && comparison === undefined;
  return {
    title: words.heading,
    here: "playground",
    styles: ["parts.css", "token.css", "panels.css"],
    scripts: ["copy.js"],
    main: (
      <>
        <SectionLinks {...linkSections("read", sections)} />
        <Verdict
          checks={pasted === undefined ? [] : [pasted, ...pasted.inner].flatMap((each) => each.checks)}
        />
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
        {isFirst ? <PasteForm form={form} /> : (
          <Section id="read" heading={words.pasteAnother}>
            <PasteForm form={form} />
          </Section>
        )}
      </>
    ),
  };
}

/** The heading of the page: what the checks of the text and of the texts inside of it say. */
function Verdict({ checks }: Pick<PastedProps, "checks">): VNode {
  const { passed, failed } = countResults(checks);
  return passed + failed === 0
    ? <h1>{words.heading}</h1>
    : <h1 id="verdict" data-result={failed > 0 ? "failed" : "passed"}>{words.verdict(passed, failed)}</h1>;
}

function PasteForm({ form }: Pick<ReaderProps, "form">): VNode {
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
        <button type="submit" class="button primary" id="take-apart">
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
