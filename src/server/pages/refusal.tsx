/** A refusal that is not sent to the client, explained for the developer of the client. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { RefusalProps } from "../oauth/contracts/pages.ts";
import { BreakableAddress } from "./breakable_address.tsx";
import type { Page } from "./document.tsx";
import type { Frame } from "./pages_options.ts";
import {
  BreakableName,
  classOfValue,
  ClientName,
  CodeValue,
  Compared,
  CopyableBlock,
  ExpectedUris,
  Fact,
  findNearest,
  headingOf,
  Outcome,
  Section,
  ValueFact,
} from "./parts.tsx";
import { LibraryWords, WhoseChange } from "./library_words.tsx";
import { RuleLinks } from "./rule_link.tsx";
import { visible } from "../../ground/values/visible.ts";
import { present } from "../../ground/values/present.ts";
import type { Words } from "./words/english.ts";
import { langOfEnglish, useWords } from "./words/use_words.ts";
import { fill } from "../../ground/values/fill.ts";

type FramedRefusal = RefusalProps & { readonly frame?: Frame | undefined };

export function refusalPage(props: FramedRefusal, words: Words): Page {
  const isAlone = isFormAlone(props);
  const usual = isAlone ? words.refusal.startAgain : headingOf(props.status, words);
  const heading = props.clients === undefined ? usual : words.refusal.chooseClient;
  // A developer who has the line of a library needs no recipe.
  const isKnown = props.libraries?.looksLike?.line !== undefined;
  // Two values show the cause. A single one is a detail.
  const isCompared = props.expected !== undefined && props.received !== undefined;
  const values = props.programsSend === undefined && <ReceivedAndExpected {...props} />;
  const help = props.libraries !== undefined && (
    <LibraryWords {...props.libraries} printCommand={props.frame?.printCommand}>
      {isKnown && <Change {...props} term={words.refused.byHand} />}
    </LibraryWords>
  );
  return {
    title: heading,
    homeUrl: props.homeUrl,
    styles: ["parts.css", "sheet.css"],
    ...present({
      scripts: props.libraries !== undefined
        ? ["copy.js", "copy_lines.js"]
        : props.remedy !== undefined
        ? ["copy.js"]
        : undefined,
    }),
    main: (
      <>
        <Outcome
          heading={isTold(props)
            ? <span id="description" lang={langOfEnglish(words)}>{visible(props.description)}</span>
            : heading}
        >
          <StatusLine {...props} />
        </Outcome>
        {isAlone && <p id="advice">{words.refusal.startAgainAdvice}</p>}
        <div class={props.change && "notice mend"} lang={langOfEnglish(words)}>
          {!isTold(props) && (
            <p id="description">
              {isAlone ? visible(props.description) : <b>{visible(props.description)}</b>}
            </p>
          )}
          {isCompared && values}
          {!isKnown && <Change {...props} term={words.refused.change} />}
          {!isCompared && values}
          {isTold(props) && <WhoseChange kind={kindOf(props)} />}
        </div>
        {isKnown && help}
        {props.clients !== undefined && <Clients clients={props.clients} />}
        {props.programsSend !== undefined && (
          <p id="programs" lang={langOfEnglish(words)}>{words.refused.programs}</p>
        )}
        <Onward {...props} />
        {!isKnown && help}
        <Alternative {...props} />
        {props.programsSend !== undefined && <WhatToSend {...props.programsSend} />}
        {props.wouldHaveGoneTo !== undefined && (
          <p class="aside" lang={langOfEnglish(words)}>
            {words.refused.wouldHaveGoneTo}{" "}
            <CodeValue id="would-have-gone-to" value={props.wouldHaveGoneTo} />.{" "}
            {words.refused.wouldHaveGoneToNote}
          </p>
        )}
        {props.exchangeId !== undefined && (
          <p class="aside" lang={langOfEnglish(words)}>
            {words.refused.exchange} <code class="value" id="exchange-id">{props.exchangeId}</code>.{" "}
            {words.refused.exchangeNote}
          </p>
        )}
        {props.endpoints !== undefined && <Endpoints endpoints={props.endpoints} />}
      </>
    ),
  };
}

/** Whether the reason, for the developer, is the heading. A person who cannot change a request gets the usual one. */
function isTold(props: RefusalProps): boolean {
  return props.status < 500 && /^(request|unregistered)$/.test(kindOf(props));
}

/** What a program gets, in one line. */
function StatusLine({ status, error, spec }: RefusalProps): VNode {
  const words = useWords();
  return (
    <p class="aside" lang={langOfEnglish(words)}>
      <span id="status">{words.refused.statusOf(status)}</span>
      {error !== undefined && [" · ", <code key="error" id="error">{visible(error)}</code>]}
      {spec !== undefined && (
        <>
          {` · ${words.refused.spec}: `}
          <span id="spec">
            <RuleLinks rules={visible(spec)} />
          </span>
        </>
      )}
    </p>
  );
}

export function Change(
  { change, term }: Pick<RefusalProps, "change"> & { readonly term: string },
): VNode | false {
  return change !== undefined && (
    <p>
      <strong>{term}</strong>{" "}
      <span id="change">
        <BreakableAddress text={visible(change)} />
      </span>
    </p>
  );
}

type KindOfRefusal = "nowhere" | "ended" | "passing" | "unregistered" | "request" | "form";

/** What helps after each kind of refusal. The first way that the page has is its main button. */
const waysAfter: Readonly<Record<KindOfRefusal, readonly WayName[]>> = {
  nowhere: ["home", "entry"],
  ended: ["start-again", "application", "entry", "home"],
  passing: ["try-again", "entry", "home"],
  unregistered: ["configure", "correct", "entry", "home"],
  request: ["correct", "entry", "home"],
  form: ["home", "entry"],
};

function kindOf(props: RefusalProps): KindOfRefusal {
  if (props.status === 404) return "nowhere";
  if (props.startAgainUrl !== undefined || props.applicationUrl !== undefined) return "ended";
  if (props.tryAgainUrl !== undefined) return "passing";
  // The server knows where the answer would have gone, so only the request is wrong.
  if (props.remedy !== undefined && props.wouldHaveGoneTo === undefined) return "unregistered";
  return props.sent === undefined || isFormAlone(props) ? "form" : "request";
}

type WayName = "home" | "entry" | "start-again" | "application" | "try-again" | "configure" | "correct";

/** A value with a mistake is corrected, although the server could be told to allow it. */
function listWayNames(props: RefusalProps): readonly WayName[] {
  const kind = kindOf(props);
  return waysAfter[kind === "unregistered" && isMistyped(props) ? "request" : kind];
}

/** A link of a way on. Absent: the page does not have it. */
interface Way {
  readonly href: string | undefined;
  readonly text: string;
  /** The text is English in each language. */
  readonly isEnglish?: true;
}

function listWays(props: FramedRefusal, { refusal, refused }: Words): Readonly<Record<WayName, Way>> {
  const { entryId, sent, remedy, programsSend, frame } = props;
  const correct = programsSend === undefined ? refused.correct : refused.write;
  return {
    home: { href: props.homeUrl, text: refusal.home },
    "start-again": { href: props.startAgainUrl, text: refusal.startAgainHere },
    application: { href: props.applicationUrl, text: refusal.application },
    "try-again": { href: props.tryAgainUrl, text: refusal.tryAgain },
    entry: {
      href: entryId === undefined ? undefined : frame?.ownEntryUrl(entryId),
      text: refused.entry,
      isEnglish: true,
    },
    correct: { href: sent && frame?.correctUrl(sent), text: correct, isEnglish: true },
    configure: {
      href: remedy === undefined ? undefined : "#remedy",
      text: refused.configure,
      isEnglish: true,
    },
  };
}

/** Returns the ways that the page has. The first one is its main button. */
function listShownWays(props: FramedRefusal, words: Words) {
  const ways = listWays(props, words);
  return listWayNames(props).flatMap((id) => {
    const { href, text, isEnglish } = ways[id];
    return href === undefined ? [] : [{ id, href, text, lang: isEnglish && langOfEnglish(words) }];
  });
}

function Onward(props: FramedRefusal): VNode {
  return (
    <p class="onward">
      {listShownWays(props, useWords()).map(({ text, ...link }, at) => {
        const isMain = at === 0 && props.clients === undefined;
        return <a key={link.id} class={isMain ? "button primary" : undefined} {...link}>{text}</a>;
      })}
    </p>
  );
}

/** Whether a person opened the address that a form posts to. */
function isFormAlone({ status, received, programsSend }: RefusalProps): boolean {
  return status === 405 && received === "GET" && programsSend === undefined;
}

/** Whether the value seems to be the right one with a mistake. */
function isMistyped({ expected = "", redirectUris = [expected], received = "" }: RefusalProps): boolean {
  return findNearest(received, redirectUris) !== undefined;
}

/** The two values of a refusal, one below the other. */
export function ReceivedAndExpected(
  { expected, redirectUris, received }: Pick<RefusalProps, "expected" | "redirectUris" | "received">,
): VNode | false {
  const { refused } = useWords();
  const nearest = findNearest(received, redirectUris) ?? expected;
  return (expected ?? received) !== undefined && (
    <dl class="facts">
      <TextFact id="received" term={refused.received} text={received} other={nearest} />
      <TextFact id="expected" term={refused.expected} text={expected} other={received} uris={redirectUris} />
    </dl>
  );
}

/** What the server could be told. It is folded if the server gives something up with it, and if the request is to be corrected. */
function Alternative(props: FramedRefusal): VNode | false {
  const words = useWords();
  const { refused } = words;
  const { instead, remedy } = props;
  const isOpen = instead === undefined && listShownWays(props, words)[0]?.id !== "correct";
  return (instead ?? remedy) !== undefined && (
    <details id="instead" open={isOpen} lang={langOfEnglish(words)}>
      <summary>{instead === undefined ? refused.remedy : refused.instead}</summary>
      {instead !== undefined && <p id="cost">{visible(instead)}</p>}
      {remedy !== undefined && (
        <>
          <p>{fill(refused.remedyNote, { flag: <code>--config</code>, call: <code>createServer</code> })}</p>
          <CopyableBlock id="remedy" kind={refused.remedyKind} what={refused.copyRemedy}>
            {remedy}
          </CopyableBlock>
        </>
      )}
    </details>
  );
}

function Clients({ clients }: Required<Pick<RefusalProps, "clients">>): VNode {
  const words = useWords();
  return (
    <ul class="choices facts" id="clients">
      {clients.map((client) =>
        client.start && (
          <li key={client.id}>
            <a class="button" href={client.start.url}>
              <ClientName client={client} />
            </a>
            <span>
              {(client.name ?? client.id) !== client.id && <code>{visible(client.id)} ·</code>}{" "}
              {fill(words.refusal.endsAt, { uri: <code class="value">{visible(client.start.endsAt)}</code> })}
            </span>
          </li>
        )
      )}
    </ul>
  );
}

/** Nothing, if the endpoint takes neither a header nor a body. */
function WhatToSend({ header, type, forms }: NonNullable<RefusalProps["programsSend"]>): VNode | null {
  const words = useWords();
  if (header === undefined && type === undefined) return null;
  return (
    <Section id="send" heading={words.refused.send} lang={langOfEnglish(words)}>
      <dl class="facts" id="send">
        <ValueFact term="Authorization" value={header} />
        <ValueFact term={words.refused.sendBody} value={type} />
        {forms.map(({ grantType, params }) => (
          <Fact key={grantType} term={<BreakableName name={grantType || words.refused.sendParams} />}>
            <code>{params.join(" ")}</code>
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

function Endpoints({ endpoints }: { readonly endpoints: NonNullable<RefusalProps["endpoints"]> }): VNode {
  const words = useWords();
  return (
    <Section id="endpoints" heading={words.refused.endpoints} lang={langOfEnglish(words)}>
      <dl class="facts" id="endpoints">
        {endpoints.map(({ name, url }) => (
          <Fact key={url} term={<BreakableName name={name} />}>
            <CodeValue value={url} />
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

/** A row with a text. Nothing without one. */
function TextFact({ id, term, text, other, uris }: {
  readonly id: string;
  readonly term: string;
  readonly text: string | undefined;
  /** A similar text, from which this one may differ in a character. */
  readonly other: string | undefined;
  readonly uris?: readonly string[] | undefined;
}): VNode | null {
  if (text === undefined) return null;
  const visibleText = visible(text);
  const isLong = visibleText.length > longest;
  const box = isLong ? { tabIndex: 0, role: "group", "aria-label": term } as const : {};
  // Each of the URIs has the face of a value already. A second one around it makes it smaller than what was received.
  const face = uris !== undefined || visibleText.includes(" ") ? "told" : classOfValue(visibleText);
  return (
    <Fact term={term}>
      <span class={isLong ? `${face} long` : face} id={id} {...box}>
        {uris === undefined
          ? <Compared text={text} other={other} />
          : <ExpectedUris text={text} uris={uris} received={other} />}
      </span>
    </Fact>
  );
}
const longest = 600;
