/** Writes recorded requests as a Mermaid sequence diagram, without secrets. */

import { visible } from "../../pages/visible.ts";
import { describeAsked, describeOutcome, isFromBrowser } from "./describe_request.ts";
import type { RecordedRequest } from "./recorded_request.ts";

interface Participant {
  /** Made up, because the name of a client could be a keyword of Mermaid. */
  readonly id: string;
  readonly name: string;
}

const browser: Participant = { id: "browser", name: "Browser" };
const postern: Participant = { id: "postern", name: "Postern" };
const unknownClient: Participant = { id: "unknown", name: "Unknown client" };

export function formatMermaid(
  requests: readonly RecordedRequest[],
  { dropped = 0 }: { readonly dropped?: number },
): string {
  const toldIds = requests.flatMap(({ backChannelLogout = {} }) => Object.keys(backChannelLogout));
  const clientIds = new Set(
    requests.flatMap(({ clientId }) => clientId === undefined ? [] : [clientId]).concat(toldIds),
  );
  const clients = new Map(
    [...clientIds].map((id, at): [string, Participant] => [id, { id: `client${at + 1}`, name: id }]),
  );
  const senderOf = (request: RecordedRequest): Participant =>
    isFromBrowser(request) ? browser : clients.get(request.clientId ?? "") ?? unknownClient;
  const taking = new Set([...requests.map(senderOf), ...toldIds.map((id) => clients.get(id))]);
  const participants = [browser, ...clients.values(), unknownClient].filter((each) => taking.has(each));
  return [
    "sequenceDiagram",
    ...[...participants, postern].map(({ id, name }) => `  participant ${id} as ${escapeLabel(name)}`),
    ...(dropped === 0 ? [] : [`  Note over postern: ${dropped} earlier requests were dropped`]),
    ...requests.flatMap((request) => {
      const { id } = senderOf(request);
      const fails = request.refusal !== undefined || request.status >= 400 || request.lost;
      const told = Object.entries(request.backChannelLogout ?? {}).flatMap(([clientId, outcome]) => {
        const client = clients.get(clientId)!.id;
        return [
          `  postern->>${client}: back-channel logout`,
          `  ${client}--${outcome === "told" ? ">>" : "x"}postern: ${escapeLabel(outcome)}`,
        ];
      });
      return [
        `  ${id}->>postern: ${escapeLabel(describeAsked(request))}`,
        ...told,
        `  postern--${fails ? "x" : ">>"}${id}: ${escapeLabel(describeOutcome(request))}`,
      ];
    }),
  ].join("\n");
}

const longest = 200;

/** Replaces characters that could end a label, or begin a comment, a directive or HTML, by entities of Mermaid. */
function escapeLabel(text: string): string {
  const label = [...visible(text)].slice(0, longest).join("").trim() || "?";
  return label.replace(
    /[^\p{L}\p{M}\p{N} .,:_/?&=()[\]+*!'@|~→…-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
