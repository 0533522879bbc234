/** The page `/clients`, and the page of one client. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { type ConsentRow, Consents, type GrantRow, Grants, type Rows } from "./access.tsx";
import { BackLink, NoticeBar, type Notices, RemoveForm } from "./directory.tsx";
import { ListCard, listPage, type ListProps } from "./list.tsx";
import type { Page } from "../document.tsx";
import { CopyableBlock, Fact, Section, ValueFact } from "../parts.tsx";
import type { FormTarget } from "../pass.tsx";
import { quote, visible } from "../visible.ts";
import { type DirectoryWords, englishDirectory } from "../words/directory_english.ts";

const { clients: words, access } = englishDirectory;

/** Why no link can start a flow of a client. */
export type CannotStart = keyof DirectoryWords["clients"]["cannotStart"];

export interface ClientRow {
  readonly id: string;
  readonly name?: string;
  readonly href: string;
  readonly group: keyof DirectoryWords["clients"]["groups"];
  /** `none`: public. Absent: the first redemption decides. */
  readonly method?: string;
  readonly cannotStart?: CannotStart;
}

export interface ClientsProps extends ListProps {
  readonly clients: readonly ClientRow[];
  readonly acceptsFirstUse: boolean;
}

export function clientsPage({ clients, acceptsFirstUse, ...props }: ClientsProps): Page {
  const cards = clients.map((each) => <ClientCard key={each.id} client={each} />);
  const note = acceptsFirstUse && <p class="aside" id="first-use">{words.firstUse}</p>;
  return listPage({ list: "clients", cards, note }, props);
}

function ClientCard({ client }: { readonly client: ClientRow }): VNode {
  const { id, name, href, group, method, cannotStart } = client;
  return (
    <ListCard
      href={href}
      name={name ?? id}
      details={name === undefined ? [] : [id]}
      tags={[words.groups[group], describeMethod(method)]}
    >
      {cannotStart !== undefined && <p class="aside">{words.cannotStart[cannotStart]}</p>}
    </ListCard>
  );
}

function describeMethod(method: string | undefined): string {
  const { methods } = words;
  if (method === undefined) return methods.undecided;
  return method === "none" ? methods.none : method;
}

export interface ClientProps {
  readonly id: string;
  readonly name?: string;
  readonly origin: keyof DirectoryWords["clients"]["origins"];
  readonly approvedBy: keyof DirectoryWords["clients"]["approvedBy"];
  readonly method?: string;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  /** Absent: every scope. */
  readonly scope?: readonly string[];
  readonly requiresPkce: boolean;
  readonly demoSecret?: string;
  readonly startUrl?: string;
  readonly cannotStart?: CannotStart;
  readonly initiateLogin?: InitiateLogin;
  /** The configuration of the client as JSON, without its secret. Absent for a configured client. */
  readonly remedy?: string;
  readonly now: number;
  readonly notices: Notices;
  readonly grants: Rows<GrantRow>;
  readonly consents: Rows<ConsentRow>;
  /** Present if the page may end something. */
  readonly forms?: ClientForms;
  readonly backUrl: string;
}

/** How a browser lets the client begin a sign-in (OpenID Connect Core §4). */
export interface InitiateLogin {
  /** As registered. */
  readonly uri: string;
  /** With the issuer. */
  readonly url: string;
}

export interface ClientForms {
  /** Absent for a client of the configuration. */
  readonly remove?: FormTarget;
  readonly endGrant: FormTarget;
  readonly endConsent: FormTarget;
}

export function clientPage(props: ClientProps): Page {
  const { id, name = id, notices, startUrl, cannotStart, initiateLogin, remedy, forms, backUrl } = props;
  const common = { now: props.now, of: { id } };
  return {
    title: words.heading,
    shape: "sheet",
    here: "clients",
    styles: ["directory.css"],
    ...(remedy === undefined ? {} : { scripts: ["copy.js"] }),
    main: (
      <>
        <BackLink list="clients" href={backUrl} />
        <h1>
          <bdi>{quote(name)}</bdi>
        </h1>
        <NoticeBar {...notices} />
        {(startUrl ?? initiateLogin) !== undefined && (
          <p class="start">
            {startUrl !== undefined && <a class="button primary" id="start" href={startUrl}>{words.start}</a>}
            {initiateLogin !== undefined && (
              <a class="button" id="begin" href={initiateLogin.url} rel="noopener noreferrer">
                {words.begin}
              </a>
            )}
          </p>
        )}
        {cannotStart !== undefined && (
          <p class="notice" id="cannot-start">
            <strong>{words.cannotStartHeading}.</strong> {words.cannotStart[cannotStart]}
          </p>
        )}
        <ClientFacts {...props} />
        {remedy !== undefined && (
          <Section id="remedy" heading={words.remedy}>
            <p class="aside">{words.remedyNote}</p>
            <CopyableBlock id="remedy" kind="JSON" what={words.remedy}>{remedy}</CopyableBlock>
          </Section>
        )}
        <Grants {...props.grants} shows="person" {...common} end={forms?.endGrant} />
        {props.grantTypes.includes("client_credentials") && <p class="aside">{access.grants.ownTokens}</p>}
        <Consents {...props.consents} shows="person" {...common} end={forms?.endConsent} />
        <RemoveForm form={forms?.remove} fields={{ id }} label={words.remove} note={words.removeNote} />
      </>
    ),
  };
}

function ClientFacts(props: ClientProps): VNode {
  const { id, origin, approvedBy, method, redirectUris, grantTypes, scope, requiresPkce, demoSecret } = props;
  const { initiateLogin } = props;
  return (
    <dl class="facts">
      <ValueFact term={words.clientId} value={id} />
      <Fact term={words.origin}>{words.origins[origin]}</Fact>
      <Fact term={words.approved}>{words.approvedBy[approvedBy]}</Fact>
      <Fact term={words.authentication}>{describeMethod(method)}</Fact>
      <ValueFact term={words.demoSecret} value={demoSecret} />
      <Fact term={words.redirectUris}>
        <Values all={redirectUris} />
      </Fact>
      {initiateLogin !== undefined && <ValueFact term={words.initiateLoginUri} value={initiateLogin.uri} />}
      <Fact term={words.grantTypes}>
        <Values all={grantTypes} />
      </Fact>
      <Fact term={words.scope}>{scope === undefined ? words.anyScope : <Values all={scope} />}</Fact>
      {grantTypes.includes("authorization_code") && (
        <Fact term={words.pkce}>{words.pkceIs[requiresPkce ? "required" : "optional"]}</Fact>
      )}
    </dl>
  );
}

function Values({ all }: { readonly all: readonly string[] }): VNode {
  return all.length === 0 ? <>{words.empty}</> : (
    <ul>
      {all.map((each) => (
        <li key={each}>
          <code class="value">{visible(each)}</code>
        </li>
      ))}
    </ul>
  );
}
