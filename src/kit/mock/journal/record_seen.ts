/** Hides the secrets of a request that a verdict has looked at, and reads such a request again. */

import { type Seen, toSeen } from "../../faults/seen.ts";
import { type EndpointName, listEndpointNames } from "../endpoints.ts";
import { type RecordedRequest, recordRequest } from "./recorded_request.ts";
import { remember } from "../../../ground/values/remember.ts";

const recorded = new WeakMap<Seen, RecordedRequest>();

/**
 * The journal names no endpoint for requests to the other server, so they count as pages. Several verdicts look at the same
 * request, and each run of an examination is compared with the same usual ones.
 */
export function recordSeen(seen: Seen): RecordedRequest {
  return remember(recorded, seen, () => recordRequest(seen.entry, findEndpoint(seen)));
}

const read = new WeakMap<RecordedRequest, Seen>();

/** Returns what a verdict looks at in a recorded request. */
export function readSeen(request: RecordedRequest): Seen {
  return remember(read, request, () => toSeen(request.raw(), request.endpoint));
}

function findEndpoint({ endpoint }: Seen): EndpointName {
  return listEndpointNames().find((each) => each === endpoint) ?? "page";
}
