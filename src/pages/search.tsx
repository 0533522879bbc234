/** The page `/search`: clients, people, rules and requests that hold the text. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "./document.tsx";
import type { RecentRequest } from "./pages_terms.ts";
import { RequestRow } from "./request_row.tsx";
import { visible } from "./visible.ts";
import { english } from "./words/english.ts";
import { Section } from "./parts.tsx";

export interface Match {
  readonly kind: "client" | "person" | "rule";
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

export interface SearchProps {
  readonly query: string;
  /** Absent if the person has typed nothing. */
  readonly found?: {
    readonly matches: readonly Match[];
    readonly requests: readonly RecentRequest[];
  };
}

const kinds = ["client", "person", "rule"] as const;

export function searchPage({ query, found }: SearchProps): Page {
  const { matches, requests } = found ?? { matches: [], requests: [] };
  const isNothing = found !== undefined && matches.length + requests.length === 0;
  return {
    title: english.search.heading,
    shape: "sheet",
    main: (
      <>
        <h1>{english.search.heading}</h1>
        <form class="filter" role="search" aria-label={english.search.label}>
          <label for="q">{english.search.label}</label>
          <input id="q" type="search" name="q" value={query} maxLength={200} />
          <button type="submit" class="button">{english.search.send}</button>
        </form>
        {isNothing && <p id="nothing">{english.search.nothing(visible(query))}</p>}
        {kinds.map((kind) => <Matches key={kind} kind={kind} matches={matches} />)}
        {requests.length > 0 && (
          <Section id="request" heading={english.search.kinds.request}>
            <ol class="recent">
              {requests.map((request) => <RequestRow key={request.href} {...request} />)}
            </ol>
          </Section>
        )}
      </>
    ),
  };
}

function Matches(
  { kind, matches }: { readonly kind: Match["kind"]; readonly matches: readonly Match[] },
): VNode | null {
  const found = matches.filter((match) => match.kind === kind);
  return found.length === 0 ? null : (
    <Section id={kind} heading={english.search.kinds[kind]}>
      <ul class="recent">
        {found.map(({ title, detail, href }) => (
          <li key={href}>
            <span>
              <a href={href}>{visible(title)}</a>{" "}
              {detail !== title && <span class="aside">{visible(detail)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
