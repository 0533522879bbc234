/** The page of one request, below `/inspector`: its entry, or that the journal no longer has it. */
/** @jsxImportSource preact */

import type { Page } from "../frame/dashboard_document.tsx";
import { Entry, entryScripts, entryStyles } from "./entry.tsx";
import type { EntryProps } from "./entry_props.ts";
import { nameExchange } from "../../../kit/timeline/exchange_line.tsx";
import { PageLink } from "../parts/pass.tsx";
import { englishInspector as words } from "./inspector_english.ts";

export function exchangePage(props: EntryProps): Page {
  return {
    title: nameExchange(props.shown),
    here: "inspector",
    styles: entryStyles,
    scripts: [...entryScripts, "beside.js", ...(props.seesSecrets ? [] : ["key.js" as const])],
    main: <Entry {...props} />,
  };
}

export function goneExchangePage({ path }: { readonly path: string }): Page {
  return {
    title: words.page.gone,
    here: "inspector",
    main: (
      <>
        <h1>{words.page.gone}</h1>
        <p>{words.page.goneNote}</p>
        <p class="onward">
          <PageLink class="button" href={path}>{words.page.back}</PageLink>
        </p>
      </>
    ),
  };
}
