/** The page `/inspector`: what arrived, a row for each request, with a filter. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { filterNames, type FilterProblem } from "../../../kit/mock/journal/filter.ts";
import type { LinkToValue, ListOrder, RequestTableProps } from "../parts/list_props.ts";
import { Fact } from "../../../server/pages/parts.tsx";
import { FileButton, PageForm, PageLink } from "../parts/pass.tsx";
import { ReaderLink, RequestTable } from "../parts/request_table.tsx";
import { KeyDetails, type KeyFormProps } from "../session/session_page.tsx";
import { quote } from "../../../ground/values/visible.ts";
import { present } from "../../../ground/values/present.ts";
import { longestPasted } from "../read_search.ts";
import type { ListOptions } from "./list_options.ts";
import type { Selection } from "./selection.ts";
import { englishSession } from "../session/session_english.ts";
import { englishInspector } from "./inspector_english.ts";
import { englishRequests as words } from "../parts/requests_english.ts";

export interface InspectorProps
  extends Selection, Pick<ListOptions, "order" | "open">, Pick<RequestTableProps, "items" | "now" | "path"> {
  /** How many requests the journal has. */
  readonly all: number;
  /** Values that a person often filters by, the most frequent first. */
  readonly facets: readonly Facet[];
  readonly links: ListLinks;
  /** The query that the addresses of requests carry on. */
  readonly query: string;
  readonly homeUrl: string;
  /** The page that takes a pasted text apart. */
  readonly readerUrl: string;
  readonly seesSecrets: boolean;
  readonly keyForm: KeyFormProps;
}

export interface Facet {
  readonly value: string;
  /** The list with the value in the filter, or without it if the filter has it. */
  readonly href: string;
  readonly isActive: boolean;
  /** How many of the requests that the filter selects have it. */
  readonly count: number;
}

export interface ListLinks {
  readonly toOrder: (order: ListOrder) => string;
  /** The address with every group unfolded or folded. */
  readonly fold: string;
  /** Compares the latest two tokens that the filter selects. */
  readonly compare: string;
  readonly older?: string;
  /** The first page. Absent on the first page. */
  readonly newer?: string;
  readonly toggle: (key: string) => string;
  readonly here: string;
  readonly toValue: LinkToValue;
  readonly toLine: (line: string) => string;
  /** The diagram of the login that the filter selects. */
  readonly diagram?: string;
}

export function inspectorPage(props: InspectorProps): Page {
  const { path, groups, seesSecrets, items, now, query, links, order } = props;
  const { refused, failed } = countFaults(groups);
  return {
    title: words.title(refused, failed),
    here: "inspector",
    styles: ["parts.css", "inspector.css"],
    scripts: seesSecrets ? ["inspector.js"] : ["inspector.js", "key.js"],
    main: (
      <div
        id="list"
        class="inspector"
        data-path={path}
        data-refused={refused + failed}
        data-live={words.live}
        data-away={words.away}
        data-arrived={words.arrived}
        data-refusals={words.notification}
      >
        <h1 class="unseen">{words.heading}</h1>
        <Filter {...props} />
        <Overview {...props} />
        <div id="rows">
          {items.length === 0 ? <Nothing {...props} /> : (
            <RequestTable
              items={items}
              path={path}
              query={query}
              now={now}
              toggle={links.toggle}
              order={{ shown: order, linkTo: links.toOrder }}
              linkTo={links.toValue}
            />
          )}
          <Pager {...links} />
        </div>
        <footer class="list-end">
          {seesSecrets
            ? props.all > 0 && <Exports {...props} />
            : <KeyDetails {...props.keyForm} summary={englishSession.inspector.heading} />}
          <button type="button" class="plain late" id="notify">{words.notify}</button>
        </footer>
      </div>
    ),
  };
}

function countFaults({ countOf }: Selection["groups"]): Readonly<Record<"refused" | "failed", number>> {
  return { refused: countOf("outcome", "refused"), failed: countOf("outcome", "failed") };
}

function Filter({ line, filter: { problems }, path, order }: InspectorProps): VNode {
  return (
    <>
      <PageForm class="filter" action={path}>
        <label for="filter" class="unseen">{words.filter}</label>
        <input
          id="filter"
          name="q"
          value={line}
          maxLength={longestPasted}
          placeholder={`${words.filter}: ${words.filterExample}`}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          {...(problems.length > 0 ? { "aria-invalid": "true", "aria-describedby": "filter-problem" } : {})}
        />
        {order !== "newest" && <input type="hidden" name="order" value={order} />}
        <button type="submit" class="button">{words.apply}</button>
      </PageForm>
      {problems.length > 0 && (
        <div id="filter-problem" class="notice caution">
          {problems.map((problem, at) => <p key={at}>{describeProblem(problem)}</p>)}
        </div>
      )}
    </>
  );
}

function describeProblem(problem: FilterProblem): ComponentChildren {
  const { page } = englishInspector;
  if (problem.kind === "too_many") return page.tooManyWords(problem.words, problem.most);
  const { word, kind, suggestions } = problem;
  return (
    <>
      {page.problem} <code>{quote(word)}</code> {quote(page.problems[kind](suggestions))}
    </>
  );
}

/** The counts, the values to filter by, and what turns the list. */
function Overview(props: InspectorProps): VNode {
  const { groups, all, line, facets, links, open, items } = props;
  const { refused, failed } = countFaults(groups);
  return (
    <div class="overview">
      <span id="counts">
        {facets.length > 0 && (
          <span class="facets">
            <PageLink class="tag" href={links.toLine("")} aria-current={line === "" ? "true" : undefined}>
              {words.all}
            </PageLink>
            {facets.map(({ value, href, isActive, count }) => (
              <PageLink key={href} class="tag" href={href} aria-current={isActive ? "true" : undefined}>
                {quote(value)} {count > 0 && <b>{count.toLocaleString("en")}</b>}
              </PageLink>
            ))}
          </span>
        )}
        <strong>{words.summary(groups.count, all, refused, failed, groups.isComplete)}</strong>
      </span>
      <FilterHelp />
      {links.diagram !== undefined && <PageLink href={links.diagram}>{words.diagram}</PageLink>}
      {items.some((item) => "flow" in item) && (
        <>
          <PageLink href={links.compare}>{words.compare}</PageLink>
          <PageLink href={links.fold} id="fold">{open === "all" ? words.foldAll : words.unfoldAll}</PageLink>
        </>
      )}
      <span id="live-state" class="late" role="status">{words.live}</span>
    </div>
  );
}

function FilterHelp(): VNode {
  const { page } = englishInspector;
  return (
    <details>
      <summary>{page.help}</summary>
      <p>{page.helpText}</p>
      <dl class="filter-names">
        {filterNames.map((name) => <Fact key={name} term={<code>{name}:</code>}>{page.filterWord(name)}
        </Fact>)}
      </dl>
    </details>
  );
}

function Nothing({ all, homeUrl, readerUrl }: InspectorProps): VNode {
  if (all > 0) {
    return (
      <p>
        {words.none} <ReaderLink href={readerUrl} />
      </p>
    );
  }
  return (
    <>
      <p>{words.noneYet}</p>
      <p class="onward">
        <a class="button primary" href={homeUrl}>{words.begin}</a>
      </p>
    </>
  );
}

function Pager({ older, newer }: ListLinks): VNode | null {
  if (older === undefined && newer === undefined) return null;
  return (
    <p class="onward">
      {newer !== undefined && <PageLink class="button" rel="prev" href={newer}>{words.newer}</PageLink>}
      {older !== undefined && (
        <PageLink class="button" rel="next" id="older" href={older}>{words.older}</PageLink>
      )}
    </p>
  );
}

const forms = ["html", "har", "jsonl", "mermaid", "text"] as const;

function Exports({ line, path }: InspectorProps): VNode {
  const { page } = englishInspector;
  const address = (terms: Readonly<Record<string, string>>) =>
    `${path}/export?${new URLSearchParams({ ...terms, ...present({ q: line || undefined }) })}`;
  return (
    <details id="exports">
      <summary>{words.exports}</summary>
      <p class="aside">{page.exportNote}</p>
      <ul class="links">
        {forms.map((form) => (
          <li key={form}>
            <FileButton url={address({ form })}>{page.export[form]}</FileButton>
          </li>
        ))}
      </ul>
      <p class="aside">{page.completeNote}</p>
      <FileButton url={address({ form: "html", secrets: "true" })}>{page.complete}</FileButton>
    </details>
  );
}
