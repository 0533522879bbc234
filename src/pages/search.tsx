/** The page `/search`: clients, people, rules and requests that hold the text. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "./document.tsx";
import { visible } from "./visible.ts";
import type { Words } from "./words/english.ts";
import { langOfEnglish, useWords } from "./words/use_words.ts";

export interface Match {
  readonly kind: "client" | "person" | "rule" | "request";
  readonly title: string;
  readonly detail: string;
  /** Absent if no page shows it. */
  readonly href?: string;
}

export interface SearchProps {
  readonly query: string;
  /** Absent if the person has typed nothing. */
  readonly matches?: readonly Match[];
  readonly homeUrl: string;
}

const kinds = ["client", "person", "rule", "request"] as const;

export function searchPage({ query, matches, homeUrl }: SearchProps, words: Words): Page {
  return {
    title: words.search.heading,
    shape: "sheet",
    homeUrl,
    main: (
      <>
        <h1>{words.search.heading}</h1>
        <form class="search">
          <label for="q">{words.search.label}</label>
          <input id="q" type="search" name="q" value={query} maxLength={200} />
          <button type="submit" class="button">{words.search.send}</button>
        </form>
        {matches?.length === 0 && <p id="nothing">{words.search.nothing(visible(query))}</p>}
        {kinds.map((kind) => <Matches key={kind} kind={kind} matches={matches ?? []} />)}
      </>
    ),
  };
}

function Matches(
  { kind, matches }: { readonly kind: Match["kind"]; readonly matches: readonly Match[] },
): VNode | null {
  const words = useWords();
  const found = matches.filter((match) => match.kind === kind);
  return found.length === 0 ? null : (
    <section aria-labelledby={`${kind}-heading`}>
      <h2 id={`${kind}-heading`}>{words.search.kinds[kind]}</h2>
      <ul class="links">
        {found.map(({ title, detail, href }, at) => (
          <li key={at} lang={kind === "request" ? langOfEnglish(words) : undefined}>
            {href === undefined ? visible(title) : <a href={href}>{visible(title)}</a>}{" "}
            {detail !== title && <span class="aside">{visible(detail)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
