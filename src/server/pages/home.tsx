/** The front page `/`: the issuer, the latest requests, how an application connects, and the ways to begin. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { HomeConfiguration, HomeProps } from "../oauth/contracts/pages.ts";
import type { Page, PageFile } from "./document.tsx";
import { HomeClients, HomePeople } from "./home_tables.tsx";
import { BreakableName, ClientName, Copyable, Fact, PersonName } from "./parts.tsx";
import type { Frame } from "./pages_options.ts";
import { english } from "./words/english.ts";
import { fill } from "../../ground/values/fill.ts";

const { home: words } = english;

interface FrontProps extends HomeProps {
  readonly frame: Frame | undefined;
}

export function homePage(props: FrontProps): Page<PageFile> {
  const { configuration, frame } = props;
  const front = configuration && frame?.front;
  return {
    title: words.title,
    here: "home",
    scripts: ["copy.js", ...(front?.scripts ?? [])],
    styles: ["parts.css", ...(front?.styles ?? []), "sheet.css"],
    main: (
      <>
        <div class="titled">
          <h1>{words.heading}</h1>
          {configuration && <FirstStart {...configuration} />}
          <p>
            {words.issuer} <Copyable id="issuer" value={props.issuer} what={words.copyIssuer} />
          </p>
        </div>
        <Notices {...props} />
        {configuration === undefined && <p id="hidden">{words.hidden}</p>}
        {front?.recent()}
        {front?.snippets(props.settings)}
        {front?.state()}
        <Ways {...props} />
        {configuration && <HomeClients {...configuration} urls={frame?.urls} />}
        {configuration && (
          <HomePeople people={configuration.people} urls={frame?.urls} tokenLink={front?.tokenLinks()} />
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

/** The ways to begin, a line each, and the addresses of the server. */
function Ways({ configuration, metadata, endpoints, frame }: FrontProps): VNode {
  const keys = endpoints.find(({ name }) => name === "jwks_uri");
  const playgroundUrl = frame?.urls.playground;
  return (
    <ul class="ways" id="ways">
      {configuration && playgroundUrl !== undefined && (
        <li>
          {words.tryClient} <a id="playground" href={playgroundUrl}>{words.playground}</a>
        </li>
      )}
      {configuration && keys !== undefined && (
        <li>
          {words.testApi}{" "}
          {playgroundUrl !== undefined && <a id="get-token" href={playgroundUrl}>{words.getToken}</a>}{" "}
          {words.keys} <Copyable id="keys" value={keys.url} what={words.copyEndpoint("jwks_uri")} />
        </li>
      )}
      {metadata && (
        <li>{fill(words.metadata, { link: <a id="metadata" href={metadata.href}>{metadata.url}</a> })}</li>
      )}
      <li>
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
      </li>
    </ul>
  );
}

function FirstStart({ clients }: HomeConfiguration): VNode | null {
  const first = clients.find(({ start }) => start?.endsHere) ?? clients.find(({ start }) => start);
  if (first?.start === undefined) return null;
  const { url, endsAt, endsHere } = first.start;
  const client = <ClientName client={first} />;
  return (
    <p class="first">
      <a class="button primary" id="start" href={url}>{words.start}</a>
      <span>
        {endsHere
          ? fill(words.startNote, { client })
          : fill(words.startNoteElsewhere, { client, uri: <code class="value">{endsAt}</code> })}{" "}
        {clients.length > 1 && <a href="#clients-heading">{words.otherClients}</a>}
      </span>
    </p>
  );
}
