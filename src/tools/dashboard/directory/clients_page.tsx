/** The page `/clients`, and the page of one client. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { type AccessProps, Consents, Grants } from "./access.tsx";
import { AskForm, directoryPage, NameLink, RequestsLink } from "./directory_parts.tsx";
import { listPage, type ListProps } from "./list_page.tsx";
import type { Page } from "../frame/dashboard_document.tsx";
import {
  CodeValue,
  Copyable,
  CopyableBlock,
  Fact,
  Section,
  ValueFact,
  WayOn,
} from "../../../server/pages/parts.tsx";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { KnownClient } from "../../../kit/timeline/client_settings.tsx";
import type { FormTarget } from "../parts/pass.tsx";
import { quote, visible } from "../../../ground/values/visible.ts";
import { english } from "../../../server/pages/words/english.ts";
import { type DirectoryWords, englishDirectory } from "./directory_english.ts";

const { clients: words, access } = englishDirectory;

/** Why no link can start a flow of a client. */
export type CannotStart = keyof DirectoryWords["clients"]["cannotStart"];

export interface ClientRow extends Pick<KnownClient, "id" | "href" | "method"> {
  readonly name?: string;
  readonly group: keyof DirectoryWords["clients"]["groups"];
  readonly grants: number;
  readonly startUrl?: string;
  /** The redirect URI at which such a login ends. */
  readonly endsAt?: string;
  readonly cannotStart?: CannotStart;
}

interface ClientsProps extends ListProps {
  readonly clients: readonly ClientRow[];
  readonly acceptsFirstUse: boolean;
}

export function clientsPage({ clients, acceptsFirstUse, ...props }: ClientsProps): Page {
  const { name, id, source, authentication, endsAt, grants, start } = words.columns;
  return listPage({
    list: "clients",
    rows: clients,
    columns: [
      [name, (client) => <NameLink href={client.href} name={client.name ?? client.id} />, "clip"],
      [id, (client) => <code>{visible(client.id)}</code>, "clip under"],
      [source, ({ group }) => words.groups[group], "under"],
      [
        authentication,
        ({ method }) => describeMethod(method),
        "under",
      ],
      [endsAt, ({ endsAt }) => endsAt !== undefined && <code>{visible(endsAt)}</code>, "clip under"],
      [grants, (client) => client.grants.toLocaleString("en"), "end"],
      [start, (client) => <Start {...client} />, "end"],
    ],
    note: acceptsFirstUse && <p class="aside" id="first-use">{words.firstUse}</p>,
  }, props);
}

/** The link that starts a login, or why there is none. */
export function Start({ id, name = id, startUrl, cannotStart }: Omit<ClientRow, "grants">): VNode | null {
  if (startUrl !== undefined) {
    return (
      <a class="button" href={startUrl}>
        {words.start}
        <span class="unseen">{words.startOf(visible(name), cannotStart)}</span>
      </a>
    );
  }
  return cannotStart === undefined
    ? null
    : <span class="aside" title={words.cannotStart[cannotStart]}>{words.cannotStartShort[cannotStart]}</span>;
}

function describeMethod(method: string | undefined): string {
  const { methods } = words;
  if (method === undefined) return methods.undecided;
  return method === "none" ? methods.none : method;
}

export interface ClientProps extends AccessProps, Pick<ClientRow, "startUrl" | "cannotStart"> {
  readonly client: Client;
  readonly origin: keyof DirectoryWords["clients"]["origins"];
  /** A browser lets the client begin a sign-in (OpenID Connect Core §4): as registered, and with the issuer. */
  readonly initiateLogin?: { readonly uri: string; readonly url: string };
  /** The configuration of the client as JSON, without its secret. Absent for a configured client. */
  readonly remedy?: string;
  /** Present if the page may end something. */
  readonly end?: FormTarget;
  /** Absent also for a client of the configuration. */
  readonly remove?: FormTarget;
}

export function clientPage(props: ClientProps): Page {
  const { client: { id, name = id, grantTypes }, notices, cannotStart, remedy, end, remove, backUrl } = props;
  const common = { now: props.now, of: { id }, end, shows: "person" } as const;
  return directoryPage(
    {
      list: "clients",
      title: visible(name),
      heading: <bdi>{quote(name)}</bdi>,
      backUrl,
      beside: (
        <>
          <WayOn id="start" href={props.startUrl} isMain>
            {cannotStart === "device" ? words.startDevice : english.home.start}
          </WayOn>
          <WayOn id="begin" href={props.initiateLogin?.url} rel="noopener noreferrer">{words.begin}</WayOn>
          <RequestsLink href={props.requestsUrl} id={id} />
        </>
      ),
      scripts: ["copy.js"],
    },
    notices,
    cannotStart !== undefined && (
      <p class="notice" id="cannot-start">
        {props.startUrl === undefined && <strong>{words.cannotStartHeading}.</strong>}{" "}
        {words.cannotStart[cannotStart]}
      </p>
    ),
    <Section id="details" heading={englishDirectory.shared.details}>
      <ClientFacts {...props} />
    </Section>,
    <Grants {...props.grants} {...common} />,
    grantTypes.includes("client_credentials") && <p class="aside">{access.grants.ownTokens}</p>,
    <Consents {...props.consents} {...common} />,
    remedy !== undefined && (
      <Section id="remedy" heading={words.remedy}>
        <p class="aside">{words.remedyNote}</p>
        <CopyableBlock id="remedy" kind="JSON" what={words.remedy}>{remedy}</CopyableBlock>
      </Section>
    ),
    <AskForm form={remove} fields={{ id }} label={words.remove} question={words.removeNote} />,
  );
}

function ClientFacts({ client, origin, initiateLogin }: ClientProps): VNode {
  const { id, approvedBy = "none", authentication, redirectUris, grantTypes, scope, requirePkce } = client;
  return (
    <dl class="facts compact">
      <Fact term={words.columns.id}>
        <Copyable id="client-id" value={id} what={` ${words.columns.id}`} />
      </Fact>
      <Fact term={words.columns.source}>{words.origins[origin]}</Fact>
      <Fact term={words.approved}>{words.approvedBy[approvedBy]}</Fact>
      <Fact term={words.columns.authentication}>{describeMethod(authentication?.method)}</Fact>
      <ValueFact term={words.demoSecret} value={client.demoSecret} />
      <Fact term={words.redirectUris}>
        <Values all={redirectUris} />
      </Fact>
      {initiateLogin !== undefined && <ValueFact term={words.initiateLoginUri} value={initiateLogin.uri} />}
      <Fact term={words.grantTypes}>
        <Values all={grantTypes} />
      </Fact>
      <Fact term={words.scope}>{scope === undefined ? words.anyScope : <Values all={scope} />}</Fact>
      {grantTypes.includes("authorization_code") && (
        <Fact term={words.pkce}>{words.pkceIs[requirePkce ? "required" : "optional"]}</Fact>
      )}
    </dl>
  );
}

function Values({ all }: { readonly all: readonly string[] }): VNode {
  return all.length === 0 ? <>{words.empty}</> : (
    <ul>
      {all.map((each) => (
        <li key={each}>
          <CodeValue value={each} />
        </li>
      ))}
    </ul>
  );
}
