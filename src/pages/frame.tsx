/** The frame of the pages that are not part of a sign-in: links to the other pages, badges, and the search. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Badge, Frame, FrameLinkName } from "../oauth/pages.ts";
import type { Words } from "./words/english.ts";

/** The line below the header. `here` is the page that is shown. */
export function FrameBar(
  { frame, here, words }: {
    readonly frame: Frame;
    readonly here: FrameLinkName | undefined;
    readonly words: Words;
  },
): VNode {
  return (
    <div class="frame">
      <nav aria-label={words.frame.pages}>
        <ul>
          {frame.links.map(({ name, href }) => (
            <li key={name}>
              <a href={href} aria-current={name === here ? "page" : undefined}>{words.frame.links[name]}</a>
            </li>
          ))}
        </ul>
      </nav>
      <form role="search" action={frame.searchUrl}>
        <input
          type="search"
          name="q"
          aria-label={words.frame.search}
          placeholder={words.frame.searchHint}
          maxLength={200}
        />
      </form>
      <p class="where">
        {frame.label !== undefined && <strong class="label">{frame.label}</strong>}{" "}
        <code>{frame.issuer}</code>
        {frame.badges.map((badge) => (
          <a key={badge.kind} class="tag" data-badge={badge.kind} href={badge.href}>
            {describeBadge(badge, words)}
          </a>
        ))}
      </p>
    </div>
  );
}

function describeBadge(badge: Badge, words: Words): string {
  switch (badge.kind) {
    case "clock":
      return words.frame.badges.clock(formatMoment(badge.now), badge.isFrozen);
    case "gate":
      return words.frame.badges.gate(badge.endpoints);
    case "misbehaviour":
      return words.frame.badges.misbehaviour(badge.names.length);
  }
}

/** Returns a text such as "2030-01-01 12:00:00 UTC". */
function formatMoment(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
