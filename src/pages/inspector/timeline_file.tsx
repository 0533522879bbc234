/** The journal as one HTML file that loads nothing and needs no script. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import { renderToString } from "preact-render-to-string";
import dashboardStyle from "../../../static/dashboard.css" with { type: "text" };
import diagramStyle from "../../../static/diagram.css" with { type: "text" };
import entryStyle from "../../../static/entry.css" with { type: "text" };
import style from "../../../static/postern.css" with { type: "text" };
import tokenStyle from "../../../static/token.css" with { type: "text" };
import { Diagram } from "./diagram.tsx";
import type { Sequence } from "./diagram_props.ts";
import { ExchangeBody } from "./exchange.tsx";
import { ExchangeHead, LaneHead, nameExchange } from "./exchange_line.tsx";
import type { Lane, ShownExchange } from "./exchange_props.ts";
import type { VNode } from "preact";
import { visible } from "../visible.ts";
import { english } from "../words/english.ts";
import { englishInspector as words } from "../words/inspector_english.ts";
import { WordsContext } from "../words/use_words.ts";

export interface TimelineFileProps {
  readonly issuer: string;
  /** The lanes, the oldest first. Each one is read when it is written, because a file is long. */
  readonly lanes: Iterable<FileLane>;
  /** The number of requests in the lanes. */
  readonly count: number;
  /** How many of them were refused. */
  readonly refused: number;
  readonly failed: number;
  /** How many earlier requests are not in the file. */
  readonly dropped: number;
  readonly showsSecrets: boolean;
}

export interface FileLane extends Lane {
  readonly exchanges: readonly ShownExchange[];
  readonly sequence: Sequence;
}

const link = (id: string) => `#exchange-${id}`;

export function timelineFile(props: TimelineFileProps): string {
  const { lanes, count, refused, failed, issuer, dropped, showsSecrets } = props;
  const title = words.file.title(count, refused, failed);
  const introduction = renderToString(
    <>
      <h1>{words.file.heading}</h1>
      <p class="lead">{title}. {words.file.about(visible(issuer))}</p>
      <p class={`notice${showsSecrets ? " problem" : ""}`} id="redaction">
        {showsSecrets ? words.file.withSecrets : words.file.redacted}
      </p>
      {dropped > 0 && <p class="aside">{words.file.dropped(dropped)}</p>}
      {count === 0 && <p>{words.file.empty}</p>}
    </>,
  );
  const sections: string[] = [];
  for (const lane of lanes) {
    sections.push(renderToString(
      <WordsContext.Provider value={english}>
        <FileSection lane={lane} number={sections.length + 1} />
      </WordsContext.Provider>,
    ));
  }
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    // The file quotes texts of clients. With this policy, they could load nothing even if the escaping failed.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
    `<title>${title}</title>`,
    `<style>\n${style}${dashboardStyle}${diagramStyle}${entryStyle}${tokenStyle}</style>`,
    "</head>",
    `<body class="sheet"><main>${introduction}${sections.join("")}</main></body>`,
    "</html>",
    "",
  ].join("\n");
}

function FileSection({ lane, number }: { readonly lane: FileLane; readonly number: number }): VNode {
  const { exchanges, sequence, startedAt } = lane;
  return (
    <section class="lane">
      <LaneHead lane={lane} />
      <Diagram sequence={sequence} now={startedAt} link={link} name={words.diagram.numbered(number)} />
      <ol class="exchanges">
        {exchanges.map((shown) => <FileExchange key={shown.id} shown={shown} now={startedAt} />)}
      </ol>
    </section>
  );
}

function FileExchange({ shown, now }: { readonly shown: ShownExchange; readonly now: number }): VNode {
  return (
    <li class={`exchange ${shown.outcome}`} id={`exchange-${shown.id}`}>
      <ExchangeHead line={shown} link={link} now={now}>
        <strong>{words.endpoint(shown.endpoint, shown.grantType)}</strong>
      </ExchangeHead>
      <details>
        <summary>
          {words.file.details} <span class="unseen">{nameExchange(shown)}</span>
        </summary>
        <ExchangeBody shown={shown} link={link} prefix={`${shown.id}-`} />
      </details>
    </li>
  );
}
