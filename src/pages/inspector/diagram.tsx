/** A sequence diagram as SVG, whose arrows are links. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { LinkTo } from "./exchange.tsx";
import type { ExchangeLine } from "./exchange_props.ts";
import { quote } from "../visible.ts";
import type { InspectorWords } from "../words/inspector_english.ts";
import { useInspectorWords } from "../words/inspector_words.ts";

// Pixels.
const columnWidth = 230;
const rowHeight = 56;
const headHeight = 44;
const characterWidth = 6.7;

interface Participant {
  readonly key: string;
  readonly name: string;
}

function senderOf({ sender: { kind, client } }: ExchangeLine, words: InspectorWords): Participant {
  if (kind === "browser") return browserIn(words);
  return client === undefined
    ? { key: "unknown", name: words.diagram.unknown }
    : { key: `client ${client}`, name: client };
}

function receiverOf({ endpoint, target }: ExchangeLine, words: InspectorWords): Participant {
  if (endpoint !== "resource" || !URL.canParse(target)) return serverIn(words);
  return { key: `api ${new URL(target).origin}`, name: new URL(target).host };
}

function browserIn(words: InspectorWords): Participant {
  return { key: "browser", name: words.diagram.browser };
}

function serverIn(words: InspectorWords): Participant {
  return { key: "server", name: words.diagram.server };
}

export function Diagram(
  { exchanges, link, name }: {
    readonly exchanges: readonly ExchangeLine[];
    readonly link: LinkTo;
    /** Tells several diagrams apart. */
    readonly name?: string;
  },
): VNode {
  const words = useInspectorWords();
  const participants = listParticipants(exchanges, words);
  const width = participants.length * columnWidth;
  const height = headHeight + exchanges.length * rowHeight + 8;
  const centre = ({ key }: Participant) =>
    (participants.findIndex((each) => each.key === key) + 0.5) * columnWidth;
  return (
    <div class="diagram" role="region" aria-label={name ?? words.diagram.title} tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-label={words.diagram.label}>
        {participants.map((each) => (
          <g key={each.key}>
            <line class="life" x1={centre(each)} x2={centre(each)} y1={headHeight - 10} y2={height} />
            <text class="who" x={centre(each)} y={headHeight - 20}>{shorten(each.name, columnWidth)}</text>
          </g>
        ))}
        {exchanges.map((line, at) => (
          <Arrows
            key={line.id}
            line={line}
            from={centre(senderOf(line, words))}
            to={centre(receiverOf(line, words))}
            top={headHeight + at * rowHeight}
            href={link(line.id)}
          />
        ))}
      </svg>
    </div>
  );
}

function listParticipants(
  exchanges: readonly ExchangeLine[],
  words: InspectorWords,
): readonly Participant[] {
  const keyed = (participant: Participant) => [participant.key, participant] as const;
  const senders = new Map(exchanges.map((line) => keyed(senderOf(line, words))));
  const receivers = new Map(exchanges.map((line) => keyed(receiverOf(line, words))));
  const [browser, server] = [browserIn(words), serverIn(words)];
  senders.delete(browser.key);
  receivers.delete(server.key);
  const hasBrowser = exchanges.some(({ sender }) => sender.kind === "browser");
  return [...hasBrowser ? [browser] : [], ...senders.values(), server, ...receivers.values()];
}

/** The request and the response, one below the other. */
function Arrows({ line, from, to, top, href }: {
  readonly line: ExchangeLine;
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly href: string;
}): VNode {
  const words = useInspectorWords();
  const span = Math.abs(to - from);
  const middle = (from + to) / 2;
  const name = words.endpoint(line.endpoint, line.grantType);
  const reason = line.refusal?.reason ?? line.failedChecks[0];
  const outcome = `${line.status ?? words.line.accepted}${reason === undefined ? "" : ` ${reason}`}`;
  const isBad = line.outcome !== "ok" || line.failedChecks.length > 0;
  return (
    <a href={href} class={isBad ? "bad" : undefined}>
      <title>{quote(`${name}: ${line.method} ${line.target}, ${outcome}`)}</title>
      <text x={middle} y={top + 13}>{shorten(name, span)}</text>
      <Arrow from={from} to={to} y={top + 19} />
      <text x={middle} y={top + 37}>{shorten(outcome, span)}</text>
      <Arrow from={to} to={from} y={top + 43} back />
    </a>
  );
}

function Arrow({ from, to, y, back = false }: {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly back?: boolean;
}): VNode {
  const tip = from < to ? -8 : 8;
  return (
    <>
      <line class={back ? "back" : "forth"} x1={from} x2={to} y1={y} y2={y} />
      <path class="tip" d={`M${to} ${y}l${tip} -4v8z`} />
    </>
  );
}

/** Cuts a text to the width that it may have, because SVG does not break lines. */
function shorten(text: string, width: number): string {
  const most = Math.max(4, Math.floor((width - 24) / characterWidth));
  const shown = [...quote(text)];
  return shown.length <= most ? shown.join("") : `${shown.slice(0, most - 1).join("")}…`;
}
