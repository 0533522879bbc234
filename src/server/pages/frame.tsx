/** The frame of the pages that are not part of a sign-in: links to the other pages, and the search. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Frame, FrameLinkName } from "./pages_terms.ts";
import { PageForm, PageLink } from "./pass.tsx";
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
