/** Hides the secrets of a request that a verdict has looked at. */

import type { Seen } from "../../faults/seen.ts";
import { type EndpointName, listEndpointNames } from "../endpoints.ts";
import { type RecordedRequest, recordRequest } from "./recorded_request.ts";
import { remember } from "../../../ground/values/remember.ts";

/** The journal names no endpoint for requests to the other server, so they count as pages. */
export function recordSeen({ endpoint, entry }: Seen): RecordedRequest {
  const known = listEndpointNames().find((each) => each === endpoint);
  return recordRequest(entry, known ?? "page" satisfies EndpointName);
}

const recorded = new WeakMap<readonly Seen[], readonly RecordedRequest[]>();

/** Each run of an examination is compared with the same usual requests. */
export function recordUsual(usual: readonly Seen[]): readonly RecordedRequest[] {
  return remember(recorded, usual, () => usual.map(recordSeen));
}
