/** The component that shows everything about one exchange. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../../schema/format_duration.ts";
import { Checks, Pkce } from "./checks.tsx";
import { ClientSettings, type KnownClient } from "./client_settings.tsx";
import type { RelatedExchange, ShownExchange, ShownMessage } from "./exchange_props.ts";
import { describeClock, describeTurn, type LinkTo } from "./exchange_line.tsx";
import { type Explanations, Values } from "./named_values.tsx";
import { CopyableBlock, Fact } from "../parts.tsx";
import { PageLink } from "../pass.tsx";
import { describeMoment, describeStep } from "../time_text.ts";
import { quote, visible } from "../visible.ts";
import { Why } from "./why.tsx";
import { englishInspector as words } from "../words/inspector_english.ts";

interface ExchangeProps {
  readonly shown: ShownExchange;
  readonly link: LinkTo;
  /** The address of the page that sets the clock. Absent in a file. */
  readonly clock?: string;
  /** Absent if the server does not know the client, and in a file. */
  readonly client?: KnownClient;
}

/** Everything about one exchange in a file, below an `ExchangeHead`. The ids of its elements begin with `prefix`. */
export function ExchangeBody(props: ExchangeProps & { readonly prefix: string }): VNode {
  const { shown, prefix } = props;
  return (
    <>
      <Explanation {...props} />
      <Messages shown={shown} />
      <details class="copies">
        <summary>{words.exchange.copy}</summary>
        <Copies shown={shown} prefix={prefix} />
      </details>
    </>
  );
}

/** Why an exchange was answered so, and what belongs to it. */
export function Explanation({ shown, link, clock, client }: ExchangeProps): VNode {
  const { refusal, advice, pkce, checks, related } = shown;
  const comparisons = checks.length > 0 && (
    <section>
      <h3>{words.exchange.checks}</h3>
      <p class="aside">{words.exchange.checksNote}</p>
      <Checks checks={checks} />
    </section>
  );
  const told = refusal ?? advice;
  const isRefused = told !== undefined;
  const relatedRows = related.length > 0 && (
    <Related
      heading={<h3>{isRefused ? words.exchange.related : words.exchange.origins}</h3>}
      shown={shown}
      link={link}
    />
  );
  return (
    <>
      {told !== undefined && <Why refusal={told} hints={shown.hints} clock={clock} />}
      <Altered altered={shown.altered} />
      {refusal !== undefined && client !== undefined && (
        <section>
          <h3>{words.client.heading}</h3>
          <ClientSettings client={client} />
        </section>
      )}
      {isRefused && relatedRows}
      {shown.failedChecks.length > 0 && comparisons}
      {pkce !== undefined && (
        <section>
          <h3>{pkce.hash === undefined ? words.client.pkce : words.exchange.arithmetic}</h3>
          <Pkce sum={pkce} link={link} />
        </section>
      )}
      {shown.failedChecks.length === 0 && comparisons}
      <section>
        <h3>{words.exchange.facts}</h3>
        <ExchangeFacts shown={shown} {...(client === undefined ? {} : { client })} />
      </section>
      {!isRefused && relatedRows}
    </>
  );
}

/** The request and the response. */
export function Messages({ shown }: { readonly shown: ShownExchange }): VNode {
  return (
    <>
      <section>
        <h3>{words.exchange.request}</h3>
        <p>
          <code class="value">{visible(`${shown.method} ${shown.target}`)}</code>
        </p>
        <Message message={shown.request} opensHeaders={isAboutHeaders(shown)} />
      </section>
      <section>
        <h3>{words.exchange.response}</h3>
        <p>{shown.status ?? words.exchange.noStatus}</p>
        <Message message={shown.response} isResponse />
      </section>
    </>
  );
}

/** The request as programs. */
export function Copies(
  { shown, prefix }: { readonly shown: ShownExchange; readonly prefix: string },
): VNode {
  return (
    <>
      <p class="aside">{words.exchange.copyNote}</p>
      {shown.copies.map(({ kind, text }) => (
        <CopyableBlock
          key={kind}
          id={`${prefix}${kind}`}
          kind={words.exchange.copies[kind]}
          what={` ${words.exchange.copies[kind]}`}
        >
          {text}
        </CopyableBlock>
      ))}
    </>
  );
}

/** Whether the refused credentials are in a header. */
function isAboutHeaders({ refusal, request: { headers } }: ShownExchange): boolean {
  const isAboutCredentials = refusal?.error === "invalid_client" || refusal?.error === "invalid_token";
  return isAboutCredentials && headers.some(({ name }) => /^authorization/i.test(name));
}

function Altered({ altered }: Pick<ShownExchange, "altered">): VNode | null {
  return altered.length === 0 ? null : (
    <p class="notice caution">
      {words.line.alteredBy} {altered.map(({ seam, by }, at) => (
        <span key={at}>
          {at > 0 && ", "}
          <code>{quote(by)}</code> {seam !== by && words.exchange.alteredAt(seam)}
        </span>
      ))}.
    </p>
  );
}

function Related(
  { heading, shown: { related, grantType }, link }: {
    readonly heading: VNode;
    readonly shown: Pick<ShownExchange, "related" | "grantType">;
    readonly link: LinkTo;
  },
): VNode {
  const value = words.values.get(grantType ?? "") ?? words.otherValue;
  const describeTime = ({ before, overlaps }: RelatedExchange): string =>
    overlaps ? words.exchange.atTheSameTime : words.exchange.before(formatDuration(before));
  return (
    <section>
      {heading}
      <ul>
        {related.map((each) => (
          <li key={each.relation}>
            <PageLink href={link(each.id)}>{words.relations[each.relation](value)}</PageLink>
            <span class="aside">{` (${describeTime(each)})`}</span>
            {each.turned !== undefined && <>. {describeTurn(each.turned)}</>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ExchangeFacts(
  { shown, client: known }: { readonly shown: ShownExchange; readonly client?: KnownClient },
): VNode {
  const { sender: { client }, person, clientAuth, scope, resource, arrivedBy, provenKey, rpc, clockAhead } =
    shown;
  const row = (term: string, text: string | undefined) =>
    text === undefined || text === "" ? null : <Fact key={term} term={term}>{quote(text)}</Fact>;
  return (
    <dl class="facts">
      {known === undefined ? row(words.exchange.client, client) : (
        <Fact term={words.exchange.client}>
          <PageLink href={known.href}>{quote(known.id)}</PageLink>
        </Fact>
      )}
      {row(words.exchange.authentication, clientAuth)}
      {row(words.exchange.person, person)}
      {row(words.exchange.scope, scope.join(" "))}
      {row(words.exchange.resource, resource.join(" "))}
      {row(words.exchange.arrivedBy, arrivedBy.join(", "))}
      {row(words.exchange.provenKey, provenKey)}
      {row(words.exchange.calls, rpc.join(", "))}
      {row(words.exchange.trace, shown.trace?.traceId)}
      {row(words.exchange.parentSpan, shown.trace?.parentId)}
      <Fact term={words.exchange.at}>
        {describeMoment(shown.at)}
        {shown.since !== undefined && <span class="aside">{describeStep(shown.since)}</span>}
      </Fact>
      {clockAhead !== undefined && <Fact term={words.exchange.clock}>{describeClock(clockAhead)}</Fact>}
      {row(words.exchange.took, formatDuration(shown.duration))}
      {row(words.exchange.fault, shown.fault)}
      {row(
        words.exchange.notified,
        shown.notified.map(({ client, result }) => `${client}: ${result}`).join(", "),
      )}
    </dl>
  );
}

function Message(
  { message, isResponse = false, opensHeaders = false }: {
    readonly message: ShownMessage;
    readonly isResponse?: boolean;
    readonly opensHeaders?: boolean;
  },
): VNode {
  const { explanations } = words;
  const explain: readonly Explanations[] = isResponse
    ? [explanations.responses, explanations.parameters, explanations.claims]
    : [explanations.parameters, explanations.claims];
  const { parameters, body, headers, hiddenBody, omitted } = message;
  return (
    <>
      {parameters.length > 0 && <Values values={parameters} explain={explain} />}
      {body.length > 0 && <Values values={body} explain={explain} />}
      {omitted !== undefined && <p class="aside">{words.exchange.omitted(omitted)}</p>}
      {hiddenBody !== undefined && <p class="aside">{words.exchange.hiddenBody(hiddenBody)}</p>}
      {headers.length > 0 && (
        <details open={opensHeaders}>
          <summary>{words.exchange.headers}</summary>
          <Values values={headers} explain={[explanations.headers, explanations.parameters]} />
        </details>
      )}
    </>
  );
}
