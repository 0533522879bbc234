/** The page `/inspector/diagram`: who sent what to whom. */
/** @jsxImportSource preact */

import { Diagram } from "../../../kit/timeline/diagram.tsx";
import type { Page } from "../frame/dashboard_document.tsx";
import type { Sequence } from "../../../kit/timeline/diagram_props.ts";
import { englishRequests } from "../parts/requests_english.ts";
import { PageLink } from "../parts/pass.tsx";
import { quote } from "../../../ground/values/visible.ts";
import { englishInspector as words } from "./inspector_english.ts";

export function diagramPage({ line, heading, sequence, now, older, path, list }: {
  readonly line: string;
  readonly heading: string;
  readonly sequence: Sequence;
  /** Seconds since 1970. */
  readonly now: number;
  /** How many older exchanges the diagram leaves out. */
  readonly older: number;
  readonly path: string;
  /** The address of the same requests as a list. */
  readonly list: string;
}): Page {
  return {
    title: heading,
    here: "inspector",
    styles: ["parts.css", "inspector.css", "diagram.css"],
    main: (
      <div class="inspector">
        <p>
          <PageLink href={list}>
            ← {line === "" ? words.page.back : words.diagram.asList}
          </PageLink>
        </p>
        <h1>{heading}</h1>
        {line !== "" && (
          <p class="aside">
            {englishRequests.filter}: <code>{quote(line)}</code>
          </p>
        )}
        <p class="aside">{words.diagram.label}</p>
        {older > 0 && <p class="aside">{words.diagram.older(older)}</p>}
        {sequence.steps.length === 0
          ? <p>{englishRequests.none}</p>
          : <Diagram sequence={sequence} now={now} link={(id) => `${path}/${id}`} />}
      </div>
    ),
  };
}
