/** The front page `/`: the issuer, how an application connects to it, and the ways to begin. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { HomeConfiguration, HomeProps } from "../oauth/pages.ts";
import type { Page, PageFile } from "./document.tsx";
import { HomeClients, HomePeople } from "./home_tables.tsx";
import { BreakableName, ClientName, Copyable, Fact, PersonName, Section } from "./parts.tsx";
import type { Frame } from "./pages_options.ts";
import { english } from "./words/english.ts";
import { fill } from "./words/fill.ts";

const { home: words } = english;

interface FrontProps extends HomeProps {
  readonly frame: Frame | undefined;
}

export function homePage(props: FrontProps): Page<PageFile> {
  const { configuration, frame } = props;
  const front = configuration && frame?.front;
  return {
    title: words.title,
    shape: "sheet",
    here: "home",
    scripts: ["copy.js"],
    styles: ["parts.css", ...(front?.styles ?? []), "sheet.css"],
    main: (
      <>
        <h1>{words.heading}</h1>
        <Notices {...props} />
        <div class="beside" id="connect">
          <Issuer {...props} />
          {front?.snippets(props.settings)}
        </div>
        {configuration === undefined && <p id="hidden">{words.hidden}</p>}
        <Doors {...props} />
        {front?.recent()}
        {configuration && <HomeClients {...configuration} allUrl={frame?.urls.clients} />}
        {configuration && (
          <div class="beside">
            <HomePeople people={configuration.people} allUrl={frame?.urls.people} />
            {front?.state()}
          </div>
        )}
      </>
    ),
  };
}

function Notices({ configuration, signedIn }: HomeProps): VNode {
  return (
    <>
      {configuration?.automaticPerson !== undefined && (
        <p class="notice" id="automatic">
          {fill(words.automatic, { person: <strong>{configuration.automaticPerson}</strong> })}
        </p>
      )}
      {signedIn !== undefined && (
        <p class="notice" id="signed-in">
          {words.signedIn} {signedIn.people.map((person, at) => (
            <span key={person.username}>
              {at > 0 && ", "}
              <PersonName person={person} />
            </span>
          ))} <a id="sign-out" href={signedIn.signOutUrl}>{words.signOut}</a>
        </p>
      )}
    </>
  );
}

function Issuer({ issuer, metadata, endpoints }: HomeProps): VNode {
  return (
    <Section id="issuer" heading={words.issuer}>
      <p class="block single">
        <Copyable id="issuer" value={issuer} what={words.copyIssuer} />
      </p>
      <p>{words.issuerNote}</p>
      {metadata && (
        <p>
          {fill(words.metadata, { link: <a id="metadata" href={metadata.href}>{metadata.url}</a> })}
        </p>
      )}
      <details>
        <summary>{words.endpoints}</summary>
        <dl class="facts" id="endpoints">
          {endpoints.map(({ name, url }) => (
            <Fact key={url} term={<BreakableName name={name} />}>
              <code class="value address">{url}</code>
            </Fact>
          ))}
        </dl>
      </details>
    </Section>
  );
}

function Doors({ configuration, endpoints, frame }: FrontProps): VNode | null {
  const keys = endpoints.find(({ name }) => name === "jwks_uri");
  const [playgroundUrl, inspectorUrl] = [frame?.urls.playground, frame?.urls.inspector];
  if (configuration === undefined) return null;
  return (
    <ul class="cards" id="doors">
      <li class="card">
        <h2>{words.tryClient}</h2>
        <FirstStart {...configuration} />
        {playgroundUrl !== undefined && (
          <p>
            <a id="playground" href={playgroundUrl}>{words.playground}</a>
          </p>
        )}
      </li>
      {keys !== undefined && (
        <li class="card">
          <h2>{words.testApi}</h2>
          <p>{words.testApiNote}</p>
          <Copyable id="keys" value={keys.url} what={words.copyEndpoint("jwks_uri")} />
          {playgroundUrl !== undefined && (
            <p>
              <a id="get-token" href={playgroundUrl}>{words.getToken}</a>
            </p>
          )}
        </li>
      )}
      {inspectorUrl !== undefined && (
        <li class="card">
          <h2>{words.seeWhat}</h2>
          <p>{words.seeWhatNote}</p>
          <p>
            <a class="button" id="inspector" href={inspectorUrl}>{words.inspector}</a>
          </p>
        </li>
      )}
    </ul>
  );
}

function FirstStart({ clients }: HomeConfiguration): VNode | null {
  const first = clients.find(({ start }) => start?.endsHere) ?? clients.find(({ start }) => start);
  if (first?.start === undefined) return null;
  const { url, endsAt, endsHere } = first.start;
  const name = <ClientName client={first} />;
  return (
    <>
      <p>
        {endsHere
          ? fill(words.startNote, { client: name })
          : fill(words.startNoteElsewhere, { client: name, uri: <code class="value">{endsAt}</code> })}
      </p>
      <p>
        <a class="button primary" id="start" href={url}>{words.start}</a>
      </p>
    </>
  );
}
