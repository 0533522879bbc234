/** The page `/search`: clients, people, rules and requests that hold the text. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "./document.tsx";
import { RequestTable } from "./inspector/request_table.tsx";
import type { RecentRequests } from "./pages_terms.ts";
import { visible } from "./visible.ts";
import { english } from "./words/english.ts";
import { Section } from "./parts.tsx";
import { PageLink } from "./pass.tsx";

export interface Match {
  readonly kind: "client" | "person" | "rule";
  readonly title: string;
  /** The client id, or the username. */
  readonly id?: string;
  readonly href: string;
}

export interface SearchProps {
  readonly query: string;
  /** Absent if the person has typed nothing. */
  readonly found?: {
    readonly matches: readonly Match[];
    readonly requests: RecentRequests;
  };
}

const kinds = ["client", "person", "rule"] as const;

export function searchPage({ query, found }: SearchProps): Page {
  const isNothing = found !== undefined && found.matches.length + found.requests.items.length === 0;
  return {
    title: english.search.heading,
    shape: "sheet",
    styles: ["requests.css"],
    main: (
      <>
        <h1>{english.search.heading}</h1>
        <form class="inline" role="search" aria-label={english.search.label}>
          <div class="field">
            <label for="q">{english.search.label}</label>
            <input id="q" type="search" name="q" value={query} maxLength={200} />
          </div>
          <button type="submit" class="button">{english.search.send}</button>
        </form>
        {isNothing && <p id="nothing">{english.search.nothing(visible(query))}</p>}
        {found && kinds.map((kind) => <Matches key={kind} kind={kind} matches={found.matches} />)}
        {found && found.requests.items.length > 0 && (
          <Section id="request" heading={english.search.kinds.request}>
            <RequestTable {...found.requests} />
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
      <table class="rows found" id={kind}>
        <thead>
          <tr>{english.search.columns[kind].map((column) => <th key={column}>{column}</th>)}</tr>
        </thead>
        <tbody>
          {found.map(({ title, id, href }) => (
            <tr key={href}>
              <td>
                <PageLink href={href}>{visible(title)}</PageLink>
              </td>
              {id !== undefined && (
                <td>
                  <code>{visible(id)}</code>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
