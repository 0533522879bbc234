/** The page `/inspector`: what arrived, in lanes, with a filter. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { Page } from "../document.tsx";
import { ExchangeItem, LaneHead } from "./exchange_line.tsx";
import type { FilterProblem } from "./filter_problem.ts";
import type { Lane } from "./exchange_props.ts";
import { Fact } from "../parts.tsx";
import { FileButton, PageForm, PageLink } from "../pass.tsx";
import { KeyForm, type KeyFormProps } from "../session.tsx";
import { quote } from "../visible.ts";
import { english } from "../words/english.ts";
import { englishInspector as words } from "../words/inspector_english.ts";
import { present } from "../../present.ts";

export interface InspectorProps {
  /** The filter line. */
  readonly line: string;
  readonly problems: readonly FilterProblem[];
  readonly filterNames: readonly string[];
  readonly lanes: readonly Lane[];
  /** How many requests the filter selects. */
  readonly count: number;
  /** How many requests the journal has. */
  readonly all: number;
  readonly refused: number;
  readonly failed: number;
  /** Filters that a person often wants. */
  readonly shortcuts: readonly string[];
  /** The page does not begin with the latest lane. */
  readonly isOldest: boolean;
  /** The exchange after which the next page begins. */
  readonly before?: string;
  /** The path of this page. */
  readonly path: string;
  /** The address of the page that sets the clock. */
  readonly clock: string;
  readonly homeUrl: string;
  readonly seesSecrets: boolean;
  readonly keyForm: KeyFormProps;
}

export function inspectorPage(props: InspectorProps): Page {
  const { session } = english;
  const { path, refused, failed, seesSecrets, keyForm, lanes, line } = props;
  return {
    title: words.page.title(refused, failed),
    shape: "sheet",
    here: "inspector",
    styles: ["inspector.css"],
    scripts: seesSecrets ? ["inspector.js"] : ["inspector.js", "key.js"],
    main: (
      <div
        class="inspector"
        data-events={`${path}/events`}
        data-refused={refused + failed}
        data-live={words.page.live}
        data-away={words.page.away}
        data-refusals={words.page.notification}
      >
        <h1>{words.page.heading}</h1>
        <Filter {...props} />
        <div class="overview">
          <div id="summary" data-part>
            <Summary {...props} />
          </div>
          <span id="live-state" class="aside late" role="status">{words.page.live}</span>
          <button type="button" class="plain late" id="notify">{words.page.notify}</button>
        </div>
        <div id="lanes" data-part>
          {lanes.length === 0 && <Nothing {...props} />}
          {lanes.map((lane) => <LaneSection key={lane.key} lane={lane} path={path} clock={props.clock} />)}
          <Pager {...props} />
        </div>
        {props.all > 0 && seesSecrets && <Exports line={line} path={path} />}
        {!seesSecrets && (
          <details id="key-details">
            <summary>{session.inspector.heading}</summary>
            <p>{session.inspector.about}</p>
            <KeyForm {...keyForm} />
          </details>
        )}
      </div>
    ),
  };
}

/** Returns the address of the list with a filter. */
export function linkTo(path: string, line: string): string {
  return line === "" ? path : `${path}?${new URLSearchParams({ q: line })}`;
}

function Filter({ line, problems, filterNames, path, shortcuts }: InspectorProps): VNode {
  return (
    <>
      <PageForm class="filter" action={path}>
        <label for="filter">{words.page.filter}</label>
        <input
          id="filter"
          name="q"
          value={line}
          maxLength={1000}
          placeholder={words.page.filterExample}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          {...(problems.length > 0 ? { "aria-invalid": "true", "aria-describedby": "filter-problem" } : {})}
        />
        <button type="submit" class="button">{words.page.apply}</button>
      </PageForm>
      {problems.length > 0 && (
        <div id="filter-problem">
          {problems.map((problem, at) => <p key={at} class="notice caution">{describeProblem(problem)}</p>)}
        </div>
      )}
      <div class="shortcuts">
        <p class="tags">
          {line !== "" && <PageLink class="tag" href={path}>{words.page.all}</PageLink>}
          {["outcome:refused", ...shortcuts].map((each) => (
            <PageLink
              key={each}
              class="tag"
              href={linkTo(path, each)}
              aria-current={each === line ? "true" : undefined}
            >
              {quote(each)}
            </PageLink>
          ))}
        </p>
        <details>
          <summary>{words.page.help}</summary>
          <p>{words.page.helpText}</p>
          <dl class="facts filter-names">
            {filterNames.map((name) => (
              <Fact key={name} term={<code>{name}:</code>}>{words.page.filterWord(name)}</Fact>
            ))}
          </dl>
        </details>
      </div>
    </>
  );
}

function describeProblem(problem: FilterProblem): ComponentChildren {
  const { page } = words;
  if (problem.kind === "too_many") return page.tooManyWords(problem.words, problem.most);
  const { word, kind, suggestions } = problem;
  return (
    <>
      {page.problem} <code>{quote(word)}</code> {quote(page.problems[kind](suggestions))}
    </>
  );
}

function Summary({ count, all, refused, failed, line, path }: InspectorProps): VNode {
  return (
    <p>
      <strong>{words.page.summary(count, all, refused, failed)}</strong>{" "}
      <PageLink href={linkTo(path, line)}>{words.page.reload}</PageLink>
    </p>
  );
}

function Nothing({ all, homeUrl }: InspectorProps): VNode {
  if (all > 0) return <p>{words.page.none}</p>;
  return (
    <>
      <p>{words.page.noneYet}</p>
      <p class="onward">
        <a class="button primary" href={homeUrl}>{words.page.begin}</a>
      </p>
    </>
  );
}

function LaneSection(
  { lane, path, clock }: { readonly lane: Lane } & Pick<InspectorProps, "path" | "clock">,
): VNode {
  const { flow, exchanges, older } = lane;
  const filter = flow === undefined ? undefined : `flow:${flow}`;
  return (
    <section class="lane">
      <LaneHead lane={lane}>
        {filter !== undefined && (
          <>
            {" · "}
            <PageLink href={linkTo(`${path}/diagram`, filter)}>{words.page.diagram}</PageLink>
          </>
        )}
      </LaneHead>
      {older > 0 && (filter === undefined ? <p class="aside">{words.lane.older(older)}</p> : (
        <p>
          <PageLink href={linkTo(path, filter)}>{words.lane.older(older)}</PageLink>
        </p>
      ))}
      <ol class="exchanges">
        {exchanges.map((line) => (
          <ExchangeItem
            key={line.id}
            line={line}
            link={(id) => `${path}/${id}`}
            linkToTag={(tag) => linkTo(path, tag)}
            clock={clock}
          />
        ))}
      </ol>
    </section>
  );
}

function Pager({ before, isOldest, line, path }: InspectorProps): VNode | null {
  if (before === undefined && !isOldest) return null;
  const terms = { ...(line === "" ? {} : { q: line }), ...present({ before }) };
  return (
    <p class="onward">
      {isOldest && <PageLink class="button" href={linkTo(path, line)}>{words.page.newest}</PageLink>}
      {before !== undefined && (
        <PageLink class="button" rel="next" href={`${path}?${new URLSearchParams(terms)}`}>
          {words.page.older}
        </PageLink>
      )}
    </p>
  );
}

const forms = ["html", "har", "jsonl", "mermaid", "text"] as const;

function Exports({ line, path }: Pick<InspectorProps, "line" | "path">): VNode {
  const address = (terms: Readonly<Record<string, string>>) =>
    `${path}/export?${new URLSearchParams({ ...terms, ...(line === "" ? {} : { q: line }) })}`;
  return (
    <section aria-labelledby="exports">
      <h2 id="exports">{words.page.exports}</h2>
      <p class="aside">{words.page.exportNote}</p>
      <ul class="links">
        {forms.map((form) => (
          <li key={form}>
            <FileButton url={address({ form })}>{words.page.export[form]}</FileButton>
          </li>
        ))}
      </ul>
      <p class="aside">{words.page.completeNote}</p>
      <FileButton url={address({ form: "html", secrets: "true" })}>{words.page.complete}</FileButton>
    </section>
  );
}
