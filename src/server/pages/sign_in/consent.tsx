/** The consent page: shows the client, the requested access and the receiver of the code (OAuth 2.1 §7.9). */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { ClientSummary, ConsentProps, OfferedLine, PageText } from "../../oauth/contracts/pages.ts";
import { DestinationSentence, readDestination } from "./destination.tsx";
import type { Page } from "../document.tsx";
import {
  BreakableName,
  ClientName,
  DenyButton,
  DenyNote,
  EncryptedRequest,
  personDetail,
  PersonName,
  ProblemNotice,
  Unverified,
} from "../parts.tsx";
import { RequestDetails } from "./request_details.tsx";
import { isLongName, shortName, visible } from "../../../ground/values/visible.ts";
import type { Words } from "../words/english.ts";
import { fill, fillText } from "../../../ground/values/fill.ts";
import { langOfEnglish, useWords } from "../words/use_words.ts";

/** The row with the code of a device login. It stands above, because the person compares it first. */
const userCodeRow = "user_code";

export function consentPage(props: ConsentProps, words: Words): Page {
  const { client, redirectUri, program, rows = [] } = props;
  const userCode = rows.find(({ name }) => name === userCodeRow)?.lines.find(isPlain);
  return {
    title: fillText(words.consent.title, { client: shortName(client.name ?? client.id) }),
    shape: "gate",
    scripts: ["form.js"],
    main: (
      <>
        <h1 class={isLongName(client.name ?? client.id) ? "lengthy" : "brief"}>
          {fill(words.consent.title, { client: <ClientName client={client} /> })}
        </h1>
        {redirectUri !== undefined && <Destination uri={redirectUri} program={program} />}
        {userCode !== undefined
          ? <UserCode code={userCode} client={client} />
          : client.isUnverified && <Unverified client={client} />}
        {client.answersOnLoopback && (
          <p class="notice caution" id="answers-on-loopback">
            {fill(words.consent.answersOnLoopback, {
              host: <strong class="host">{new URL(client.id).host}</strong>,
            })}
          </p>
        )}
        {props.fromAnotherSite && <p class="notice" id="from-another-site">{words.consent.fromAnotherSite}
        </p>}
        <SignedInAs {...props} />
        <Scopes {...props} />
        {rows.filter(({ name }) => name !== userCodeRow).map((row) => (
          <AccessList
            key={row.name}
            id={row.name}
            heading={<RowHeading {...row} />}
            areOptional={!row.lines.every(isPlain)}
          >
            {row.lines.map((line) =>
              isPlain(line)
                ? <code key={line}>{visible(line)}</code>
                : <OptionalLine key={line.value} {...line} />
            )}
          </AccessList>
        ))}
        <AccessList id="resources" heading={words.consent.resources}>
          {props.resources.map((resource) => <code key={resource} class="value">{resource}</code>)}
        </AccessList>
        <Decision {...props} />
        <RequestDetails request={props} />
      </>
    ),
  };
}

function isPlain(line: string | OfferedLine): line is string {
  return typeof line === "string";
}

function OptionalLine({ value, title, text }: OfferedLine): VNode {
  return (
    <Choice name="line" value={value} isChecked>
      <strong>
        <Text text={title} />
      </strong>{" "}
      <Text text={text} />
    </Choice>
  );
}

/** A text without a translation is English. */
function Text({ text }: { readonly text: PageText }): VNode {
  const words = useWords();
  if (typeof text === "string") return <>{visible(text)}</>;
  const translated = new Map(Object.entries(text)).get(words.language);
  return translated === undefined
    ? <span lang={langOfEnglish(words)}>{visible(text.en)}</span>
    : <>{visible(translated)}</>;
}

function Choice({ name, value, isChecked, children }: {
  readonly name: "scope" | "line";
  readonly value: string;
  readonly isChecked: boolean;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <label>
      <input type="checkbox" name={name} value={value} form="decide" checked={isChecked} />
      <span>{children}</span>
    </label>
  );
}

function UserCode({ code, client }: { readonly code: string; readonly client: ClientSummary }): VNode {
  const { device } = useWords();
  return (
    <div class="notice caution" id="device">
      <p>{device.codeShown}</p>
      <p>
        <strong class="user-code" id="user-code">{code}</strong>
      </p>
      <p id="device-warning">{device.warning}</p>
      {client.isUnverified && <Unverified client={client} isWithin />}
    </div>
  );
}

function Destination(
  { uri, program }: { readonly uri: string; readonly program: string | undefined },
): VNode {
  const words = useWords();
  return (
    <>
      <DestinationSentence uri={uri} />
      {/* RFC 8252 §7.1, §8.1: the operating system does not check which app a scheme belongs to. */}
      {readDestination(uri)?.kind === "app" && (
        <p class="notice" id="goes-to-app">
          {words.consent.goesToApp}
          {program !== undefined && ` ${fillText(words.consent.usualApp, { program })}`}
        </p>
      )}
    </>
  );
}

function SignedInAs({ person, canChangePerson }: ConsentProps): VNode {
  const words = useWords();
  return (
    <div class="signed-in-as">
      <p class="aside">{words.consent.signedInAs}</p>
      <p id="person">
        <PersonName person={person} /> <span class="aside">{personDetail(person)}</span>
      </p>
      {canChangePerson && (
        <button
          type="submit"
          class="plain"
          id="change-person"
          form="decide"
          name="decision"
          value="change_person"
        >
          {words.consent.changePerson}
        </button>
      )}
    </div>
  );
}

function Scopes({ scopes, problem, address }: ConsentProps): VNode {
  const words = useWords();
  return (
    <>
      <h2 id="scopes-heading">{words.consent.scopes}</h2>
      {problem !== undefined && (
        <ProblemNotice problem={{ kind: problem }} texts={words.consent.problems} address={address} />
      )}
      {scopes.some(({ wasLeftOut }) => wasLeftOut) && (
        <p class="aside" id="left-out">{words.consent.leftOut}</p>
      )}
      {scopes.length === 0
        ? <p>{words.consent.noScopes}</p>
        : (
          <ul class="scopes" id="scopes" aria-labelledby="scopes-heading">
            {scopes.map((scope) => (
              <li key={scope.name} class={scope.isOptional ? "optional" : undefined}>
                {!scope.isOptional
                  ? <ScopeText {...scope} />
                  : (
                    <Choice name="scope" value={scope.name} isChecked={!scope.wasLeftOut}>
                      <ScopeText {...scope} />
                    </Choice>
                  )}
              </li>
            ))}
          </ul>
        )}
    </>
  );
}

function ScopeText({ name, words: configured, hasCommas }: ConsentProps["scopes"][number]): VNode {
  const words = useWords();
  // A Map, because a scope may be called `constructor`.
  const text = configured ?? new Map(Object.entries(words.consent.usualScopes)).get(name);
  const code = (
    <code class={text === undefined ? undefined : "aside"}>
      <BreakableName name={name} />
    </code>
  );
  return (
    <>
      {text === undefined ? fill(words.consent.scope, { scope: code }) : <>{text} {code}</>}
      {hasCommas && (
        <>
          {" "}
          <span class="aside">{words.consent.scopeWithCommas}</span>
        </>
      )}
    </>
  );
}

/** A feature without words in the pages brings a heading in English. */
function RowHeading({ name, heading }: NonNullable<ConsentProps["rows"]>[number]): VNode {
  const words = useWords();
  const translated = new Map(Object.entries(words.consent.rows)).get(name);
  return translated === undefined
    ? <span lang={langOfEnglish(words)}>{visible(heading ?? name)}</span>
    : <>{translated}</>;
}

function AccessList({ id, heading, areOptional, children }: {
  readonly id: string;
  readonly heading: ComponentChildren;
  readonly areOptional?: boolean;
  readonly children: readonly ComponentChildren[];
}): VNode | null {
  if (children.length === 0) return null;
  return (
    <>
      <h2 id={`${id}-heading`}>{heading}</h2>
      <ul class="scopes" id={id} aria-labelledby={`${id}-heading`}>
        {children.map((child, at) => <li key={at} class={areOptional ? "optional" : undefined}>{child}</li>)}
      </ul>
    </>
  );
}

function Decision({ action, request, scopes, rows = [], redirectUri }: ConsentProps): VNode {
  const words = useWords();
  return (
    <form class="decide" id="decide" method="post" action={action}>
      <EncryptedRequest request={request} />
      {scopes.some(({ isOptional }) => isOptional) && <input type="hidden" name="scope_choice" value="1" />}
      {!rows.every(({ lines }) => lines.every(isPlain)) && (
        <input type="hidden" name="line_choice" value="1" />
      )}
      <div class="choice">
        <button type="submit" class="button primary" id="approve" name="decision" value="approve">
          {words.consent.approve}
        </button>
        <DenyButton label={words.consent.deny} />
      </div>
      <DenyNote note={redirectUri === undefined ? words.device.denyNote : words.consent.denyNote} />
    </form>
  );
}
