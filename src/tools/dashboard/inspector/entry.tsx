/** The entry: everything about one request, as a page of its own or beside the list. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { EntryHead } from "./entry_head.tsx";
import type { EntryProps } from "./entry_props.ts";
import { EntryTokens } from "../../../kit/timeline/entry_tokens.tsx";
import { Explained } from "../../../kit/timeline/explained.tsx";
import { RawMessages } from "../../../kit/timeline/raw_messages.tsx";
import { Copies } from "../../../kit/timeline/request_copies.tsx";
import { Again } from "./edit_page.tsx";
import { PageLink } from "../parts/pass.tsx";
import { KeyDetails } from "../session/session_page.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { quote } from "../../../ground/values/visible.ts";
import { present } from "../../../ground/values/present.ts";
import { englishInspector } from "./inspector_english.ts";

const { entry: words } = englishInspector;

/** The sheets and scripts of an entry. The list loads them, too, because a script opens entries beside it. */
export const entryStyles = ["entry.css", "token.css"] as const;
export const entryScripts = ["copy.js", "tabs.js"] as const;

export function Entry(props: EntryProps): VNode {
  const { shown, tokens, now, client, links, clock, seesSecrets, keyForm, again } = props;
  const { id, tags } = shown;
  const tokensTab = tokens.length === 0 ? [] : [{
    id: "tokens",
    name: words.tabs.tokens,
    content: <EntryTokens tokens={tokens} now={now} />,
  }];
  const isIssued = shown.outcome === "ok" && tokens.some(({ carriedBy }) => carriedBy === "response");
  return (
    <article class="entry" data-entry={id}>
      <p class="entry-links">
        <PageLink id="close-entry" href={links.list}>
          ← {words.back}
          <span class="unseen">{words.backTo}</span>
        </PageLink>
      </p>
      <EntryHead {...props} />
      <Tabs
        id="entry"
        label={words.tabs.label}
        sections={[
          // What a client got is of more use than why it got it.
          ...(isIssued ? tokensTab : []),
          {
            id: "explained",
            name: words.tabs.explained,
            content: (
              <>
                <Explained
                  shown={shown}
                  link={links.entry}
                  clock={clock}
                  {...present({ client })}
                />
                <Tags tags={tags} links={links} />
              </>
            ),
          },
          { id: "raw", name: words.tabs.raw, content: <RawMessages shown={shown} /> },
          ...(isIssued ? [] : tokensTab),
          {
            id: "curl",
            name: words.tabs.curl,
            content: (
              <>
                <Copies
                  copies={shown.copies.filter(({ kind }) => kind === "curl" || again.editUrl === undefined)}
                  prefix=""
                />
                <Again {...again} />
              </>
            ),
          },
        ]}
      />
      {seesSecrets
        ? <p class="aside" id="secrets-shown">{englishInspector.page.secretsShown}</p>
        : <KeyDetails {...keyForm} summary={englishInspector.page.showSecrets} />}
    </article>
  );
}

/** What the request has in common with others, as filters: the reason, the rule, what was wrong on purpose. */
function Tags(
  { tags, links }: { readonly tags: readonly string[]; readonly links: EntryProps["links"] },
): VNode | null {
  return tags.length === 0 ? null : (
    <p class="tags">
      {words.filterBy}{" "}
      {tags.map((tag) => <PageLink key={tag} class="tag" href={links.filter(tag)}>{quote(tag)}</PageLink>)}
    </p>
  );
}
