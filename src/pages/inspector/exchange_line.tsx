/** The components of an exchange in a list: what it was, how it ended and, if it was refused, why. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import { type ComponentChildren, Fragment, type VNode } from "preact";
import { formatDuration } from "../../schema/format_duration.ts";
import { Difference } from "./difference.tsx";
import type { ExchangeLine, Lane } from "./exchange_props.ts";
import { PageLink } from "../pass.tsx";
import { Remarks } from "./remarks.tsx";
import { describeInstant, describeMoment, describeStep } from "../time_text.ts";
import { quote } from "../visible.ts";
import { findChange, Hint, isAboutClock, nameFault } from "./why.tsx";
import { englishInspector as words } from "../words/inspector_english.ts";

/** Returns the address of an exchange. */
export type LinkTo = (id: string) => string;

/** The heading of a lane of a file: whose it is, when it began, and how it went. */
export function LaneHead(
  { lane: { client, person, flow, exchanges, refusals, failures, startedAt } }: { readonly lane: Lane },
): VNode {
  const name = flow === undefined
    ? words.lane.noFlow
    : quote(words.lane.of(client ?? words.lane.anonymous, person));
  return (
    <>
      <h2>{name}</h2>
      <p class="aside">
        {flow !== undefined && `${words.lane.flow} · `}
        {describeMoment(startedAt)} · {words.lane.count(exchanges.length)} ·{" "}
        {words.lane.refused(refusals, failures)}
      </p>
    </>
  );
}

/** The head of an exchange in a file. `children` is its name. */
export function ExchangeHead(
  { line, link, now, children }: {
    readonly line: ExchangeLine;
    readonly link: LinkTo;
    /** The day of these seconds has times without a date. */
    readonly now: number;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <>
      {line.turned !== undefined && <p class="aside">{describeTurn(line.turned)}</p>}
      <p class="line">
        <time class="since" title={line.since === undefined ? words.line.first : describeStep(line.since)}>
          {describeInstant(line.at, now)}
        </time>
        {children}
        <Status line={line} />
        <span class="aside who">{describeSender(line)}</span>
        <code class="aside">{quote(`${line.method} ${line.target}`)}</code>
      </p>
      <Sentences line={line} link={link} hasChange />
      <Tags tags={line.tags} link={undefined} />
    </>
  );
}

/** Says what is wrong with an exchange, in a sentence each. `hasChange`: also says what to change. */
export function Sentences(
  { line, link, clock, hasChange = false }: {
    readonly line: ExchangeLine;
    readonly link: LinkTo;
    readonly clock?: string | undefined;
    readonly hasChange?: boolean;
  },
): VNode {
  const refusal = line.refusal ?? line.advice;
  const isConsequence = line.follows !== undefined;
  const change = hasChange && !isConsequence && refusal && findChange(refusal, line.hints);
  return (
    <>
      {refusal !== undefined && (
        <p class={`notice ${line.refusal === undefined || isConsequence ? "caution" : "problem"}`}>
          <strong>{nameFault(refusal)}</strong> {change && <>{words.line.oneChange} {change}</>}
          {hasChange && !isConsequence && line.hints.map((hint) => (
            <Fragment key={hint.kind}>
              {" "}
              <Hint hint={hint} clock={clock} />
            </Fragment>
          ))}
          {hasChange && <Difference refusal={refusal} />}
        </p>
      )}
      {line.follows !== undefined && (
        <p>
          {words.line.follows} <PageLink href={link(line.follows)}>{words.line.followed}</PageLink>.
        </p>
      )}
      {line.isLost && <p class="notice caution">{words.line.lost}</p>}
      <Remarks remarks={line.remarks} />
      {line.clockAhead !== undefined && !line.hints.some(isAboutClock) &&
        (refusal !== undefined || line.failedChecks.length > 0) && (
        <p class="aside">{describeClock(line.clockAhead)}</p>
      )}
    </>
  );
}

export function Tags(
  { tags, link }: { readonly tags: readonly string[]; readonly link: LinkTo | undefined },
): VNode | null {
  return tags.length === 0 ? null : (
    <p class="tags">
      {tags.map((tag) =>
        link === undefined
          ? <span key={tag} class="tag">{quote(tag)}</span>
          : <PageLink key={tag} class="tag" href={link(tag)}>{quote(tag)}</PageLink>
      )}
    </p>
  );
}

function Status({ line: { status, outcome, result } }: { readonly line: ExchangeLine }): VNode {
  const text = status === undefined ? words.line.accepted : String(status);
  return (
    <span class="answer">
      <span class={`outcome-${outcome}`}>
        {outcome === "ok" ? text : `${text} ${words.outcomes[outcome]}`}
      </span>
      {result !== undefined && <span class="aside">{` ${words.results[result]}`}</span>}
    </span>
  );
}

function describeSender({ sender: { kind, client }, person }: ExchangeLine): string {
  const from = kind === "browser" ? words.line.browser : quote(client ?? words.lane.anonymous);
  const rest = [kind === "browser" ? client : undefined, person].filter((each) => each !== undefined);
  return [from, ...rest.map(quote)].join(" · ");
}

export function describeClock(ahead: number): string {
  const time = formatDuration(ahead);
  return ahead < 0 ? words.line.clockBehind(time) : words.line.clockAhead(time);
}

export function describeTurn(seconds: number): string {
  const time = formatDuration(seconds);
  return seconds < 0 ? words.line.turnedBack(time) : words.line.turnedAhead(time);
}

/** The heading of an exchange: what it was, and that it was refused. */
export function nameExchange({ endpoint, grantType, outcome }: ExchangeLine): string {
  const name = words.endpoint(endpoint, grantType);
  return outcome === "ok" ? name : `${name}: ${words.outcomes[outcome]}`;
}
