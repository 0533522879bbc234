/** The page `/playground/read`: takes a pasted text apart. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import { ErrorExplanation } from "../callback/error_explanation.tsx";
import { Jwt, Values } from "../inspector/exchange.tsx";
import type { PastedCheck, PastedProps, ReaderProps } from "./playground_props.ts";
import { type FormTarget, TokenForm } from "../pass.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { visible } from "../visible.ts";
import { englishInspector } from "../words/inspector_english.ts";
import { englishPlayground } from "../words/playground_english.ts";
import { Section } from "../parts.tsx";

export function readerPage({ pasted, builderUrl, form }: ReaderProps): Page {
  const words = englishPlayground.reader;
  return {
    title: words.heading,
    shape: "sheet",
    here: "playground",
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
  const words = englishPlayground.reader;
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
  const words = englishPlayground.reader;
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
          <dl class="facts triples">
            {checks.map((check) => <Check key={check.name} {...check} />)}
          </dl>
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
  const words = englishPlayground.reader;
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
      <dd class="aside">
        {words.checkNames[name].about} {rule !== undefined && <RuleLinks rules={rule} />}
      </dd>
    </div>
  );
}
