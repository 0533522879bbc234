/** The consent page: shows the client, the requested access and the receiver of the code (OAuth 2.1 §7.9). */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ConsentProps } from "../oauth/pages.ts";
import { readDestination, Uri } from "./destination.tsx";
import type { Page } from "./document.tsx";
import {
  ClientLinks,
  ClientName,
  DenyButton,
  Fact,
  personDetail,
  PersonName,
  SealedRequest,
  Unverified,
} from "./parts.tsx";
import { visible } from "./visible.ts";
import type { Words } from "./words/english.ts";
import { useWords } from "./words/use_words.ts";

export function consentPage(props: ConsentProps, words: Words): Page {
  const { client, person } = props;
  return {
    title: words.consent.title(visible(client.name ?? client.id)),
    shape: "gate",
    scripts: ["form.js"],
    main: (
      <>
        <h1>{words.consent.heading(<ClientName client={client} />)}</h1>
        {client.isUnverified && <Unverified client={client} />}
        {client.answersOnLoopback && (
          <p class="notice caution" id="answers-on-loopback">
            {words.consent.answersOnLoopback(<strong class="host">{new URL(client.id).host}</strong>)}
          </p>
        )}
        {props.fromAnotherSite && <p class="notice" id="from-another-site">{words.consent.fromAnotherSite}
        </p>}
        <h2 id="scopes-heading">{words.consent.scopes}</h2>
        {props.scopes.length === 0
          ? <p>{words.consent.noScopes}</p>
          : (
            <ul class="scopes" id="scopes" aria-labelledby="scopes-heading">
              {props.scopes.map((scope) => {
                const inWords = scope.words ?? words.consent.scopeOf(scope.name);
                return (
                  <li key={scope.name}>
                    {inWords === undefined ? words.consent.scope(<code>{scope.name}</code>) : (
                      <>
                        {inWords} <code>{scope.name}</code>
                      </>
                    )}
                  </li>
                );
              })}
            </ul>
          )}
        {props.claims !== undefined && props.claims.length > 0 && (
          <>
            <h2 id="claims-heading">{words.consent.claims}</h2>
            <ul class="scopes" id="claims" aria-labelledby="claims-heading">
              {props.claims.map((name) => (
                <li key={name}>
                  <code>{name}</code>
                </li>
              ))}
            </ul>
          </>
        )}
        {props.resources.length > 0 && (
          <>
            <h2 id="resources-heading">{words.consent.resources}</h2>
            <ul class="scopes" id="resources" aria-labelledby="resources-heading">
              {props.resources.map((resource) => (
                <li key={resource}>
                  <code class="value">{resource}</code>
                </li>
              ))}
            </ul>
          </>
        )}
        <dl class="facts">
          <Fact term={words.consent.client}>
            {client.name !== undefined && <ClientName client={client} />}
            {/^https?:/.test(client.id)
              ? <Uri uri={client.id} id="client-id" />
              : <code class="value" id="client-id">{client.id}</code>}
          </Fact>
          {client.links !== undefined && (
            <Fact term={words.consent.links}>
              <ClientLinks links={client.links} />
            </Fact>
          )}
          {props.redirectUri !== undefined && (
            <Fact term={words.consent.goesTo}>
              <Uri uri={props.redirectUri} id="redirect-uri" />
              {readDestination(props.redirectUri)?.kind === "app" && <GoesToApp />}
            </Fact>
          )}
          <Fact term={words.consent.signedInAs}>
            <span id="person">
              <PersonName person={person} />
              <span class="aside">{personDetail(person)}</span>
            </span>
            {props.canChangePerson && <ChangePerson />}
          </Fact>
        </dl>
        <form class="decide" id="decide" method="post" action={props.action}>
          <SealedRequest request={props.request} />
          <button type="submit" class="button primary" id="approve" name="decision" value="approve">
            {words.consent.approve}
          </button>
          <DenyButton label={words.consent.deny} note={words.consent.denyNote} />
        </form>
      </>
    ),
  };
}

function ChangePerson(): VNode {
  const words = useWords();
  return (
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
  );
}

// RFC 8252 §7.1, §8.1: the operating system does not check which app a scheme belongs to.
function GoesToApp(): VNode {
  const words = useWords();
  return <span class="aside" id="goes-to-app">{words.consent.goesToApp}</span>;
}
