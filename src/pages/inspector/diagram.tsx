/** A sequence diagram as SVG, whose arrows are links. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { LinkTo } from "./exchange_line.tsx";
import type { ExchangeLine } from "./exchange_props.ts";
import { quote } from "../visible.ts";
import { englishInspector as words } from "../words/inspector_english.ts";

// A few columns share the width of the page. The diagram of many is as wide as they need.
const mostFittingColumns = 4;
// Pixels.
const columnWidth = 190;
const rowHeight = 56;
const handOverHeight = 26;
const headHeight = 44;
const longestLabel = 34;

interface Participant {
  readonly key: string;
  readonly name: string;
}

function senderOf(line: ExchangeLine): Participant {
  return line.sender.kind === "browser" ? browserIn() : clientOf(line);
}

/** The client of an exchange, also of one that the browser made. */
function clientOf({ sender: { client } }: ExchangeLine): Participant {
  return client === undefined
    ? { key: "unknown", name: words.diagram.unknown }
    : { key: `client ${client}`, name: client };
}

function receiverOf({ endpoint, target }: ExchangeLine): Participant {
  if (endpoint !== "resource" || !URL.canParse(target)) return serverIn();
  return { key: `api ${new URL(target).origin}`, name: new URL(target).host };
}

function browserIn(): Participant {
  return { key: "browser", name: words.diagram.browser };
}

function serverIn(): Participant {
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
  const participants = listParticipants(exchanges);
  const tops: number[] = [headHeight];
  for (const line of exchanges) {
    tops.push(tops.at(-1)! + rowHeight + (handOverOf(line) === undefined ? 0 : handOverHeight));
  }
  const height = tops.at(-1)! + 8;
  /** In percent of the width. */
  const centre = ({ key }: Participant) =>
    (participants.findIndex((each) => each.key === key) + 0.5) * 100 / participants.length;
  return (
    <div class="diagram" role="region" aria-label={name ?? words.diagram.title} tabIndex={0}>
      <svg
        width={participants.length > mostFittingColumns ? participants.length * columnWidth : "100%"}
        height={height}
        aria-label={words.diagram.label}
      >
        {participants.map((each) => (
          <g key={each.key}>
            <line
              class="life"
              x1={`${centre(each)}%`}
              x2={`${centre(each)}%`}
              y1={headHeight - 10}
              y2={height}
            />
            <text class="who" x={`${centre(each)}%`} y={headHeight - 20}>{shorten(each.name)}</text>
          </g>
        ))}
        {exchanges.map((line, at) => (
          <Arrows
            key={line.id}
            line={line}
            from={centre(senderOf(line))}
            to={centre(receiverOf(line))}
            client={centre(clientOf(line))}
            top={tops[at]!}
            href={link(line.id)}
          />
        ))}
      </svg>
    </div>
  );
}

/** Returns what the browser brings to the client after the exchange. */
function handOverOf({ result }: ExchangeLine): "code" | "error" | undefined {
  return result === "code" || result === "error" ? result : undefined;
}

function listParticipants(exchanges: readonly ExchangeLine[]): readonly Participant[] {
  const browser = browserIn();
  const server = serverIn();
  const clients = exchanges.flatMap((line) => handOverOf(line) === undefined ? [] : [clientOf(line)]);
  const senders = exchanges.map((line) => senderOf(line));
  const receivers = exchanges.map((line) => receiverOf(line));
  const middle = new Map([...senders, ...clients].map((each) => [each.key, each]));
  const right = new Map(receivers.map((each) => [each.key, each]));
  const hasBrowser = middle.delete(browser.key);
  right.delete(server.key);
  return [...hasBrowser ? [browser] : [], ...middle.values(), server, ...right.values()];
}

/** The request and the response, one below the other, and the redirect that the browser follows to the client. */
function Arrows({ line, from, to, client, top, href }: {
  readonly line: ExchangeLine;
  readonly from: number;
  readonly to: number;
  readonly client: number;
  readonly top: number;
  readonly href: string;
}): VNode {
  const name = words.endpoint(line.endpoint, line.grantType);
  const fault = line.remarks.find(({ isUnusual }) => !isUnusual);
  const reason = line.refusal?.reason ?? fault?.check ?? fault?.name;
  const outcome = `${line.status ?? words.line.accepted}${reason === undefined ? "" : ` ${reason}`}`;
  const isBad = line.outcome !== "ok" || fault !== undefined;
  const handOver = handOverOf(line);
  return (
    <a href={href} class={isBad ? "bad" : undefined}>
      <title>{quote(`${name}: ${line.method} ${line.target}, ${outcome}`)}</title>
      <rect x={`${Math.min(from, to)}%`} y={top} width={`${Math.abs(to - from)}%`} height={rowHeight - 6} />
      <Arrow from={from} to={to} y={top + 19} text={name} />
      <Arrow from={to} to={from} y={top + 43} text={outcome} back />
      {handOver !== undefined && (
        <Arrow from={from} to={client} y={top + 43 + handOverHeight} text={words.diagram.brings[handOver]} />
      )}
    </a>
  );
}

/** An arrow with its text above. The ends are in percent of the width. */
function Arrow({ from, to, y, text, back = false }: {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly text: string;
  readonly back?: boolean;
}): VNode {
  const tip = from < to ? -8 : 8;
  return (
    <>
      <text x={`${(from + to) / 2}%`} y={y - 6}>{shorten(text)}</text>
      <line class={back ? "back" : "forth"} x1={`${from}%`} x2={`${to}%`} y1={y} y2={y} />
      <svg class="tip" x={`${to}%`} y={y}>
        <path d={`M0 0l${tip} -4v8z`} />
      </svg>
    </>
  );
}

/** Cuts a long text, because SVG does not break lines. */
function shorten(text: string): string {
  const shown = [...quote(text)];
  return shown.length <= longestLabel ? shown.join("") : `${shown.slice(0, longestLabel - 1).join("")}…`;
}
