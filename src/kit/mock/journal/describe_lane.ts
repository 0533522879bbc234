/** Describes the requests of a lane in short: whose they are, and how they went. */

import { outcomeOf } from "../../../server/oauth/journal.ts";
import { redactTexts } from "../../../server/oauth/redaction.ts";
import type { Lane } from "../../timeline/exchange_props.ts";
import type { RequestOutcome } from "../../../server/schema/request_outcome.ts";
import { flowOf } from "./exchange_parts.ts";
import type { LaneEntries } from "./lanes.ts";
import { present } from "../../../server/values/present.ts";

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
