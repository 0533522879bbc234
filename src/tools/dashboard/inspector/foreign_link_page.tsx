/** The page that a link of another site opens in place of the journal, because showing the journal takes work. */
/** @jsxImportSource preact */

import type { Page } from "../frame/dashboard_document.tsx";
import { englishInspector } from "./inspector_english.ts";

/** `href`: the path and the query that the link has opened. */
export function foreignLinkPage(href: string): Page {
  const { heading, about, show } = englishInspector.foreignLink;
  return {
    title: heading,
    shape: "gate",
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
