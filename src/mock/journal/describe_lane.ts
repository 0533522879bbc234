/** Describes the requests of a lane in short: whose they are, and how they went. */

import { outcomeOf } from "../../oauth/journal.ts";
import { redactTexts } from "../../oauth/redaction.ts";
import type { Lane } from "../../pages/inspector/exchange_props.ts";
import type { RequestOutcome } from "../../schema/request_outcome.ts";
import { flowOf } from "./exchange_parts.ts";
import type { LaneEntries } from "./lanes.ts";
import { present } from "../../present.ts";

export function describeLane({ entries }: Pick<LaneEntries, "entries">): Lane {
  const count = (outcome: RequestOutcome) =>
    entries.filter(({ entry }) => outcomeOf(entry) === outcome).length;
  return redactTexts({
    ...present({
      flow: entries[0] && flowOf(entries[0]),
      client: entries.find(({ entry }) => entry.facts.clientId !== undefined)?.entry.facts.clientId,
      person: entries.findLast(({ entry }) => entry.facts.subject !== undefined)?.entry.facts.subject,
    }),
    count: entries.length,
    refused: count("refused"),
    failed: count("failed"),
  });
}
