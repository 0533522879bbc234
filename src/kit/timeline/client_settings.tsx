/** The settings of a client that explain why its request was refused. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { CodeValue, Fact } from "../../server/pages/parts.tsx";
import { EntryLink } from "./entry_link.tsx";
import { visible } from "../../ground/values/visible.ts";
import { englishTimeline } from "./timeline_english.ts";

/** A client that the server knows. The settings are those that a refusal is about. */
export interface KnownClient {
  readonly id: string;
  /** The address of the page of the client. */
  readonly href: string;
  /** How the client authenticates: `none` for a public client. Absent: its first use decides. */
  readonly method?: string;
  readonly redirectUris?: readonly string[];
  readonly grantTypes?: readonly string[];
  readonly scope?: readonly string[];
  readonly requirePkce?: boolean;
}

export function ClientSettings({ client }: { readonly client: KnownClient }): VNode {
  const words = englishTimeline.client;
  const { id, href, method, redirectUris, grantTypes, scope, requirePkce } = client;
  const list = (term: string, values: readonly string[] | undefined) =>
    values !== undefined && (
      <Fact term={term}>
        {values.length === 0 ? words.none : values.map((value, at) => (
          <span key={at}>
            {at > 0 && <br />}
            <CodeValue value={value} />
          </span>
        ))}
      </Fact>
    );
  return (
    <dl class="facts">
      <Fact term={words.id}>
        <EntryLink href={href}>{visible(id)}</EntryLink>
      </Fact>
      {method !== undefined && (
        <Fact term={words.authentication}>
          {method === "none" ? words.isPublic : words.isConfidential(method)}
        </Fact>
      )}
      {list(words.redirectUris, redirectUris)}
      {list(words.grantTypes, grantTypes)}
      {list(words.scope, scope)}
      {requirePkce !== undefined && (
        <Fact term={words.pkce}>{requirePkce ? words.needsPkce : words.mayOmitPkce}</Fact>
      )}
    </dl>
  );
}
