/** Writes recorded requests as a Mermaid sequence diagram, without secrets. */

import { visible } from "../../pages/visible.ts";
import { describeCall, describeOutcome, isFromBrowser } from "./describe_request.ts";
import type { RecordedRequest } from "./recorded_request.ts";

interface Participant {
  /** A generated id, because the name of a client can be a keyword of Mermaid. */
  readonly id: string;
  readonly name: string;
}

const browser: Participant = { id: "browser", name: "Browser" };
const postern: Participant = { id: "postern", name: "Postern" };
const unknownClient: Participant = { id: "unknown", name: "Unknown client" };

export function formatMermaid(requests: readonly RecordedRequest[], dropped: number): string {
  const notifiedIds = requests.flatMap(({ backChannelLogout = {} }) => Object.keys(backChannelLogout));
  const clientIds = new Set(
    requests.flatMap(({ clientId }) => clientId === undefined ? [] : [clientId]).concat(notifiedIds),
  );
  const clients = new Map(
    [...clientIds].map((id, at): [string, Participant] => [id, { id: `client${at + 1}`, name: id }]),
  );
  const senderOf = (request: RecordedRequest): Participant =>
    isFromBrowser(request) ? browser : clients.get(request.clientId ?? "") ?? unknownClient;
  const used = new Set([...requests.map(senderOf), ...notifiedIds.map((id) => clients.get(id))]);
  const participants = [browser, ...clients.values(), unknownClient].filter((each) => used.has(each));
  return [
    "sequenceDiagram",
    ...[...participants, postern].map(({ id, name }) => `  participant ${id} as ${escapeLabel(name)}`),
    ...(dropped === 0 ? [] : [`  Note over postern: ${dropped} earlier requests were dropped`]),
    ...requests.flatMap((request) => {
      const { id } = senderOf(request);
      const fails = request.outcome !== "ok" || request.lost;
      const notifications = Object.entries(request.backChannelLogout ?? {}).flatMap(([clientId, outcome]) => {
        const client = clients.get(clientId)!.id;
        return [
          `  postern->>${client}: back-channel logout`,
          `  ${client}--${outcome === "told" ? ">>" : "x"}postern: ${escapeLabel(outcome)}`,
        ];
      });
      return [
        `  ${id}->>postern: ${escapeLabel(describeCall(request))}`,
        ...notifications,
        `  postern--${fails ? "x" : ">>"}${id}: ${escapeLabel(describeOutcome(request))}`,
      ];
    }),
  ].join("\n");
}

// Characters of a label.
const maxLabelLength = 200;

/** Replaces characters by Mermaid entities if they could end the label or start a comment, a directive or HTML. */
function escapeLabel(text: string): string {
  const label = [...visible(text)].slice(0, maxLabelLength).join("").trim() || "?";
  return label.replace(
    /[^\p{L}\p{M}\p{N} .,:_/?&=()[\]+*!'@|~→…-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
