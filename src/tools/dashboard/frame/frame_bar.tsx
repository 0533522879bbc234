/** The frame of the pages that are not part of a sign-in: links to the other pages, and the search. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { PageForm, PageLink } from "../parts/pass.tsx";
import { langOfEnglish, useWords } from "../../../server/pages/words/use_words.ts";
import { englishFrame as words } from "./frame_english.ts";
import type { FrameProps } from "./frame_props.ts";

/** The line beside the mark. `here` is the page that is shown. */
export function FrameBar(
  { frame, here }: { readonly frame: FrameProps; readonly here: string | undefined },
): VNode {
  return (
    <div class="frame" lang={langOfEnglish(useWords())}>
      <nav aria-label={words.pages}>
        <ul>
          {frame.links.map(({ name, text, href }) => {
            // These two are no pages of the dashboard.
            const Link = name === "home" || name === "control" ? "a" : PageLink;
            return (
              <li key={name}>
                <Link href={href} aria-current={name === here ? "page" : undefined}>
                  {text}
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
          aria-label={words.search}
          placeholder={words.searchHint}
          maxLength={200}
        />
      </PageForm>
    </div>
  );
}
