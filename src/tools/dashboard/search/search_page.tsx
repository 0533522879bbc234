/** The page `/search`: pages, clients, people, reasons, misbehaviours, rules and requests that hold the words. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { englishDirectory } from "../directory/directory_english.ts";
import { EndForm, FindForm } from "../directory/directory_parts.tsx";
import { endOf } from "../directory/people_page.tsx";
import { type ClientRow, Start } from "../directory/clients_page.tsx";
import type { Page } from "../frame/dashboard_document.tsx";
import { NewestToken } from "../frame/front_parts.tsx";
import { ReaderLink, RequestTable } from "../parts/request_table.tsx";
import type { RecentRequests } from "../frame/frame_props.ts";
import { visible } from "../../../ground/values/visible.ts";
import { englishSearch as words } from "./search_english.ts";
import { Section, Table } from "../../../server/pages/parts.tsx";
import { type FormTarget, PageLink, TokenForm } from "../parts/pass.tsx";

export const matchKinds = ["page", "client", "person", "reason", "misbehaviour", "rule"] as const;

export interface Match {
  readonly kind: typeof matchKinds[number];
  readonly title: string;
  /** The client id, the username, or the reason. */
  readonly id?: string;
  /** What the server does, or how many requests there are. */
  readonly about?: string;
  readonly href: string;
  /** Ends all access of a person, if the page may. */
  readonly end?: FormTarget;
  readonly tokenUrl?: string;
  readonly client?: Omit<ClientRow, "grants">;
}

export interface SearchProps {
  readonly query: string;
  /** The inspector with the query as its filter. */
  readonly filterUrl: string;
  /** The page that takes a pasted text apart. */
  readonly readerUrl: string;
  /** The query is a JWT of no login of this server. The form takes it apart. */
  readonly foreign?: { readonly jwt: string; readonly form: FormTarget };
  /** The query reads as a filter, so that the inspector comes first. */
  readonly isFilter: boolean;
  /** Absent if the person has typed nothing. */
  readonly found?: {
    readonly matches: readonly Match[];
    /** How many misbehaviours there are besides, and the catalogue with them. */
    readonly more?: { readonly count: number; readonly href: string };
    readonly requests: RecentRequests;
    /** There are more requests than these. */
    readonly isCut: boolean;
  };
}

export function searchPage({ query, readerUrl, foreign, filterUrl, isFilter, found }: SearchProps): Page {
  const isNothing = found !== undefined && found.matches.length + found.requests.items.length === 0;
  const inspect = (
    <p>
      <PageLink id="filter-requests" href={filterUrl}>
        {found?.isCut ? words.allRequests : words.filter}
      </PageLink>
    </p>
  );
  return {
    title: words.heading,
    here: "search",
    styles: ["parts.css", "panels.css", "inspector.css"],
    scripts: foreign ? ["search.js"] : [],
    main: (
      <>
        <div class="headline">
          <h1>{words.heading}</h1>
          <FindForm id="q" label={words.label} value={query} send={words.send} />
        </div>
        {isFilter && !found?.isCut && inspect}
        {isNothing && (foreign ? <Foreign {...foreign} /> : (
          <p id="nothing">
            {words.nothing(visible(query))} <ReaderLink href={readerUrl} />
          </p>
        ))}
        {!foreign && (found === undefined || isNothing) && <p class="aside" id="looks-at">{words.looksAt}</p>}
        {isNothing && !isFilter && !foreign && inspect}
        {found && matchKinds.map((kind) => <Matches key={kind} kind={kind} {...found} />)}
        {found && found.requests.items.length > 0 && (
          <Section id="request" heading={words.kinds.request}>
            <RequestTable {...found.requests} />
            {found.isCut && inspect}
          </Section>
        )}
      </>
    ),
  };
}

/** The form sends the token in its body, so that no address has it. */
function Foreign({ jwt, form }: NonNullable<SearchProps["foreign"]>): VNode {
  return (
    <>
      <p id="nothing">{words.foreign}</p>
      <TokenForm class="onward" form={form} fields={{ pasted: jwt }}>
        <button type="submit" class="button primary" id="take-apart">{words.takeApart}</button>
      </TokenForm>
    </>
  );
}

type Columns = Readonly<Partial<Record<"id" | "about", string>>> & { readonly title: string };

function Matches(
  { kind, matches, more }: NonNullable<SearchProps["found"]> & { readonly kind: Match["kind"] },
): VNode | null {
  const found = matches.filter((match) => match.kind === kind);
  const { title, id, about }: Columns = words.columns[kind];
  return found.length === 0 ? null : (
    <Section id={kind} heading={words.kinds[kind]}>
      <Table
        id={kind}
        rows={found}
        columns={[
          [title, (match) => <PageLink href={match.href}>{visible(match.title)}</PageLink>],
          id !== undefined && [id, (match) => <code>{visible(match.id ?? "")}</code>, "under"],
          about !== undefined && [about, (match) => match.about],
        ]}
        action={(kind === "person" || kind === "client") && [
          englishDirectory.shared.action,
          ({ id = "", end, tokenUrl, client }) => (
            <>
              <NewestToken username={id} url={tokenUrl} /> <EndForm form={end} {...endOf(id)} isQuiet />
              {client && <Start {...client} />}
            </>
          ),
          "end",
        ]}
      />
      {kind === "misbehaviour" && more !== undefined && (
        <p>
          <PageLink id="more" href={more.href}>{words.more(more.count)}</PageLink>
        </p>
      )}
    </Section>
  );
}
