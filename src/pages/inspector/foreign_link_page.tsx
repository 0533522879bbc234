/** The page that a link of another site opens in place of the journal, because showing the journal takes work. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { Page } from "../document.tsx";
import { englishInspector } from "../words/inspector_english.ts";

export interface ForeignLinkProps {
  /** The path and the query that the link has opened. */
  readonly href: string;
  readonly homeUrl: string;
}

export function foreignLinkPage({ href, homeUrl }: ForeignLinkProps): Page {
  const { heading, about, show } = englishInspector.foreignLink;
  return {
    title: heading,
    shape: "gate",
    homeUrl,
    main: (
      <>
        <h1>{heading}</h1>
        <p class="lead">{about}</p>
        <p>
          <a class="button primary" id="show-journal" href={href}>{show}</a>
        </p>
      </>
    ),
  };
}
