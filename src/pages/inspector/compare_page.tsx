/** The page `/inspector/compare`: the tokens of two requests side by side, with their difference. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import { PageForm, PageLink } from "../pass.tsx";
import { type ComparisonProps, TokenComparison } from "../token/token_comparison.tsx";
import { quote } from "../visible.ts";
import { englishToken } from "../words/token_english.ts";

const words = englishToken.compare;

export interface ComparePageProps {
  /** The path of the inspector. */
  readonly path: string;
  /** The name of the parameter or member with the token. */
  readonly token: string;
  /** The requests that have such a token, the latest first. */
  readonly entries: readonly CompareEntry[];
  /** The ids of the chosen requests. */
  readonly left?: string;
  readonly right?: string;
  /** Absent if one of the requests, or its token, is missing. */
  readonly compared?: ComparisonProps;
}

export interface CompareEntry {
  readonly id: string;
  /** When it was, and whose. */
  readonly name: string;
}

export function comparePage(props: ComparePageProps): Page {
  const { path, token, entries, left, right, compared } = props;
  return {
    title: words.heading,
    shape: "sheet",
    here: "inspector",
    styles: ["token.css"],
    main: (
      <>
        {right !== undefined && (
          <p>
            <PageLink href={`${path}/${right}`}>← {words.back}</PageLink>
          </p>
        )}
        <h1>{words.heading}</h1>
        {entries.length > 0 && (
          <PageForm id="compare" action={`${path}/compare`} class="compare">
            <input type="hidden" name="token" value={token} />
            <Choice name="left" label={words.first} entries={entries} chosen={left} />
            <Choice name="right" label={words.second} entries={entries} chosen={right} />
            <button type="submit" class="button">{words.choose}</button>
          </PageForm>
        )}
        {compared === undefined
          ? <p id="nothing">{entries.length < 2 ? words.none : words.gone}</p>
          : <TokenComparison {...compared} />}
        <p class="aside">{words.about}</p>
      </>
    ),
  };
}

function Choice({ name, label, entries, chosen }: {
  readonly name: string;
  readonly label: string;
  readonly entries: readonly CompareEntry[];
  readonly chosen: string | undefined;
}): VNode {
  return (
    <p>
      <label for={name}>{label}</label>{" "}
      <select id={name} name={name}>
        {entries.map((entry) => (
          <option key={entry.id} value={entry.id} selected={entry.id === chosen}>{quote(entry.name)}</option>
        ))}
      </select>
    </p>
  );
}
