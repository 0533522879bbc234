/** The clients and people of the front page, a row each. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { HomeConfiguration } from "../oauth/contracts/pages.ts";
import type { Frame, FrontParts } from "./pages_options.ts";
import { ClientName, CodeValue, Copyable, PersonName, Section, Table } from "./parts.tsx";
import { visible } from "../../ground/values/visible.ts";
import { english } from "./words/english.ts";

const { home: words } = english;

type Client = HomeConfiguration["clients"][number];

/** Where a page of the dashboard lists all, the front page has this number. */
const mostListed = 10;

interface DashboardUrls {
  readonly urls: Frame["urls"] | undefined;
}

export function HomeClients({ clients, acceptsFirstUse, urls }: HomeConfiguration & DashboardUrls): VNode {
  return (
    <Section id="clients" heading={words.clients}>
      {clients.length === 0 ? <p>{words.noClients}</p> : (
        <Table
          id="clients"
          rows={listFirst(clients, urls)}
          columns={[
            [words.client, (client) => <NameOf client={client} url={urls?.client(client.id)} />],
            [
              words.clientId,
              ({ id, name = id }, at) => (
                <Copyable id={`client-${at}-id`} value={id} what={words.copyClientId(name)} />
              ),
              "under",
            ],
            [words.authentication, (client, at) => <AuthenticationOf {...client} at={at} />, "under"],
            [words.redirectUris, RedirectUrisOf, "clip under"],
          ]}
          action={[words.start, StartOf, "end"]}
        />
      )}
      <Others all={clients.length} url={urls?.clients} text={words.allClients} />
      {acceptsFirstUse && <p id="first-use">{words.firstUse(acceptsFirstUse === "apps")}</p>}
    </Section>
  );
}

function NameOf({ client, url }: { readonly client: Client; readonly url: string | undefined }): VNode {
  const self = client.describesItselfIn && words.describesItselfIn[client.describesItselfIn];
  return (
    <>
      <Linked url={url}>
        <ClientName client={client} />
      </Linked>{" "}
      {client.firstUse && <span class="tag" title={words.firstUseReason}>{words.firstUseTag}</span>}
      {self && <span class="tag" title={self.note}>{self.tag}</span>}
    </>
  );
}

function AuthenticationOf(
  { id, name = id, at, authentication, demoSecret }: Client & { readonly at: number },
): VNode {
  return (
    <>
      {words.authenticationOf(authentication)}
      {demoSecret !== undefined && (
        <>
          {" "}
          <span title={words.secretOpen}>
            <Copyable id={`client-${at}-secret`} value={demoSecret} what={words.copySecret(name)} />
          </span>
        </>
      )}
    </>
  );
}

function RedirectUrisOf({ redirectUris }: Client): VNode {
  const [first, ...others] = redirectUris;
  return (
    <span title={redirectUris.map(visible).join("\n")}>
      {first === undefined ? words.noRedirectUris : <CodeValue value={first} />}
      {others.length > 0 && words.moreRedirectUris(others.length)}
    </span>
  );
}

function StartOf({ id, name = id, requestsAs, cannotStart, start }: Client): ComponentChildren {
  if (requestsAs !== undefined) return words.startInApplication(requestsAs);
  if (cannotStart !== undefined) return words.cannotStart[cannotStart];
  return start && (
    <a href={start.url} title={words.endsAt(visible(start.endsAt))}>
      {words.start}
      <span class="unseen">{words.startWith(name)}</span>
    </a>
  );
}

export function HomePeople(
  { people, urls, tokenLink }: Pick<HomeConfiguration, "people"> & DashboardUrls & {
    readonly tokenLink: ReturnType<FrontParts["tokenLinks"]> | undefined;
  },
): VNode {
  return (
    <Section id="people" heading={words.people}>
      {people.length === 0 ? <p>{words.noPeople}</p> : (
        <Table
          id="people"
          rows={listFirst(people, urls)}
          attributesOf={({ username, email }) => ({ "data-username": username, "data-email": email })}
          columns={[
            [words.person, (person) => (
              <Linked url={urls?.person(person.username)}>
                <PersonName person={person} />
              </Linked>
            )],
            [words.username, ({ username }) => <code>{visible(username)}</code>, "under"],
            [words.email, ({ email }) => email !== undefined && visible(email), "under"],
            [words.signsIn, ({ hasPassword }) => hasPassword ? words.password : words.oneClick, "under"],
            tokenLink && [words.tokens, ({ username }) => tokenLink(username), "end"],
          ]}
        />
      )}
      <Others all={people.length} url={urls?.people} text={words.allPeople} />
    </Section>
  );
}

function Linked({ url, children }: { readonly url: string | undefined; readonly children: VNode }): VNode {
  return url === undefined ? children : <a href={url}>{children}</a>;
}

function listFirst<Item>(items: readonly Item[], urls: DashboardUrls["urls"]): readonly Item[] {
  return urls === undefined ? items : items.slice(0, mostListed);
}

function Others({ all, url, text }: {
  readonly all: number;
  readonly url: string | undefined;
  readonly text: (count: number) => string;
}): VNode | null {
  return url === undefined || all <= mostListed ? null : (
    <p>
      <a href={url}>{text(all)}</a>
    </p>
  );
}
