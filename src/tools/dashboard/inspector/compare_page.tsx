/** The page `/inspector/compare`: two tokens side by side, with their difference. */
/** @jsxImportSource preact */

import type { Page } from "../frame/dashboard_document.tsx";
import { Choice } from "../parts/field.tsx";
import { PageForm, PageLink } from "../parts/pass.tsx";
import { type ComparisonProps, TokenComparison } from "../parts/token_comparison.tsx";
import { quote } from "../../../ground/values/visible.ts";
import { englishComparison } from "../parts/comparison_english.ts";

const words = englishComparison;

interface ComparePageProps {
  readonly path: string;
  /** The filter of the list, which selects the tokens to choose from. */
  readonly line: string;
  /** The tokens to choose from: those of the chosen requests, then others, the latest first. */
  readonly tokens: readonly OfferedToken[];
  /** The places of the chosen tokens. */
  readonly left?: string;
  readonly right?: string;
  /** The id of the request with the second token. */
  readonly back?: string;
  /** Absent if one of the requests, or its token, is missing. */
  readonly compared?: ComparisonProps;
}

interface OfferedToken {
  /** The request, the message and the name of the token, as the address has them. */
  readonly place: string;
  /** What it is, when it was, and whose. */
  readonly name: string;
}

export function comparePage(props: ComparePageProps): Page {
  const { path, line, tokens, left, right, back, compared } = props;
  const options = tokens.map(({ place, name }) => ({ value: place, text: quote(name) }));
  return {
    title: words.heading,
    here: "inspector",
    styles: ["parts.css", "token.css", "panels.css"],
    main: (
      <>
        {back !== undefined && (
          <p>
            <PageLink href={`${path}/${back}`}>← {words.back}</PageLink>
          </p>
        )}
        <h1>{words.heading}</h1>
        {tokens.length > 0 && (
          <details open={compared === undefined}>
            <summary>{words.others}</summary>
            <PageForm id="compare" action={`${path}/compare`} class="compare">
              {line !== "" && <input type="hidden" name="q" value={line} />}
              <Choice name="left" label={words.first} value={left} options={options} />
              <Choice name="right" label={words.second} value={right} options={options} />
              <button type="submit" class="button">{words.choose}</button>
            </PageForm>
          </details>
        )}
        {compared === undefined
          ? <p id="nothing">{right === undefined && tokens.length > 0 ? words.gone : words.none}</p>
          : <TokenComparison {...compared} />}
        <p class="aside">{words.about}</p>
      </>
    ),
  };
}
