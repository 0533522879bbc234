/** The details of an authorization request, folded: the complete name and id of the client, and its redirect URI. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ClientSummary, FormProps } from "../../oauth/contracts/pages.ts";
import { Uri } from "./destination.tsx";
import { Fact } from "../parts.tsx";
import { visibleName } from "../../../ground/values/visible.ts";
import { useWords } from "../words/use_words.ts";

export function RequestDetails({ request: { client, redirectUri } }: { readonly request: FormProps }): VNode {
  const words = useWords();
  return (
    <details id="request-details">
      <summary>{words.request.details}</summary>
      <dl class="facts">
        <Fact term={words.request.client}>
          {client.name !== undefined && <bdi class="client-name">{visibleName(client.name)}</bdi>}
          {/^https?:/.test(client.id)
            ? <Uri uri={client.id} id="client-id" />
            : <code class="value" id="client-id">{client.id}</code>}
        </Fact>
        {client.links !== undefined && (
          <Fact term={words.request.links}>
            <ClientLinks links={client.links} />
          </Fact>
        )}
        {redirectUri !== undefined && (
          <Fact term={words.request.goesTo}>
            <Uri uri={redirectUri} id="redirect-uri" />
          </Fact>
        )}
      </dl>
    </details>
  );
}

/** Links to the pages of a client. Their hosts learn nothing about this page, not even its address. */
function ClientLinks({ links }: { readonly links: NonNullable<ClientSummary["links"]> }): VNode {
  const words = useWords();
  return (
    <ul id="client-links">
      {links.map(({ kind, url }) => (
        <li key={kind}>
          <a id={`client-${kind}`} href={url} target="_blank" rel="noopener noreferrer">
            {words.client.links[kind]}
          </a>{" "}
          <span class="aside">{new URL(url).host}</span>
        </li>
      ))}
    </ul>
  );
}
