/** Writes recorded requests as a Mermaid sequence diagram, without secrets. */

import type { Arrow, Participant, ParticipantKind } from "../../timeline/diagram_props.ts";
import { visible } from "../../../server/pages/visible.ts";
import { describeSequence } from "./describe_sequence.ts";
import type { RecordedRequest } from "./recorded_request.ts";

const names: Readonly<Partial<Record<ParticipantKind, string>>> = {
  browser: "Browser",
  server: "Postern",
  unknown: "Unknown client",
};

export function formatMermaid(requests: readonly RecordedRequest[], dropped: number): string {
  const { participants, steps } = describeSequence(requests);
  const ids = nameParticipants(participants);
  return [
    "sequenceDiagram",
    ...participants.map(({ key, kind, name }) =>
      `  participant ${ids.get(key)} as ${escapeLabel(names[kind] ?? name ?? "")}`
    ),
    ...(dropped === 0 ? [] : [`  Note over postern: ${dropped} earlier requests were dropped`]),
    ...steps.flatMap(({ arrows }) =>
      arrows.map((arrow) =>
        `  ${ids.get(arrow.from)}${lineOf(arrow)}${ids.get(arrow.to)}: ${escapeLabel(arrow.text)}`
      )
    ),
  ].join("\n");
}

/** Returns generated ids, because the name of a client can be a keyword of Mermaid. */
function nameParticipants(participants: readonly Participant[]): ReadonlyMap<string, string> {
  const count = { client: 0, api: 0 };
  return new Map(participants.map(({ key, kind }) => {
    if (kind === "client" || kind === "api") return [key, `${kind}${++count[kind]}`];
    return [key, kind === "server" ? "postern" : kind];
  }));
}

function lineOf({ kind, isBad }: Arrow): string {
  if (kind !== "answer") return "->>";
  return isBad ? "--x" : "-->>";
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
