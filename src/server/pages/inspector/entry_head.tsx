/** The head of an entry: what happened, what to change, the facts in one line, and the steps of the same login. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { formatDuration } from "../../schema/format_duration.ts";
import type { EntryProps, EntryStep } from "./entry_props.ts";
import { describeClock, describeTurn, type LinkTo, nameExchange } from "./exchange_line.tsx";
import type { ShownExchange } from "./exchange_props.ts";
import { CopyButton } from "../parts.tsx";
import { PageLink } from "../pass.tsx";
import { describeMilliseconds, describeStep } from "../time_text.ts";
import { quote } from "../visible.ts";
import { englishEntry as words } from "../words/entry_english.ts";
import { englishInspector } from "../words/inspector_english.ts";
import { findChange, nameFault } from "./why.tsx";

export function EntryHead(props: EntryProps): VNode {
  const { shown, links, seesSecrets } = props;
  return (
    <header>
      <div class="entry-title">
        <h1 class={`mark outcome-${shown.outcome}`}>{nameExchange(shown)}</h1>
        {shown.copies.some(({ kind }) => kind === "curl") && (
          <CopyButton target="curl" what={seesSecrets ? words.copied : words.copiedRedacted}>
            {words.copyCurl}
          </CopyButton>
        )}
      </div>
      <Happened shown={shown} link={links.entry} />
      <FactLine {...props} />
      <Steps {...props} />
    </header>
  );
}

/** What happened and what to change, or what the request was given. */
export function Happened(
  { shown, link }: { readonly shown: ShownExchange; readonly link: LinkTo },
): VNode {
  const { refusal, advice, follows, hints, isLost, turned, clockAhead } = shown;
  const told = refusal ?? advice;
  const change = told && follows === undefined ? findChange(told, hints) : undefined;
  return (
    <>
      {told === undefined
        ? <p>{describeGiven(shown)}</p>
        : (
          <p class={`notice ${refusal === undefined || follows !== undefined ? "caution" : "problem"}`}>
            <strong>{nameFault(told)}</strong>
            {change !== undefined && <span>{englishInspector.line.oneChange} {change}</span>}
            {follows !== undefined && (
              <span>
                {englishInspector.line.follows}{" "}
                <PageLink href={link(follows)}>{englishInspector.line.followed}</PageLink>.
              </span>
            )}
          </p>
        )}
      {isLost && <p class="notice caution">{englishInspector.line.lost}</p>}
      {turned !== undefined && <p class="aside">{describeTurn(turned)}</p>}
      {turned === undefined && clockAhead !== undefined && <p class="aside">{describeClock(clockAhead)}</p>}
    </>
  );
}

function describeGiven({ endpoint, result, status, response: { body } }: ShownExchange): string {
  if (status === undefined) return words.passedOn;
  if (result !== undefined) return words.results[result];
  if (endpoint !== "token") return words.given.get(endpoint) ?? words.answered(status);
  const read = (wanted: string) => body.find(({ name }) => name === wanted)?.text;
  const life = Number(read("expires_in") ?? NaN);
  // RFC 8693 §2.2.1: the member has this name also if the token is no access token.
  const ownName = read("token_type") === "N_A" ? "other_token" : "access_token";
  return words.tokens(
    body.map(({ name }) => name === "access_token" ? ownName : name),
    Number.isFinite(life) ? formatDuration(life) : undefined,
    read("scope") && quote(read("scope")!),
  );
}

/** When, who, and what, in one line. A press on a name filters by it. */
function FactLine({ shown, links }: EntryProps): VNode {
  const { at, since, sender: { client }, person, status, duration, method, target } = shown;
  const linked = (href: string | undefined, value: string | undefined) =>
    href !== undefined && value !== undefined && <PageLink key={href} href={href}>{quote(value)}</PageLink>;
  const facts: readonly ComponentChildren[] = [
    `${describeMilliseconds(at)}${since === undefined ? "" : ` ${describeStep(since)}`}`,
    linked(links.client, client),
    linked(links.person, person),
    status,
    formatDuration(duration),
    <code key="request">{quote(`${method} ${target}`)}</code>,
  ];
  return (
    <ul class="fact-line">
      {facts.map((fact, at) => fact !== undefined && fact !== false && <li key={at}>{fact}</li>)}
    </ul>
  );
}

/** The steps of the same login, as many as fit around the present one. */
function Steps({ shown: { id }, steps, links, tokens }: EntryProps): VNode | null {
  if (steps === undefined) return null;
  const { before, shown, after } = steps;
  const compared = tokens.find(({ compare }) => compare?.hasBefore);
  return (
    <nav class="entry-steps" aria-label={words.steps}>
      <ol start={before + 1}>
        {shown.map((step, at) => (
          <li key={step.id}>
            <PageLink
              href={links.entry(step.id)}
              class={`mark outcome-${step.outcome}`}
              aria-current={step.id === id ? "page" : undefined}
            >
              {`${before + at + 1} `}
              {nameStep(step)}
            </PageLink>
          </li>
        ))}
      </ol>
      <p>
        {before > 0 && <span>{words.earlierSteps(before)}</span>}
        {after > 0 && <span>{words.laterSteps(after)}</span>}
        <PageLink href={steps.list}>{englishInspector.page.wholeLogin}</PageLink>
        <PageLink href={steps.diagram}>{englishInspector.page.diagram}</PageLink>
        {compared !== undefined && (
          <PageLink href={compared.compare!.href}>{words.compareBefore(quote(compared.name))}</PageLink>
        )}
      </p>
    </nav>
  );
}

function nameStep(step: EntryStep): string {
  return englishInspector.endpoint(step);
}
