/** The components that explain one request: why it was answered so, what it shows, and where its values come from. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { formatDuration } from "../../ground/schema/duration.ts";
import { Checks, Pkce } from "./checks.tsx";
import { ClientSettings, type KnownClient } from "./client_settings.tsx";
import { describeTurn, type LinkTo } from "./exchange_line.tsx";
import type { RelatedExchange, ShownExchange } from "./exchange_props.ts";
import { Fact } from "../../server/pages/parts.tsx";
import { EntryLink } from "./entry_link.tsx";
import { Remarks } from "./remarks.tsx";
import { quote } from "../../ground/values/visible.ts";
import { present } from "../../ground/values/present.ts";
import { Why } from "./why.tsx";
import { englishTimeline as words } from "./timeline_english.ts";

interface ExplainedProps {
  readonly shown: ShownExchange;
  readonly link: LinkTo;
  /** The address of the page that sets the clock. Absent in a file. */
  readonly clock?: string;
  /** Absent if the server does not know the client, and in a file. */
  readonly client?: KnownClient;
}

/** The explanation below the fault and the change, which the head of the entry has. */
export function Explained({ shown, link, clock, client }: ExplainedProps): VNode {
  const { refusal, advice, pkce, checks, failedChecks, related } = shown;
  const told = refusal ?? advice;
  const comparisons = checks.length > 0 && (
    <Part key="checks" heading={words.exchange.checks}>
      <Checks checks={checks} />
      <p class="aside">{words.exchange.checksNote}</p>
    </Part>
  );
  const origins = related.length > 0 && (
    <Part key="related" heading={told === undefined ? words.exchange.origins : words.exchange.related}>
      <Related shown={shown} link={link} />
    </Part>
  );
  return (
    <>
      <Remarks remarks={shown.remarks} />
      {told !== undefined && <Why refusal={told} hints={shown.hints} clock={clock} />}
      {told !== undefined && origins}
      {refusal !== undefined && client !== undefined && (
        <Part heading={words.client.heading}>
          <ClientSettings client={client} />
        </Part>
      )}
      {failedChecks.length > 0 && comparisons}
      {pkce !== undefined && (
        <Part heading={pkce.hash === undefined ? words.client.pkce : words.exchange.arithmetic}>
          <Pkce sum={pkce} link={link} />
        </Part>
      )}
      {failedChecks.length === 0 && comparisons}
      {told === undefined && origins}
      <ExchangeFacts shown={shown} {...present({ client })} />
    </>
  );
}

function Part(
  { heading, children }: { readonly heading: string; readonly children: ComponentChildren },
): VNode {
  return (
    <section>
      <h3>{heading}</h3>
      {children}
    </section>
  );
}

function Related(
  { shown: { related, grantType }, link }: {
    readonly shown: Pick<ShownExchange, "related" | "grantType">;
    readonly link: LinkTo;
  },
): VNode {
  const value = words.values.get(grantType ?? "") ?? words.otherValue;
  const describeTime = ({ before, overlaps }: RelatedExchange): string =>
    overlaps ? words.exchange.atTheSameTime : words.exchange.before(formatDuration(before));
  return (
    <ul>
      {related.map((each) => (
        <li key={each.relation}>
          <EntryLink href={link(each.id)}>{words.relations[each.relation](value)}</EntryLink>
          <span class="aside">{` (${describeTime(each)})`}</span>
          {each.turned !== undefined && <>. {describeTurn(each.turned)}</>}
        </li>
      ))}
    </ul>
  );
}

/** What the head of the entry does not say. */
function listFacts(shown: ShownExchange): readonly (readonly [term: string, text: string])[] {
  const { clientAuth, scope, resource, arrivedBy, provenKey, factorReason, rpc, trace, fault, notified } =
    shown;
  const all: readonly (readonly [string, string | undefined])[] = [
    [words.exchange.authentication, clientAuth],
    [words.exchange.scope, scope.join(" ")],
    [words.exchange.resource, resource.join(" ")],
    [words.exchange.arrivedBy, arrivedBy.join(", ")],
    [words.exchange.provenKey, provenKey],
    [words.exchange.factorReason, factorReason && words.exchange.factorReasons[factorReason]],
    [words.exchange.calls, rpc.join(", ")],
    [words.exchange.trace, trace?.traceId],
    [words.exchange.parentSpan, trace?.parentId],
    [words.exchange.fault, fault],
    [words.exchange.notified, notified.map(({ client, result }) => `${client}: ${result}`).join(", ")],
  ];
  return all.flatMap(([term, text]) => text === undefined || text === "" ? [] : [[term, text]]);
}

function ExchangeFacts({ shown, client }: Pick<ExplainedProps, "shown" | "client">): VNode | null {
  const facts = listFacts(shown);
  const isKnown = client !== undefined && shown.refusal === undefined;
  return facts.length === 0 && !isKnown ? null : (
    <Part heading={words.exchange.facts}>
      <dl class="facts">
        {isKnown && (
          <Fact term={words.exchange.client}>
            <EntryLink href={client.href}>{quote(client.id)}</EntryLink>
          </Fact>
        )}
        {facts.map(([term, text]) => <Fact key={term} term={term}>{quote(text)}</Fact>)}
      </dl>
    </Part>
  );
}
