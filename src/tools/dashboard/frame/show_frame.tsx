/** Draws the frame for the pages of the server, which have places for its parts. */
/** @jsxImportSource preact */

import type { Frame, FrontParts } from "../../../server/pages/pages_options.ts";
import { Conditions } from "./conditions.tsx";
import type { FrameProps } from "./frame_props.ts";
import { NewestToken, Recent, Snippets, State } from "./front_parts.tsx";
import type { VNode } from "preact";
import { longestPasted } from "../read_search.ts";
import { PageForm, PageLink } from "../parts/pass.tsx";
import { langOfEnglish, useWords } from "../../../server/pages/words/use_words.ts";
import { englishFrame as words } from "./frame_english.ts";
import { present } from "../../../ground/values/present.ts";

export function showFrame(props: FrameProps): Frame {
  const { issuer: _issuer, links: _links, conditions: _conditions, front, ...rest } = props;
  return {
    ...rest,
    styles: ["dashboard.css"],
    scripts: ["keys.js"],
    keys: () => <button type="button" class="as-link" id="show-keys" hidden>{words.keys}</button>,
    bar: (here) => <FrameBar frame={props} here={here} />,
    conditions: () => <Conditions {...props} />,
    ...present({ front: front && showFront(props, front) }),
  };
}

function showFront(
  { conditions }: FrameProps,
  { snippets, recent: listRecent, newestTokens, conditionHrefs, store }: NonNullable<FrameProps["front"]>,
): FrontParts {
  const state = { conditions, conditionHrefs, ...present({ store }) };
  return {
    styles: ["inspector.css"],
    scripts: ["choose.js"],
    snippets: (chosen) => snippets === undefined ? null : <Snippets snippets={snippets()} chosen={chosen} />,
    recent: () => {
      const recent = listRecent();
      return recent.items.length === 0 ? null : <Recent {...recent} />;
    },
    tokenLinks: () => {
      const urls = newestTokens();
      return (username) => <NewestToken username={username} url={urls.get(username)} />;
    },
    state: () => <State {...state} />,
  };
}

/**
 * The line beside the mark: the links to the other pages, and the search. On a telephone, a button opens the links.
 * `here` is the page that is shown.
 */
function FrameBar({ frame, here }: { readonly frame: FrameProps; readonly here: string | undefined }): VNode {
  return (
    <div class="frame" lang={langOfEnglish(useWords())}>
      <nav class="block" aria-label={words.pages} id="pages" popover>
        <ul>
          {frame.links.map(({ name, text, href }) => {
            // It is no page of the dashboard.
            const Link = name === "home" ? "a" : PageLink;
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
          placeholder={words.search}
          maxLength={longestPasted}
        />
      </PageForm>
      <button type="button" class="button menu" popovertarget="pages">{words.menu}</button>
    </div>
  );
}
