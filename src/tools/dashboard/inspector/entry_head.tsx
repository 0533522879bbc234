/** The head of an entry: what happened, what to change, the facts in one line, and the steps of the same login. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { formatDuration } from "../../../ground/schema/duration.ts";
import type { EntryProps } from "./entry_props.ts";
import { markOf } from "../../../kit/timeline/request_outcome.ts";
import { nameExchange } from "../../../kit/timeline/exchange_line.tsx";
import { CopyButton } from "../../../server/pages/parts.tsx";
import { englishRequests } from "../parts/requests_english.ts";
import { PageLink } from "../parts/pass.tsx";
import { describeMilliseconds, describeStep } from "../../../kit/timeline/time_text.ts";
import { quote } from "../../../ground/values/visible.ts";
import { englishInspector } from "./inspector_english.ts";
import { Happened } from "../../../kit/timeline/happened.tsx";
import { englishTimeline } from "../../../kit/timeline/timeline_english.ts";

const { entry: words } = englishInspector;

export function EntryHead(props: EntryProps): VNode {
  const { shown, links } = props;
  return (
    <header>
      <h1 class={`mark outcome-${markOf(shown)}`}>{nameExchange(shown)}</h1>
      <Happened shown={shown} link={links.entry} />
      <FactLine {...props} />
      <Steps {...props} />
    </header>
  );
}

/** When, who, and what, in one line. A press on a name filters by it. */
function FactLine({ shown, links, seesSecrets }: EntryProps): VNode {
  const { at, since, sender: { client }, person, status, duration, method, target, copies } = shown;
  const linked = (href: string | undefined, value: string | undefined) =>
    href !== undefined && value !== undefined && <PageLink key={href} href={href}>{quote(value)}</PageLink>;
  const facts: readonly ComponentChildren[] = [
    `${describeMilliseconds(at)}${since === undefined ? "" : ` ${describeStep(since)}`}`,
    linked(links.client, client),
    linked(links.person, person),
    status,
    formatDuration(duration),
    <code key="request">{quote(`${method} ${target}`)}</code>,
    copies.some(({ kind }) => kind === "curl") && (
      <CopyButton key="copy" target="curl" what={seesSecrets ? words.copied : words.copiedRedacted}>
        {words.copyCurl}
      </CopyButton>
    ),
  ];
  return (
    <ul class="fact-line">
      {facts.map((fact, at) => fact !== undefined && fact !== false && <li key={at}>{fact}</li>)}
    </ul>
  );
}

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
              class={`mark outcome-${markOf(step)}`}
              aria-current={step.id === id ? "page" : undefined}
            >
              {`${before + at + 1} `}
              {englishTimeline.endpoint(step)}
            </PageLink>
          </li>
        ))}
      </ol>
      <p>
        {before > 0 && <span>{words.earlierSteps(before)}</span>}
        {after > 0 && <span>{words.laterSteps(after)}</span>}
        <PageLink href={steps.list}>{englishInspector.page.wholeLogin}</PageLink>
        <PageLink href={steps.diagram}>{englishRequests.diagram}</PageLink>
        {compared !== undefined && (
          <PageLink href={compared.compare!.href}>{words.compareBefore(quote(compared.name))}</PageLink>
        )}
      </p>
    </nav>
  );
}
