/** Components that several pages use. */
/** @jsxImportSource preact */

import { type ComponentChild, type ComponentChildren, Fragment, toChildArray, type VNode } from "preact";
import type { ClientSummary, FormProps, PersonSummary } from "../oauth/contracts/pages.ts";
import { BreakableAddress } from "./breakable_address.tsx";
import { DestinationSentence } from "./sign_in/destination.tsx";
import { shortName, visible } from "../../ground/values/visible.ts";
import type { Words } from "./words/english.ts";
import { fill, fillText, formatCount } from "../../ground/values/fill.ts";
import { useWords } from "./words/use_words.ts";

/** The head of a page that says how a request ended. */
export function Outcome(
  { isOpen = false, heading, children }: {
    readonly isOpen?: boolean;
    readonly heading: ComponentChildren;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <div class="outcome">
      <Gate isOpen={isOpen} />
      <div>
        <h1>{heading}</h1>
        {children}
      </div>
    </div>
  );
}

function Gate({ isOpen }: { readonly isOpen: boolean }): VNode {
  return (
    <svg class="glyph" viewBox="0 0 40 48" width="40" height="48" aria-hidden="true" focusable="false">
      <path class="wall" d="M0 48V20C0 9 9 0 20 0s20 9 20 20v28z" />
      <path class={isOpen ? "lit" : "dark"} d="M7 48V20a13 13 0 0 1 26 0v28z" />
      {!isOpen && <path class="bars" d="M13.5 9.5V48M20 7.5V48M26.5 9.5V48M7.5 19h25M7.5 29h25M7.5 39h25" />}
    </svg>
  );
}

/** A link that looks like a button. Nothing without an address. `isMain`: it is the usual way on. */
export function WayOn({ href, isMain = false, ...rest }: {
  readonly href: string | undefined;
  readonly id: string;
  readonly isMain?: boolean;
  readonly rel?: string;
  readonly children: ComponentChildren;
}): VNode | null {
  return href === undefined ? null : <a class={isMain ? "button primary" : "button"} href={href} {...rest} />;
}

/** A button that copies the element with the id `target`. It is hidden until the script runs. `children` is its text. */
export function CopyButton({ target, what, children }: {
  readonly target: string;
  readonly what: string;
  readonly children?: ComponentChildren;
}): VNode {
  const words = useWords();
  return (
    <button
      type="button"
      class="copy"
      hidden
      data-copy={target}
      data-what={children && what}
    >
      {children ?? (
        <>
          {words.copy.action}
          <span class="unseen">{what}</span>
        </>
      )}
    </button>
  );
}

/** A value with a button that copies it. Hidden characters are shown, and copied as they are. */
export function Copyable(
  { id, value, what }: { readonly id: string; readonly value: string; readonly what: string },
): VNode {
  const shown = visible(value);
  return (
    <span class="copyable">
      <code class={classOfValue(value)} id={id} data-value={shown === value ? undefined : value}>
        <BreakableAddress text={shown} />
      </code>
      <CopyButton target={id} what={what} />
    </span>
  );
}

/** An address breaks at its slashes, a URN at its colons, and a command at its spaces. Any other value breaks at every character. */
export function classOfValue(value: string): string {
  return value.includes(" ") || /^([\w.+-]+:\/\/|urn:)/.test(value) ? "value address" : "value";
}

export function CodeValue({ value, id }: { readonly value: string; readonly id?: string }): VNode {
  return (
    <code class={classOfValue(value)} id={id}>
      <BreakableAddress text={visible(value)} />
    </code>
  );
}

export function CopyableBlock({ id, kind, what, children }: {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly children: ComponentChildren;
}): VNode {
  const words = useWords();
  const lines = splitLines(children);
  return (
    <div class="block">
      <p class="bar">
        <span>{kind}</span>
        <CopyButton target={id} what={what} />
      </p>
      <pre id={id}><code>{lines.map(showLine)}</code></pre>
      {lines.some(isLengthy) && <p class="rest">{words.copy.rest}</p>}
    </div>
  );
}

/**
 * The notice of a form whose last attempt failed: what was wrong, and how long to wait. Such a page answers a POST, so
 * `address` is where GET shows it again.
 */
export function ProblemNotice<Kind extends string>({ problem, texts, address }: {
  readonly problem: { readonly kind: Kind } | { readonly kind: Kind; readonly secondsToWait: number };
  readonly texts: Readonly<Record<Kind, string>>;
  readonly address?: string | undefined;
}): VNode {
  const words = useWords();
  const text: string = texts[problem.kind];
  const seconds = "secondsToWait" in problem ? problem.secondsToWait : 0;
  return (
    <p class="notice problem" id="problem" role="alert" data-address={address}>
      {fillText(text, {
        seconds: formatCount(seconds, "second", words),
        minutes: formatCount(Math.ceil(seconds / 60), "minute", words),
      })}
    </p>
  );
}

/** A text in which backticks enclose code. */
export function MarkedText({ text }: { readonly text: string }): VNode {
  return <>{text.split("`").map((part, at) => at % 2 === 0 ? part : <code key={at}>{part}</code>)}</>;
}

/** The lines of a `pre`. One that is wrapped goes on further inside. */
export function HangingLines({ children }: { readonly children: ComponentChildren }): VNode {
  return <>{splitLines(children).map(showLine)}</>;
}

type Line = readonly ComponentChild[];

/** The deepest indentation that the stylesheet knows. */
const deepest = 6;

function splitLines(children: ComponentChildren): readonly Line[] {
  const lines: ComponentChild[][] = [[]];
  for (const child of toChildArray(children)) {
    const [first, ...others] = typeof child === "object" ? [child] : `${child}`.split("\n");
    lines.at(-1)!.push(first);
    for (const other of others) lines.push([other]);
  }
  return lines;
}

/** Whether the line is so long, for example because of a token, that the page shows its beginning only. */
function isLengthy(line: Line): boolean {
  return line.reduce((sum: number, part) => sum + (typeof part === "string" ? part.length : 0), 0) > 300;
}

/** Puts a line into an element, so that a wrapped line is indented and cannot be mistaken for the next one. */
function showLine(line: Line, at: number): ComponentChildren {
  const [first, ...others] = line;
  const indent = typeof first === "string" ? /^ */.exec(first)![0] : "";
  const depth = Math.min(Math.ceil(indent.length / 2), deepest);
  // The line feeds are between the elements, so that selected text has each of them once.
  return [
    at > 0 && "\n",
    <span key={at} class={`line${isLengthy(line) ? " lengthy" : ""}${depth > 0 ? ` n-${depth}` : ""}`}>
      {indent}
      <span>{typeof first === "string" ? first.slice(indent.length) : first}{others}</span>
    </span>,
  ];
}

export function Fact(
  { term, children }: { readonly term: ComponentChildren; readonly children: ComponentChildren },
): VNode {
  return (
    <div class="fact">
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A row with a value, with its hidden characters. Nothing without a value. */
export function ValueFact({ term, value, id }: {
  readonly term: string;
  readonly value: string | undefined;
  readonly id?: string;
}): VNode | null {
  return value === undefined ? null : (
    <Fact term={term}>
      <code class="value" id={id}>{visible(value)}</code>
    </Fact>
  );
}

export function Section({ id, heading, lang, children }: {
  /** The id of the heading is `ID-heading`. */
  readonly id: string;
  readonly heading: ComponentChildren;
  readonly lang?: string | undefined;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section aria-labelledby={`${id}-heading`} lang={lang}>
      <h2 id={`${id}-heading`}>{heading}</h2>
      {children}
    </section>
  );
}

type HeadingLook = "end" | "wide" | "under" | "end wide" | "end under";

/** `clip` and `short` are for the cells only, and the others for the heading, too. `name`: the cells name their rows. */
type Look = "name" | "short" | "clip" | `${"short" | "clip"} ${HeadingLook}` | HeadingLook;

export type TableColumn<Row> = readonly [
  heading: string,
  cell: (row: Row, at: number) => ComponentChildren,
  look?: Look,
];

export interface TableProps<Row> {
  readonly id?: string | undefined;
  readonly rows: readonly Row[];
  /** What scripts and links find a row by. */
  readonly attributesOf?: (
    row: Row,
  ) => { readonly id?: string; readonly [data: `data-${string}`]: string | undefined };
  /** A column that is false is left out. */
  readonly columns: readonly (TableColumn<Row> | false | undefined)[];
  /** The last column, with what a person can do. Its heading is for people who hear the page. */
  readonly action?: TableColumn<Row> | false | undefined;
}

/** A column says once what its heading is, what it shows of a row, and how it looks. */
export function Table<Row>({ id, rows, attributesOf, columns, action }: TableProps<Row>): VNode {
  const shown = columns.filter((column) => column !== false && column !== undefined);
  const cells = action ? [...shown, action] : shown;
  return (
    <table class="rows" id={id}>
      <Head columns={shown} action={action ? action[0] : undefined} />
      <tbody>
        {rows.map((row, at) => (
          <tr key={at} {...attributesOf?.(row)}>
            {cells.map(([heading, cell, look]) =>
              look === "name"
                ? <th key={heading} scope="row">{cell(row, at)}</th>
                : <td key={heading} class={look}>{cell(row, at)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `action`: the heading of the last column, with what a person can do. It is for people who hear the page. */
export function Head({ columns, action }: {
  readonly columns: readonly (readonly [heading: string, cell?: unknown, look?: Look])[];
  readonly action?: string | undefined;
}): VNode {
  return (
    <thead>
      <tr>
        {columns.map(([text, , look]) => (
          <th key={text} scope="col" class={look?.replace(/^(name|short|clip) ?/, "") || undefined}>
            {text}
          </th>
        ))}
        {action !== undefined && (
          <th scope="col">
            <span class="unseen">{action}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** A name with underscores or colons. A narrow column breaks it after one of them. */
export function BreakableName({ name }: { readonly name: string }): VNode {
  const parts = name.split(/(?<=[_:])/);
  return <>{parts.map((part, at) => at === 0 ? part : [<wbr key={at} />, part])}</>;
}

/** Marks up the name of a client, because its text must not look like a part of the sentence. */
export function ClientName({ client }: { readonly client: ClientSummary }): VNode {
  return <bdi class="client-name">{shortName(client.name ?? client.id)}</bdi>;
}

/** `isWithin`: it is part of a notice that says when to approve. */
export function Unverified(
  { client, isWithin }: { readonly client: ClientSummary; readonly isWithin?: boolean },
): VNode {
  const words = useWords();
  return (
    <p class={isWithin ? undefined : "notice caution"} id="unverified">
      <strong>{words.client.unverified}.</strong> {explainUnverified(client, words)}
      {!isWithin && ` ${words.client.approveOnly}`}
    </p>
  );
}

function explainUnverified({ describesItselfIn, name, links }: ClientSummary, words: Words): string {
  if (describesItselfIn === undefined) return words.client.unverifiedReason;
  const { [describesItselfIn]: reason, chosen } = words.client;
  if (links === undefined) return fillText(reason, { chosen: name === undefined ? "" : chosen.name });
  return fillText(reason, { chosen: name === undefined ? chosen.links : chosen.both });
}

export function WhoAsks({ props: { client, redirectUri } }: { readonly props: FormProps }): VNode {
  const words = useWords();
  return (
    <>
      <p class="lead">{fill(words.signIn.asks, { client: <ClientName client={client} /> })}</p>
      {redirectUri !== undefined && <DestinationSentence uri={redirectUri} />}
      {client.isUnverified && <Unverified client={client} />}
    </>
  );
}

export function PersonName({ person }: { readonly person: PersonSummary }): VNode {
  return <bdi class="person-name">{shortName(person.name ?? person.username)}</bdi>;
}

/** Returns the username and the email address, which distinguish people with the same name. */
export function personDetail(person: PersonSummary): string {
  return listDetails(person).join(" · ");
}

function listDetails({ name, username, email }: PersonSummary): readonly string[] {
  const details = [name === undefined ? undefined : username, email === username ? undefined : email];
  return details.filter((detail) => detail !== undefined);
}

/** The hidden field with the encrypted request. */
export function EncryptedRequest({ request }: { readonly request: string }): VNode {
  return <input type="hidden" name="request" value={request} />;
}

/** A button for each person. `name` is the form field that the button sends. */
export function PeopleButtons({ name, people, leads, focused }: {
  readonly name: "person" | "account";
  readonly people: readonly PersonSummary[];
  /** Whether the first of them is the usual way on. */
  readonly leads: boolean;
  readonly focused?: PersonSummary | undefined;
}): VNode {
  const words = useWords();
  return (
    <ul>
      {people.map((person, at) => (
        <li key={person.username}>
          <button
            type="submit"
            class={leads && at === 0 ? "button primary person" : "button person"}
            name={name}
            value={person.username}
            autofocus={person === focused}
          >
            <span class="unseen">{words.signIn.continueAs}</span>
            <PersonName person={person} />
            {listDetails(person).length > 0 && (
              <span class="detail">
                {listDetails(person).map((each, at) => [at > 0 && " · ", <span key={each}>{each}</span>])}
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The Deny button of every page with a question. `DenyNote` says what it does. */
export function DenyButton(
  { label, look = "button" }: { readonly label: string; readonly look?: "button" | "plain" },
): VNode {
  return (
    <button type="submit" class={look} id="deny" name="decision" value="deny" aria-describedby="deny-note">
      {label}
    </button>
  );
}

export function DenyNote({ note }: { readonly note: string }): VNode {
  return <p class="aside" id="deny-note">{note}</p>;
}

/** The way out of a page that asks who the person is. */
export function DenyForm({ props, note }: { readonly props: FormProps; readonly note: string }): VNode {
  const words = useWords();
  return (
    <form class="deny" method="post" action={props.action}>
      <EncryptedRequest request={props.request} />
      <DenyButton label={words.signIn.deny} look="plain" />
      <DenyNote note={props.redirectUri === undefined ? words.device.denyNote : note} />
    </form>
  );
}

export function headingOf(status: number, { refusal: { headings } }: Words): string {
  return new Map(Object.entries(headings)).get(`${status}`) ??
    (status >= 500 ? headings.fault : headings.other);
}

/** The text, with a mark where it differs from a similar one. */
export function Compared({ text, other = "" }: {
  readonly text: string;
  readonly other?: string | undefined;
}): VNode {
  const shown = visible(text);
  return markDifference(shown, visible(other)) ?? <BreakableAddress text={shown} />;
}

/** What was expected of a redirect URI. Each registered one is code on a line of its own, and the nearest has the mark. */
export function ExpectedUris({ text, uris, received }: {
  readonly text: string;
  readonly uris: readonly string[];
  readonly received: string | undefined;
}): VNode {
  const nearest = findNearest(received, uris);
  const rest = visible(text.slice(uris.join(" or ").length));
  const space = rest.indexOf(" ") + 1;
  return (
    <>
      {uris.map((uri, at) => (
        <Fragment key={uri}>
          {at > 0 && [" or ", <br key="line" />]}
          <code class={classOfValue(uri)}>
            <Compared text={uri} other={uri === nearest ? received : undefined} />
          </code>
        </Fragment>
      ))}
      {rest !== "" && [rest.slice(0, space), <br key="line" />, rest.slice(space)]}
    </>
  );
}

/** Returns the value that shares most with a text, if the text may be that value with a mistake. */
export function findNearest(text = "", values: readonly string[] = []): string | undefined {
  const shares = values.map((value) => findShared([...text], [...value])?.reduce((sum, each) => sum + each));
  const most = Math.max(...shares.map((share) => share ?? 0));
  return values[shares.findIndex((share) => share === most)];
}

// Characters that two texts share at least, if the rest is worth marking.
const leastCommon = 8;

/**
 * Marks where a text differs from a similar one, for example the slash at the end of a redirect URI. `undefined`: they are
 * equal, or not similar.
 */
function markDifference(text: string, other: string): VNode | undefined {
  const own = [...text];
  const shared = findShared(own, [...other]);
  if (shared === undefined) return undefined;
  const [start, end] = shared;
  return (
    <>
      {own.slice(0, start).join("")}
      <mark>{own.slice(start, own.length - end).join("")}</mark>
      {own.slice(own.length - end).join("")}
    </>
  );
}

/** Counts the characters that two similar texts share at their start and at their end. */
function findShared(
  own: readonly string[],
  its: readonly string[],
): readonly [start: number, end: number] | undefined {
  const differsAt = (index: (at: number, length: number) => number) => {
    const most = Math.min(own.length, its.length);
    let at = 0;
    while (at < most && own[index(at, own.length)] === its[index(at, its.length)]) at++;
    return at;
  };
  const start = differsAt((at) => at);
  if (start < leastCommon || start === Math.max(own.length, its.length)) return undefined;
  const end = Math.min(differsAt((at, length) => length - 1 - at), own.length - start, its.length - start);
  // A mark below most of a text would say nothing.
  return Math.max(own.length, its.length) > 2 * (start + end) ? undefined : [start, end];
}
