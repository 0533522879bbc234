/** The components that show exchanges: a line of a list, and everything about one exchange. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import { type ComponentChildren, Fragment, type VNode } from "preact";
import { formatDuration } from "../../schema/format_duration.ts";
import type {
  ClientCheck,
  DecodedJwt,
  ExchangeLine,
  Lane,
  NamedValue,
  PkceSum,
  RefusalHint,
  RelatedExchange,
  ShownExchange,
  ShownMessage,
  ShownRefusal,
  ShownValue,
} from "./exchange_props.ts";
import { ClientSettings, type KnownClient } from "./client_settings.tsx";
import { CopyableBlock, Fact, ValueFact } from "../parts.tsx";
import { PageLink } from "../pass.tsx";
import { Remarks } from "./remarks.tsx";
import { RuleLinks } from "../rule_link.tsx";
import { describeMoment, describeStep } from "../time_text.ts";
import { quote, visible, visibleLines } from "../visible.ts";
import { englishInspector as words, type InspectorWords } from "../words/inspector_english.ts";

/** Returns the address of an exchange. */
export type LinkTo = (id: string) => string;

/** One exchange in a list: what it was, how it ended and, if it was refused, why. */
export function ExchangeItem(
  { line, link, linkToTag, clock }: {
    readonly line: ExchangeLine;
    readonly link: LinkTo;
    readonly linkToTag: LinkTo;
    readonly clock: string;
  },
): VNode {
  return (
    <li class={`exchange ${line.outcome}`} id={`exchange-${line.id}`}>
      <ExchangeHead line={line} link={link} linkToTag={linkToTag} clock={clock}>
        <PageLink href={link(line.id)}>{words.endpoint(line.endpoint, line.grantType)}</PageLink>
      </ExchangeHead>
    </li>
  );
}

/** The heading of a lane: whose it is, when it began, and how it went. */
export function LaneHead(
  { lane: { client, person, flow, exchanges, refusals, failures, startedAt, older }, children }: {
    readonly lane: Lane;
    readonly children?: ComponentChildren;
  },
): VNode {
  return (
    <>
      <h2>{quote(words.lane.of(client ?? words.lane.anonymous, person))}</h2>
      <p class="aside">
        {flow === undefined ? words.lane.noFlow : words.lane.flow} · {describeMoment(startedAt)} ·{" "}
        {words.lane.count(exchanges.length + older)} · {words.lane.refused(refusals, failures)}
        {children}
      </p>
    </>
  );
}

/** The head of an exchange. `children` is its name. */
export function ExchangeHead(
  { line, link, linkToTag, clock, children }: {
    readonly line: ExchangeLine;
    readonly link: LinkTo;
    /** Returns the address of a list of the exchanges with a tag. */
    readonly linkToTag?: LinkTo;
    /** The address of the page that sets the clock. Absent in a file. */
    readonly clock?: string | undefined;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <>
      {line.turned !== undefined && <p class="aside">{describeTurn(line.turned)}</p>}
      <p class="line">
        <span class="since">{line.since === undefined ? words.line.first : describeStep(line.since)}</span>
        {children}
        <Status line={line} />
        <span class="aside who">{describeSender(line)}</span>
        <code class="aside">{quote(`${line.method} ${line.target}`)}</code>
      </p>
      <Sentences line={line} link={link} clock={clock} hasChange />
      <Tags tags={line.tags} link={linkToTag} />
    </>
  );
}

/** Says what is wrong with an exchange, in a sentence each. `hasChange`: also says what to change. */
function Sentences(
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
          <Headline refusal={refusal} /> {change && <>{words.line.oneChange} {change}</>}
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

/** The fault. The response may say less than the server knows. */
function Headline({ refusal: { reason, description } }: { readonly refusal: ShownRefusal }): VNode {
  const known = words.headlines.get(reason);
  return known === undefined ? <strong>{quote(description)}.</strong> : <strong>{known}</strong>;
}

/** Returns the change that would help: the one that other requests call for, or the general one. */
function findChange({ change }: ShownRefusal, hints: readonly RefusalHint[]): string | undefined {
  const [known] = hints.flatMap((hint) => describeHint(hint, words.hintChanges) ?? []);
  return known ?? (change === undefined ? undefined : visible(change));
}

function describeHint(
  { kind, times = [], text }: RefusalHint,
  texts: InspectorWords["hints"],
): string | undefined {
  const [first = text ?? "", second = ""] = times.map((time) => formatDuration(time));
  return texts[kind]?.(visible(first), second);
}

function isAboutClock({ kind }: RefusalHint): boolean {
  return kind === "clock_turned" || kind === "clock_alone";
}

/** What other requests show about a refusal. */
function Hint({ hint, clock }: { readonly hint: RefusalHint; readonly clock?: string | undefined }): VNode {
  return (
    <>
      {describeHint(hint, words.hints)}
      {clock !== undefined && isAboutClock(hint) && (
        <>
          {" "}
          <PageLink href={clock}>{words.line.setClock}</PageLink>
        </>
      )}
    </>
  );
}

/** What was expected, above what came. */
function Difference({ refusal: { expected, received } }: { readonly refusal: ShownRefusal }): VNode | null {
  if (expected === undefined || received === undefined) return null;
  const wanted = addDate(expected);
  const came = addDate(words.losses.get(received) ?? received);
  return (
    <span class="difference">
      <span>{words.line.expected}</span> <code>{mark(quote(wanted), quote(came))}</code>
      <span>{words.line.received}</span> <code>{mark(quote(came), quote(wanted))}</code>
    </span>
  );
}

// Characters that two texts share at least, if the rest is worth marking.
const leastCommon = 8;

/** Marks where a text differs from a similar one, for example the slash at the end of a redirect URI. */
function mark(text: string, other: string): ComponentChildren {
  const [own, its] = [[...text], [...other]];
  const differsAt = (index: (at: number, length: number) => number) => {
    const most = Math.min(own.length, its.length);
    let at = 0;
    while (at < most && own[index(at, own.length)] === its[index(at, its.length)]) at++;
    return at;
  };
  const start = differsAt((at) => at);
  if (start < leastCommon || text === other) return text;
  const end = Math.min(differsAt((at, length) => length - 1 - at), own.length - start, its.length - start);
  // A mark below most of a text would say nothing.
  if (Math.max(own.length, its.length) > 2 * (start + end)) return text;
  return (
    <>
      {own.slice(0, start).join("")}
      <mark>{own.slice(start, own.length - end).join("")}</mark>
      {own.slice(own.length - end).join("")}
    </>
  );
}

/** Writes the date before a time in seconds. */
function addDate(recorded: string): string {
  return recorded.replace(
    /\b(exp|iat|nbf|auth_time|after) (\d{10})\b/g,
    (_, name, time) => `${name} ${describeMoment(Number(time))} (${time})`,
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

function describeClock(ahead: number): string {
  const time = formatDuration(ahead);
  return ahead < 0 ? words.line.clockBehind(time) : words.line.clockAhead(time);
}

function describeTurn(seconds: number): string {
  const time = formatDuration(seconds);
  return seconds < 0 ? words.line.turnedBack(time) : words.line.turnedAhead(time);
}

/** The heading of an exchange: what it was, and that it was refused. */
export function nameExchange({ endpoint, grantType, outcome }: ExchangeLine): string {
  const name = words.endpoint(endpoint, grantType);
  return outcome === "ok" ? name : `${name}: ${words.outcomes[outcome]}`;
}

/** Everything about one exchange. The ids of its elements begin with `prefix`, because a file has many exchanges. */
export function ExchangeBody(
  { shown, link, prefix, clock, client, isHeaded = false }: {
    readonly shown: ShownExchange;
    readonly link: LinkTo;
    readonly prefix: string;
    /** The address of the page that sets the clock. Absent in a file. */
    readonly clock?: string;
    /** Absent if the server does not know the client, and in a file. */
    readonly client?: KnownClient;
    /** An `ExchangeHead` comes before it, which has the sentences and is below a heading of level 2. */
    readonly isHeaded?: boolean;
  },
): VNode {
  const { refusal, advice, pkce, checks, related } = shown;
  const Heading = isHeaded ? "h3" : "h2";
  const comparisons = checks.length > 0 && (
    <section>
      <Heading>{words.exchange.checks}</Heading>
      <p class="aside">{words.exchange.checksNote}</p>
      <Checks checks={checks} />
    </section>
  );
  const told = refusal ?? advice;
  const isRefused = told !== undefined;
  const relatedRows = related.length > 0 && (
    <Related
      heading={<Heading>{isRefused ? words.exchange.related : words.exchange.origins}</Heading>}
      shown={shown}
      link={link}
    />
  );
  return (
    <>
      {!isHeaded && <Sentences line={shown} link={link} />}
      {told !== undefined && <Why refusal={told} hints={shown.hints} clock={clock} />}
      <Altered altered={shown.altered} />
      {refusal !== undefined && client !== undefined && (
        <section>
          <Heading>{words.client.heading}</Heading>
          <ClientSettings client={client} />
        </section>
      )}
      {isRefused && relatedRows}
      {shown.failedChecks.length > 0 && comparisons}
      {pkce !== undefined && (
        <section>
          <Heading>{pkce.hash === undefined ? words.client.pkce : words.exchange.arithmetic}</Heading>
          <Pkce sum={pkce} link={link} />
        </section>
      )}
      {shown.failedChecks.length === 0 && comparisons}
      <section>
        <Heading>{words.exchange.facts}</Heading>
        <ExchangeFacts shown={shown} {...(client === undefined ? {} : { client })} />
      </section>
      {!isRefused && relatedRows}
      <section>
        <Heading>{words.exchange.request}</Heading>
        <p>
          <code class="value">{visible(`${shown.method} ${shown.target}`)}</code>
        </p>
        <Message message={shown.request} opensHeaders={isAboutHeaders(shown)} />
      </section>
      <section>
        <Heading>{words.exchange.response}</Heading>
        <p>{shown.status ?? words.exchange.noStatus}</p>
        <Message message={shown.response} isResponse />
      </section>
      <details class="copies">
        <summary>{words.exchange.copy}</summary>
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
      </details>
    </>
  );
}

/** Whether the refused credentials are in a header. */
function isAboutHeaders({ refusal, request: { headers } }: ShownExchange): boolean {
  const isAboutCredentials = refusal?.error === "invalid_client" || refusal?.error === "invalid_token";
  return isAboutCredentials && headers.some(({ name }) => /^authorization/i.test(name));
}

/** Explains a refusal: the change that would help, the values, and the rule. */
export function Why(
  { refusal, hints = [], clock }: {
    readonly refusal: ShownRefusal;
    readonly hints?: readonly RefusalHint[];
    readonly clock?: string | undefined;
  },
): VNode {
  const { error, reason, rule, expected, received, remedy } = refusal;
  const change = findChange(refusal, hints);
  return (
    <>
      <dl class="facts why">
        {change !== undefined && <Fact term={words.exchange.oneChange}>{change}</Fact>}
        {hints.map((hint) =>
          words.hints[hint.kind] !== undefined && (
            <Fact key={hint.kind} term={words.exchange.hint}>
              <Hint hint={hint} clock={clock} />
            </Fact>
          )
        )}
        {expected !== undefined && (
          <Fact term={words.exchange.expected}>
            <Told text={expected} other={received} />
          </Fact>
        )}
        {received !== undefined && (
          <Fact term={words.exchange.received}>
            <Told text={received} other={expected} />
          </Fact>
        )}
        {rule !== undefined && (
          <Fact term={words.exchange.rule}>
            <RuleLinks rules={visible(rule)} />
          </Fact>
        )}
        <Fact term={words.exchange.error}>
          <code>{visible(error === undefined ? reason : `${error} (${reason})`)}</code>
        </Fact>
      </dl>
      {remedy !== undefined && (
        <details>
          <summary>{words.exchange.remedy}</summary>
          {[...words.exchange.settings].map(([setting, effect]) =>
            remedy.includes(`"${setting}"`) && <p key={setting}>{effect}</p>
          )}
          <pre><code>{visibleLines(remedy)}</code></pre>
        </details>
      )}
    </>
  );
}

/** What the server recorded. The names of causes are put into words. */
function Told({ text, other = "" }: { readonly text: string; readonly other?: string | undefined }): VNode {
  const cause = words.losses.get(text);
  return cause === undefined
    ? <code class="told">{mark(visible(addDate(text)), visible(addDate(other)))}</code>
    : <span class="told">{cause}</span>;
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

function Pkce({ sum: { verifier, hash, challenge, challengeId }, link }: {
  readonly sum: PkceSum;
  readonly link: LinkTo;
}): VNode {
  return (
    <>
      <dl class="facts">
        {verifier !== undefined && (
          <Fact term={words.exchange.verifier}>
            <Value value={verifier} />
          </Fact>
        )}
        <ValueFact term={words.exchange.hash} value={hash} />
        <Fact
          term={challengeId === undefined
            ? words.exchange.challenge
            : <PageLink href={link(challengeId)}>{words.exchange.challenge}</PageLink>}
        >
          {challenge === undefined
            ? words.exchange.noChallenge
            : <code class="value">{visible(challenge)}</code>}
        </Fact>
      </dl>
      {hash !== undefined && challenge !== undefined && (
        <p class={hash === challenge ? "holds" : "fails"}>
          {hash === challenge ? words.exchange.matches : words.exchange.differs}
        </p>
      )}
    </>
  );
}

function Checks({ checks }: { readonly checks: readonly ClientCheck[] }): VNode {
  return <dl class="facts">{checks.map((check) => <Check key={check.name} {...check} />)}</dl>;
}

function Check({ name, isMet, expected, received }: ClientCheck): VNode {
  const [face, sign, result] = isMet === undefined
    ? ["aside", "–", words.exchange.open]
    : isMet
    ? ["holds", "✓", words.exchange.holds]
    : ["fails", "✗", words.exchange.fails];
  const term = (
    <>
      <span class={face} aria-hidden="true">{sign}</span> <span class="unseen">{`${result}: `}</span>
      {words.checks[name]}
    </>
  );
  return (
    <Fact term={term}>
      {isMet === undefined && (
        <span class="note">
          {name === "access_token_aud" ? words.exchange.noResource : words.exchange.noRequest}
        </span>
      )}
      {isMet !== false ? <Received value={received} /> : (
        <>
          <span class="aside">{words.exchange.expected}:</span>{" "}
          {expected === undefined ? words.exchange.noExpectation : <Value value={expected} />}
          <br />
          <span class="aside">{words.exchange.received}:</span> <Received value={received} />
        </>
      )}
    </Fact>
  );
}

function Received({ value }: { readonly value: ShownValue | undefined }): VNode {
  return value === undefined ? <>{words.exchange.notReceived}</> : <Value value={value} />;
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

type Explanations = ReadonlyMap<string, string>;

/** Values with their names and explanations. */
export function Values({ values, explain }: {
  readonly values: readonly NamedValue[];
  readonly explain: readonly Explanations[];
}): VNode {
  return (
    <dl class="facts">
      {values.map((value, at) => {
        const meaning = value.meaning ?? value.name;
        const explanation = explain.find((each) => each.has(meaning))?.get(meaning);
        return (
          <Fact key={at} term={<code>{quote(value.name)}</code>}>
            <Value value={value} />
            {explanation !== undefined && <span class="aside">{explanation}</span>}
            {value.jwt !== undefined && <Jwt jwt={value.jwt} carriedBy={value.name} />}
          </Fact>
        );
      })}
    </dl>
  );
}

/** A JWT without its signature. */
export function Jwt({ jwt: { header, claims }, carriedBy }: {
  readonly jwt: DecodedJwt;
  /** The name of the parameter or header with the JWT. Absent if it is not known. */
  readonly carriedBy?: string;
}): VNode {
  const { explanations } = words;
  const ofClient = explanations.clientClaims.get(carriedBy ?? "");
  return (
    <div class="jwt">
      <Values values={header} explain={[explanations.jwtHeader]} />
      <Values
        values={claims}
        explain={ofClient === undefined
          ? [explanations.claims]
          : [ofClient, explanations.parameters, explanations.claims]}
      />
    </div>
  );
}

/** A value, or what is known about a secret. */
function Value({ value }: { readonly value: ShownValue }): VNode {
  const { text, length, fingerprint, hasOuterSpace, cutFrom, time } = value;
  const notes = [
    ...(text === undefined
      ? [length === undefined ? words.secret.hidden : words.secret.hiddenLength(length)]
      : []),
    ...(text === undefined && fingerprint !== undefined ? [words.secret.fingerprint(fingerprint)] : []),
    ...(hasOuterSpace ? [words.secret.outerSpace] : []),
    ...(cutFrom === undefined ? [] : [words.secret.cut(cutFrom)]),
    ...(text === "" ? [words.secret.empty] : []),
    ...(time === undefined ? [] : [describeMoment(time)]),
  ];
  return (
    <>
      {text !== undefined && text !== "" && <code class="value">{visible(text)}</code>}
      {notes.length > 0 && <span class="note">{notes.join(", ")}</span>}
    </>
  );
}
