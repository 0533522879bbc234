/** The records in the file of a snapshot. */

import type { Schema } from "../../../src/ground/schema/schema.ts";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { describeRecords } from "../../../src/tools/cli/start/snapshot_records.ts";
import { test } from "../../runner.ts";
import { assertKept } from "./assert_kept.ts";

test("snapshot: the schema of each kind of record", () => {
  const { items } = describeRecords(gatherSlots(defaultFeatures(everyFeature)));
  const schemas = (items as Schema).anyOf!.map(({ properties }) => JSON.stringify(properties));
  return assertKept(
    "snapshot_records",
    (kind) => schemas.find((text) => text.startsWith(`{"kind":{"const":"${kind}"`))!,
  );
});
