/** What the dashboard shows on the front page: programs to copy, the latest requests, and what is on. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { RequestTable } from "../parts/request_table.tsx";
import { CopyableBlock, Section } from "../../../server/pages/parts.tsx";
import { PageLink } from "../parts/pass.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { describeTurn } from "./conditions.tsx";
import { englishFrame } from "./frame_english.ts";
import type { Condition, FrameProps, FrontProps, RecentRequests, Snippet } from "./frame_props.ts";

const { front: words } = englishFrame;

/** Settings or a program for one of the usual libraries. The form chooses another one, so the page stays small. */
export function Snippets(
  { snippets, chosen }: { readonly snippets: readonly Snippet[]; readonly chosen: string | undefined },
): VNode | null {
  const shown = snippets.find(({ id }) => id === chosen) ?? snippets[0];
  return shown === undefined ? null : (
    <Section id="snippets" heading={words.snippets}>
      <form class="library" action="#snippets-heading">
        <label for="library">{words.library}</label>
        <select id="library" name="settings">
          {snippets.map(({ id, name }) => (
            <option key={id} value={id} selected={id === shown.id}>{name}</option>
          ))}
        </select>
        <button type="submit" class="button">{words.showLibrary}</button>
      </form>
      <CopyableBlock id="snippet" kind={shown.name} what={words.copySnippet(shown.name)}>
        {shown.text}
      </CopyableBlock>
    </Section>
  );
}

export function Recent({ refused, ...requests }: RecentRequests): VNode {
  return (
    <Section
      id="recent"
      heading={
        <>
          {words.recent} <a id="inspector" href={requests.path}>{words.allRequests}</a>{" "}
          {refused && (
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

/** Nothing without an address: the person has no token among the latest requests. */
export function NewestToken(
  { username, url }: { readonly username: string; readonly url: string | undefined },
): VNode | null {
  return url === undefined ? null : (
    <PageLink href={url}>
      {words.newestToken}
      <span class="unseen">{words.ofPerson(visible(username))}</span>
    </PageLink>
  );
}

/** What is on, also if nothing is, with links to the pages that change it. The strip below the bar says more of what is on. */
export function State(
  { conditions, conditionHrefs, store }:
    & Pick<FrameProps, "conditions">
    & Pick<FrontProps, "conditionHrefs" | "store">,
): VNode {
  const rows = ["misbehaviour", "clock", "gate", "look_alike"] as const;
  return (
    <dl class="state" id="state">
      {rows.map((kind) => (
        <div key={kind}>
          <dt>{words.stateOf[kind]}</dt>
          <dd>
            <a href={conditionHrefs[kind]}>
              {describeState(conditions.find((each) => each.kind === kind)) ?? words.usual[kind]}
              <span class="unseen">{englishFrame.conditions.about[kind]}</span>
            </a>
          </dd>
        </div>
      ))}
      {store !== undefined && (
        <div>
          <dt>{words.store}</dt>
          <dd>{store === "memory" ? words.inMemory : <code>{store}</code>}</dd>
        </div>
      )}
    </dl>
  );
}

function describeState(condition: Condition | undefined): string | undefined {
  if (condition?.kind !== "clock") return condition && words.unusual[condition.kind];
  return condition.isFrozen ? words.stoppedClock : describeTurn(condition.ahead);
}
