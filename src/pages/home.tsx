/** The front page `/`: describes the server, its clients and people, and links to a new flow. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { HomeConfiguration, HomeProps } from "../oauth/pages.ts";
import { BreakableAddress } from "./breakable_address.tsx";
import type { Page } from "./document.tsx";
import {
  BreakableName,
  classOfValue,
  ClientName,
  Copyable,
  CopyableBlock,
  Fact,
  personDetail,
  PersonName,
  Section,
} from "./parts.tsx";
import type { Frame, FrameLinkName, RecentRequest, Snippet } from "./pages_terms.ts";
import { RequestRow } from "./request_row.tsx";
import { english as words } from "./words/english.ts";
import { fill } from "./words/fill.ts";

type Client = HomeConfiguration["clients"][number];

/** The front page, also of a server with a dashboard. */
interface FrontProps extends HomeProps {
  readonly frame: Frame | undefined;
}

export function homePage(props: FrontProps): Page {
  const { configuration, frame } = props;
  return {
    title: words.home.title,
    shape: "sheet",
    here: "home",
    scripts: ["copy.js"],
    main: (
      <>
        <h1>{words.home.heading}</h1>
        <p class="lead">{words.home.about}</p>
        <Doors {...props} />
        {configuration?.automaticPerson !== undefined && (
          <p class="notice" id="automatic">
            {fill(words.home.automatic, { person: <strong>{configuration.automaticPerson}</strong> })}
          </p>
        )}
        {props.signedIn !== undefined && (
          <p class="notice" id="signed-in">
            {words.home.signedIn} {props.signedIn.people.map((person, at) => (
              <span key={person.username}>
                {at > 0 && ", "}
                <PersonName person={person} />
              </span>
            ))} <a id="sign-out" href={props.signedIn.signOutUrl}>{words.home.signOut}</a>
          </p>
        )}
        <Section id="issuer" heading={words.home.issuer}>
          <p>{words.home.issuerNote}</p>
          <p class="block single">
            <Copyable id="issuer" value={props.issuer} what={words.home.copyIssuer} />
          </p>
          {props.metadata && (
            <p>
              {fill(words.home.metadata, {
                link: <a id="metadata" href={props.metadata.href}>{props.metadata.url}</a>,
              })}
            </p>
          )}
        </Section>
        {frame && <Recent recent={frame.recent()} />}
        {configuration && <Snippets snippets={frame?.snippets?.() ?? []} />}
        {configuration ? <Configuration {...configuration} /> : <p id="hidden">{words.home.hidden}</p>}
        <Section id="endpoints" heading={words.home.endpoints}>
          <dl class="facts" id="endpoints">
            {props.endpoints.map((endpoint, at) => (
              <Fact key={endpoint.url} term={<BreakableName name={endpoint.name} />}>
                <Copyable
                  id={`endpoint-${at}`}
                  value={endpoint.url}
                  what={words.home.copyEndpoint(endpoint.name)}
                />
              </Fact>
            ))}
          </dl>
        </Section>
      </>
    ),
  };
}

/** The ways to begin: try a client, test an API, and see what happened. */
function Doors({ configuration, endpoints, frame }: FrontProps): VNode | null {
  const keys = endpoints.find(({ name }) => name === "jwks_uri");
  const linkTo = (wanted: FrameLinkName) => frame?.links.find(({ name }) => name === wanted)?.href;
  const [playgroundUrl, inspectorUrl] = [linkTo("playground"), linkTo("inspector")];
  if (configuration === undefined) return null;
  return (
    <ul class="cards" id="doors">
      <li class="card">
        <h2>{words.home.tryClient}</h2>
        <FirstStart {...configuration} />
        {playgroundUrl !== undefined && (
          <p>
            <a id="playground" href={playgroundUrl}>{words.home.playground}</a>
          </p>
        )}
      </li>
      {keys !== undefined && (
        <li class="card">
          <h2>{words.home.testApi}</h2>
          <p>{words.home.testApiNote}</p>
          <Copyable id="keys" value={keys.url} what={words.home.copyEndpoint("jwks_uri")} />
          {playgroundUrl !== undefined && (
            <p>
              <a id="get-token" href={playgroundUrl}>{words.home.getToken}</a>
            </p>
          )}
        </li>
      )}
      {inspectorUrl !== undefined && (
        <li class="card">
          <h2>{words.home.seeWhat}</h2>
          <p>{words.home.seeWhatNote}</p>
          <p>
            <a class="button" id="inspector" href={inspectorUrl}>{words.home.inspector}</a>
          </p>
        </li>
      )}
    </ul>
  );
}

/** The latest requests, each with a link to the inspector. */
function Recent({ recent }: { readonly recent: readonly RecentRequest[] }): VNode | null {
  if (recent.length === 0) return null;
  return (
    <Section id="recent" heading={words.home.recent}>
      <ol class="recent" id="recent">
        {recent.map((request) => <RequestRow key={request.href} {...request} />)}
      </ol>
    </Section>
  );
}

/** Programs and settings for the usual libraries, each folded. */
function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }): VNode | null {
  if (snippets.length === 0) return null;
  return (
    <Section id="snippets" heading={words.home.snippets}>
      <p>{words.home.snippetsNote}</p>
      <div id="snippets">
        {snippets.map(({ name, text }, at) => (
          <details key={name}>
            <summary>{name}</summary>
            <CopyableBlock id={`snippet-${at}`} kind={name} what={words.home.copySnippet(name)}>
              {text}
            </CopyableBlock>
          </details>
        ))}
      </div>
    </Section>
  );
}

/** Links to a flow of the first client whose flow ends on this server, or of the first client that can start one. */
function FirstStart({ clients }: HomeConfiguration): VNode | null {
  const first = clients.find(({ start }) => start?.endsHere) ?? clients.find(({ start }) => start);
  if (first?.start === undefined) return null;
  const { url, endsAt, endsHere } = first.start;
  const name = <ClientName client={first} />;
  return (
    <div class="start">
      <a class="button primary" id="start" href={url}>{words.home.start}</a>
      <p class="aside">
        {endsHere
          ? fill(words.home.startNote, { client: name })
          : fill(words.home.startNoteElsewhere, { client: name, uri: <code class="value">{endsAt}</code> })}
      </p>
    </div>
  );
}

function Configuration({ clients, people, acceptsFirstUse }: HomeConfiguration): VNode {
  return (
    <>
      <Section id="clients" heading={words.home.clients}>
        {clients.length === 0 ? <p>{words.home.noClients}</p> : (
          <ul class="cards" id="clients">
            {clients.map((client, at) => <ClientCard key={client.id} client={client} at={at} />)}
          </ul>
        )}
        {acceptsFirstUse && <p id="first-use">{words.home.firstUse(acceptsFirstUse === "apps")}</p>}
      </Section>
      <Section id="people" heading={words.home.people}>
        {people.length === 0 ? <p>{words.home.noPeople}</p> : (
          <ul class="cards" id="people">
            {people.map((person) => (
              <li
                class="card"
                key={person.username}
                data-username={person.username}
                data-email={person.email}
              >
                <PersonName person={person} />
                <span class="aside">{personDetail(person)}</span>
                <span class="aside">{person.hasPassword ? words.home.password : words.home.oneClick}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function ClientCard({ client, at }: { readonly client: Client; readonly at: number }): VNode {
  const name = client.name ?? client.id;
  const self = client.describesItselfIn && words.home.describesItselfIn[client.describesItselfIn];
  return (
    <li class="card">
      <h3>
        <ClientName client={client} /> {client.firstUse && <span class="tag">{words.home.firstUseTag}</span>}
        {self && <span class="tag">{self.tag}</span>}
      </h3>
      {client.firstUse && <p class="aside">{words.home.firstUseReason}</p>}
      {self && <p class="aside">{self.note}</p>}
      <dl class="facts">
        <Fact term={words.home.clientId}>
          <Copyable id={`client-${at}-id`} value={client.id} what={words.home.copyClientId(name)} />
        </Fact>
        {client.demoSecret !== undefined && (
          <Fact term={words.home.secret}>
            <Copyable
              id={`client-${at}-secret`}
              value={client.demoSecret}
              what={words.home.copySecret(name)}
            />
            <span class="aside">{words.home.secretOpen}</span>
          </Fact>
        )}
        <Fact term={words.home.authentication}>{words.home.authenticationOf(client.authentication)}</Fact>
        <Fact term={words.home.redirectUris}>
          {client.redirectUris.length === 0 ? words.home.noRedirectUris : (
            <ul>
              {client.redirectUris.map((uri) => (
                <li key={uri}>
                  <code class={classOfValue(uri)}>
                    <BreakableAddress text={uri} />
                  </code>
                </li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
      {client.requestsAs !== undefined && (
        <p class="aside last">{words.home.startInApplication(client.requestsAs)}</p>
      )}
      {client.cannotStart !== undefined && (
        <p class="aside last">{words.home.cannotStart[client.cannotStart]}</p>
      )}
      {client.start !== undefined && (
        <p class="last">
          <a class="button" href={client.start.url}>
            {words.home.start}
            <span class="unseen">{words.home.startWith(name)}</span>
          </a>
        </p>
      )}
    </li>
  );
}
