/** The journal as one HTML file that loads nothing and needs no script. */
/** @jsxImportSource preact */

import { renderToString } from "preact-render-to-string";
import dashboardStyle from "../../../static/dashboard.css" with { type: "text" };
import diagramStyle from "../../../static/diagram.css" with { type: "text" };
import entryStyle from "../../../static/entry.css" with { type: "text" };
import partsStyle from "../../../static/parts.css" with { type: "text" };
import style from "../../../static/postern.css" with { type: "text" };
import tokenStyle from "../../../static/token.css" with { type: "text" };
import { Diagram } from "./diagram.tsx";
import type { Sequence } from "./diagram_props.ts";
import { Happened } from "./happened.tsx";
import { EntryTokens, listTokens } from "./entry_tokens.tsx";
import { nameExchange } from "./exchange_line.tsx";
import type { ExchangeLine, GroupSummary, ShownExchange } from "./exchange_props.ts";
import { Explained } from "./explained.tsx";
import { RawMessages } from "./raw_messages.tsx";
import { Remarks } from "./remarks.tsx";
import { Copies } from "./request_copies.tsx";
import type { VNode } from "preact";
import { describeMoment } from "../../server/pages/value.tsx";
import { describeInstant, describeStep } from "./time_text.ts";
import { quote, visible } from "../../ground/values/visible.ts";
import { englishTimeline as words } from "./timeline_english.ts";

/** The counts are those of all groups. */
interface TimelineFileProps extends Pick<GroupSummary, "count" | "refused" | "failed"> {
  readonly issuer: string;
  /** The groups, the oldest first. Each one is read when it is written, because a file is long. */
  readonly groups: Iterable<FileGroup>;
  /** How many earlier requests are not in the file. */
  readonly dropped: number;
  readonly showsSecrets: boolean;
}

export interface FileGroup extends GroupSummary {
  readonly startedAt: number;
  readonly exchanges: readonly ShownExchange[];
  readonly sequence: Sequence;
}

const link = (id: string) => `#exchange-${id}`;

export function timelineFile(props: TimelineFileProps): string {
  const { groups, count, refused, failed, issuer, dropped, showsSecrets } = props;
  const title = words.file.title(count, refused, failed);
  const introduction = renderToString(
    <>
      <h1>{words.file.heading}</h1>
      <p>{title}. {words.file.about(visible(issuer))}</p>
      <p class={`notice${showsSecrets ? " problem" : ""}`} id="redaction">
        {showsSecrets ? words.file.withSecrets : words.file.redacted}
      </p>
      {dropped > 0 && <p class="aside">{words.file.dropped(dropped)}</p>}
      {count === 0 && <p>{words.file.empty}</p>}
    </>,
  );
  const sections: string[] = [];
  for (const group of groups) {
    sections.push(renderToString(<FileSection group={group} number={sections.length + 1} />));
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
    `<style>\n${style}${dashboardStyle}${partsStyle}${diagramStyle}${entryStyle}${tokenStyle}</style>`,
    "</head>",
    `<body class="sheet"><main>${introduction}${sections.join("")}</main></body>`,
    "</html>",
    "",
  ].join("\n");
}

function FileSection({ group, number }: { readonly group: FileGroup; readonly number: number }): VNode {
  const { exchanges, sequence, startedAt } = group;
  return (
    <section class="group">
      <GroupHead group={group} />
      <Diagram sequence={sequence} now={startedAt} link={link} name={words.diagram.numbered(number)} />
      <ol class="exchanges">
        {exchanges.map((shown) => <FileExchange key={shown.id} shown={shown} now={startedAt} />)}
      </ol>
    </section>
  );
}

function GroupHead(
  { group: { client, person, flow, count, refused, failed, startedAt } }: { readonly group: FileGroup },
): VNode {
  const name = flow === undefined
    ? words.group.noFlow
    : quote(words.group.of(client ?? words.group.anonymous, person));
  return (
    <>
      <h2>{name}</h2>
      <p class="aside">
        {flow !== undefined && `${words.group.flow} · `}
        {describeMoment(startedAt)} · {words.group.count(count)} · {words.group.refused(refused, failed)}
      </p>
    </>
  );
}

/** The ids of its elements begin with that of the exchange, because the file has many. */
function FileExchange({ shown, now }: { readonly shown: ShownExchange; readonly now: number }): VNode {
  const { id, outcome, tags, remarks } = shown;
  return (
    <li class={`exchange ${outcome}`} id={`exchange-${id}`}>
      <Line line={shown} now={now} />
      <Happened shown={shown} link={link} prefix={`${id}-`} />
      <Remarks remarks={remarks} />
      {tags.length > 0 && (
        <p class="tags">{tags.map((tag) => <span key={tag} class="tag">{quote(tag)}</span>)}</p>
      )}
      <details>
        <summary>
          {words.file.details} <span class="unseen">{nameExchange(shown)}</span>
        </summary>
        <Explained shown={shown} link={link} />
        <RawMessages shown={shown} />
        <EntryTokens tokens={listTokens(shown)} prefix={`${id}-`} />
        <details class="copies">
          <summary>{words.exchange.copy}</summary>
          <Copies copies={shown.copies} prefix={`${id}-`} />
        </details>
      </details>
    </li>
  );
}

function Line({ line, now }: { readonly line: ExchangeLine; readonly now: number }): VNode {
  const { at, since, status = words.line.accepted, outcome, method, target } = line;
  return (
    <p class="line">
      <time class="since" title={since === undefined ? words.line.first : describeStep(since)}>
        {describeInstant(at, now)}
      </time>
      <strong>{words.endpoint(line)}</strong>
      <span class={`outcome-${outcome}`}>
        {outcome === "ok" ? status : `${status} ${outcome}`}
      </span>
      <span class="aside who">{describeSender(line)}</span>
      <code class="aside">{quote(`${method} ${target}`)}</code>
    </p>
  );
}

function describeSender({ sender: { kind, client }, person }: ExchangeLine): string {
  const from = kind === "browser" ? words.line.browser : client ?? words.group.anonymous;
  return [from, kind === "browser" ? client : undefined, person].filter((each) => each !== undefined)
    .map(quote).join(" · ");
}
