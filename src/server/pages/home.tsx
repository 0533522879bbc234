/** The front page `/`: the issuer, how an application connects to it, and the ways to begin. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { HomeConfiguration, HomeProps } from "../oauth/pages.ts";
import { describeCondition } from "./conditions.tsx";
import type { Page } from "./document.tsx";
import { HomeClients, HomePeople } from "./home_tables.tsx";
import { BreakableName, ClientName, Copyable, CopyableBlock, Fact, PersonName, Section } from "./parts.tsx";
import { RequestTable } from "./inspector/request_table.tsx";
import type { Frame, FrameLinkName, FrontParts, RecentRequests, Snippet } from "./pages_terms.ts";
import { english } from "./words/english.ts";
import { fill } from "./words/fill.ts";

const { home: words } = english;

/** The front page, also of a server with a dashboard. */
interface FrontProps extends HomeProps {
  readonly frame: Frame | undefined;
}

export function homePage(props: FrontProps): Page {
  const { configuration, frame } = props;
  const front = configuration && frame?.front;
  return {
    title: words.title,
    shape: "sheet",
    here: "home",
    scripts: ["copy.js"],
    styles: ["rows.css", "boxes.css", ...(frame === undefined ? [] : ["requests.css" as const]), "home.css"],
    main: (
      <>
        <h1>{words.heading}</h1>
        <Notices {...props} />
        <div class="beside" id="connect">
          <Issuer {...props} />
          {front?.snippets && <Snippets snippets={front.snippets()} chosen={props.settings} />}
        </div>
        {configuration === undefined && <p id="hidden">{words.hidden}</p>}
        <Doors {...props} />
        {front && <Recent {...front.recent()} />}
        {configuration && <HomeClients {...configuration} allUrl={linkTo("clients", frame)} />}
        {configuration && (
          <div class="beside">
            <HomePeople people={configuration.people} allUrl={linkTo("people", frame)} />
            {front && <State {...front} frame={frame!} />}
          </div>
        )}
      </>
    ),
  };
}

function linkTo(wanted: FrameLinkName, frame: Frame | undefined): string | undefined {
  return frame?.links.find(({ name }) => name === wanted)?.href;
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

/** Settings or a program for one of the usual libraries. Links choose another one, so the page stays small. */
function Snippets(
  { snippets, chosen }: { readonly snippets: readonly Snippet[]; readonly chosen: string | undefined },
): VNode | null {
  const shown = snippets.find(({ id }) => id === chosen) ?? snippets[0];
  return shown === undefined ? null : (
    <Section id="snippets" heading={words.snippets}>
      <nav class="forms" aria-label={words.snippetForms}>
        {snippets.map(({ id, name }) => (
          <a key={id} href={`?settings=${id}`} aria-current={id === shown.id ? "true" : undefined}>{name}</a>
        ))}
      </nav>
      <CopyableBlock id="snippet" kind={shown.name} what={words.copySnippet(shown.name)}>
        {shown.text}
      </CopyableBlock>
    </Section>
  );
}

/** The ways to begin: try a client, test an API, and see what happened. */
function Doors({ configuration, endpoints, frame }: FrontProps): VNode | null {
  const keys = endpoints.find(({ name }) => name === "jwks_uri");
  const [playgroundUrl, inspectorUrl] = [linkTo("playground", frame), linkTo("inspector", frame)];
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

/** Links to a flow of the first client whose flow ends on this server, or of the first client that can start one. */
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

/** The latest requests, each with a link to the inspector. */
function Recent({ refused, ...requests }: RecentRequests): VNode | null {
  return requests.items.length === 0 ? null : (
    <Section
      id="recent"
      heading={
        <>
          {words.recent} {refused && (
            <a id="refused" href={refused.href}>
              {words.refused(refused.count)}
            </a>
          )} <small class="aside">{words.recentNote}</small>
        </>
      }
    >
      <RequestTable {...requests} />
    </Section>
  );
}

/** What is on, also if nothing is, with links to the pages that change it. */
function State(
  { frame: { conditions, mayChange }, conditionHrefs, store }: FrontParts & { readonly frame: Frame },
): VNode {
  const rows = ["misbehaviour", "clock", "gate", "look_alike"] as const;
  return (
    <Section id="state" heading={words.state}>
      <dl class="facts" id="state">
        {rows.map((kind) => {
          const condition = conditions.find((each) => each.kind === kind);
          const change = condition === undefined ? words.changeUsual : english.conditions.change;
          return (
            <Fact key={kind} term={words.stateOf[kind]}>
              {condition === undefined ? words.usual[kind] : describeCondition(condition, english.conditions)}
              {" "}
              <a href={conditionHrefs[kind]}>
                {mayChange ? change[kind] : english.conditions.look}
                <span class="unseen">{english.conditions.about[kind]}</span>
              </a>
            </Fact>
          );
        })}
        {store !== undefined && (
          <Fact term={words.store}>{store === "memory" ? words.inMemory : <code>{store}</code>}</Fact>
        )}
      </dl>
    </Section>
  );
}
