/** The frame of the pages that are not part of a sign-in: links to the other pages, badges, and the search. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { formatDuration } from "../schema/format_duration.ts";
import type { Badge, Frame, FrameLinkName } from "./pages_terms.ts";
import { PageForm, PageLink } from "./pass.tsx";
import { describeMoment } from "./time_text.ts";
import type { Words } from "./words/english.ts";
import { langOfEnglish } from "./words/use_words.ts";

/** The line beside the mark. `here` is the page that is shown. */
export function FrameBar(
  { frame, here, words }: {
    readonly frame: Frame;
    readonly here: FrameLinkName | undefined;
    readonly words: Words;
  },
): VNode {
  return (
    <div class="frame" lang={langOfEnglish(words)}>
      <nav aria-label={words.frame.pages}>
        <ul>
          {frame.links.map(({ name, href }) => {
            // These two are no pages of the dashboard.
            const Link = name === "home" || name === "control" ? "a" : PageLink;
            return (
              <li key={name}>
                <Link href={href} aria-current={name === here ? "page" : undefined}>
                  {words.frame.links[name]}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <p class="where">
        {frame.label !== undefined && <strong class="label">{frame.label}</strong>}{" "}
        <code>{frame.issuer}</code>
        {frame.badges.map((badge) => (
          <a key={badge.kind} class="tag" data-badge={badge.kind} href={badge.href}>
            {describeBadge(badge, words)}
          </a>
        ))}
      </p>
      <PageForm role="search" action={frame.searchUrl}>
        <input
          type="search"
          name="q"
          aria-label={words.frame.search}
          placeholder={words.frame.searchHint}
          maxLength={200}
        />
      </PageForm>
    </div>
  );
}

function describeBadge(badge: Badge, words: Words): string {
  switch (badge.kind) {
    case "clock":
      return badge.isFrozen
        ? words.frame.badges.stoppedClock(describeMoment(badge.now))
        : words.frame.badges.turnedClock(formatDuration(badge.ahead), badge.ahead >= 0);
    case "gate":
      return words.frame.badges.gate(badge.endpoints);
    case "misbehaviour":
      return words.frame.badges.misbehaviour(badge.names.length);
  }
}
