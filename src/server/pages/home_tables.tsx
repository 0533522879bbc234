/** The clients and people of the front page, a row each. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import type { HomeConfiguration } from "../oauth/contracts/pages.ts";
import type { Frame, FrontParts } from "./pages_options.ts";
import { ClientName, CodeValue, Copyable, PersonName, Section } from "./parts.tsx";
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
        <table class="rows" id="clients">
          <thead>
            <tr>
              <th>{words.client}</th>
              <th class="under">{words.clientId}</th>
              <th class="under">{words.authentication}</th>
              <th class="under">{words.redirectUris}</th>
              <th class="end">
                <span class="unseen">{words.start}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {listFirst(clients, urls).map((client, at) => (
              <ClientRow key={client.id} client={client} at={at} url={urls?.client(client.id)} />
            ))}
          </tbody>
        </table>
      )}
      <Others all={clients.length} url={urls?.clients} text={words.allClients} />
      {acceptsFirstUse && <p id="first-use">{words.firstUse(acceptsFirstUse === "apps")}</p>}
    </Section>
  );
}

function ClientRow(
  { client, at, url }: { readonly client: Client; readonly at: number; readonly url: string | undefined },
): VNode {
  const name = client.name ?? client.id;
  const self = client.describesItselfIn && words.describesItselfIn[client.describesItselfIn];
  const [first, ...others] = client.redirectUris;
  return (
    <tr>
      <td>
        <Linked url={url}>
          <ClientName client={client} />
        </Linked>{" "}
        {client.firstUse && <span class="tag" title={words.firstUseReason}>{words.firstUseTag}</span>}
        {self && <span class="tag" title={self.note}>{self.tag}</span>}
      </td>
      <td class="under">
        <Copyable id={`client-${at}-id`} value={client.id} what={words.copyClientId(name)} />
      </td>
      <td class="under">
        {words.authenticationOf(client.authentication)}
        {client.demoSecret !== undefined && (
          <>
            {" "}
            <span title={words.secretOpen}>
              <Copyable
                id={`client-${at}-secret`}
                value={client.demoSecret}
                what={words.copySecret(name)}
              />
            </span>
          </>
        )}
      </td>
      <td class="under clip" title={client.redirectUris.map(visible).join("\n")}>
        {first === undefined ? words.noRedirectUris : <CodeValue value={first} />}
        {others.length > 0 && words.moreRedirectUris(others.length)}
      </td>
      <td class="end">
        <Start client={client} name={name} />
      </td>
    </tr>
  );
}

function Start({ client, name }: { readonly client: Client; readonly name: string }): ComponentChildren {
  if (client.requestsAs !== undefined) return words.startInApplication(client.requestsAs);
  if (client.cannotStart !== undefined) return words.cannotStart[client.cannotStart];
  return client.start && (
    <a href={client.start.url} title={words.endsAt(visible(client.start.endsAt))}>
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
        <table class="rows" id="people">
          <thead>
            <tr>
              <th>{words.person}</th>
              <th class="under">{words.username}</th>
              <th class="under">{words.email}</th>
              <th class="under">{words.signsIn}</th>
              {tokenLink && <th class="end">{words.tokens}</th>}
            </tr>
          </thead>
          <tbody>
            {listFirst(people, urls).map((person) => (
              <tr key={person.username} data-username={person.username} data-email={person.email}>
                <td>
                  <Linked url={urls?.person(person.username)}>
                    <PersonName person={person} />
                  </Linked>
                </td>
                <td class="under">
                  <code>{visible(person.username)}</code>
                </td>
                <td class="under">{person.email !== undefined && visible(person.email)}</td>
                <td class="under">{person.hasPassword ? words.password : words.oneClick}</td>
                {tokenLink && <td class="end">{tokenLink(person.username)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
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
