/** What the dashboard shows on the front page: programs to copy, the latest requests, and what is on. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { RequestTable } from "../parts/request_table.tsx";
import { CopyableBlock, Fact, Section } from "../../../server/pages/parts.tsx";
import { describeCondition } from "./conditions.tsx";
import { englishFrame } from "./frame_english.ts";
import type { FrameProps, FrontProps, RecentRequests, Snippet } from "./frame_props.ts";

const { front: words } = englishFrame;

/** Settings or a program for one of the usual libraries. Links choose another one, so the page stays small. */
export function Snippets(
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

export function Recent({ refused, ...requests }: RecentRequests): VNode | null {
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
export function State(
  { conditions, mayChange, conditionHrefs, store }:
    & Pick<FrameProps, "conditions" | "mayChange">
    & Pick<FrontProps, "conditionHrefs" | "store">,
): VNode {
  const rows = ["misbehaviour", "clock", "gate", "look_alike"] as const;
  return (
    <Section id="state" heading={words.state}>
      <dl class="facts" id="state">
        {rows.map((kind) => {
          const condition = conditions.find((each) => each.kind === kind);
          const change = condition === undefined ? words.changeUsual : englishFrame.conditions.change;
          return (
            <Fact key={kind} term={words.stateOf[kind]}>
              {condition === undefined ? words.usual[kind] : describeCondition(condition)}{" "}
              <a href={conditionHrefs[kind]}>
                {mayChange ? change[kind] : englishFrame.conditions.look}
                <span class="unseen">{englishFrame.conditions.about[kind]}</span>
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
