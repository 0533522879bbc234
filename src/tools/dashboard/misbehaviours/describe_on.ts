/** Describes a misbehaviour that is on, with its verdict, for the pages. */

import { keepCard } from "../../../kit/examine/card/kept_card.ts";
import { describeRow } from "../../../kit/examine/card_row.ts";
import { describeCall, describeOutcome } from "../../../kit/mock/journal/describe_request.ts";
import type { RecordedRequest } from "../../../kit/mock/journal/recorded_request.ts";
import type { Verdict } from "../../../kit/mock/misbehaving/misbehave.ts";
import type { SwitchedMisbehaviour } from "../../../kit/mock/misbehaving/switched_on.ts";
import type { MisbehaviourName } from "../../../kit/faults/names.ts";
import type { WatchedMisbehaviour } from "./misbehaviour_page.tsx";
import type { OnMisbehaviour } from "./catalogue_page.tsx";
import type { SeenRequest, ShownVerdict } from "./misbehaviour_parts.tsx";
import type { PageCall } from "../page.ts";
import { present } from "../../../ground/values/present.ts";

// More would push the buttons out of the window.
const mostRequests = 12;

export function describeOn(
  { id, terms: { person, ...terms }, misbehaving }: SwitchedMisbehaviour,
  { pathOf }: PageCall,
): OnMisbehaviour {
  const { name, count } = misbehaving;
  const verdict = findVerdict(misbehaving);
  return {
    id,
    name,
    count,
    href: pathOf("misbehaviours", `/${name}`),
    terms: { ...terms, ...present({ person }) },
    ...present({ verdict: verdict && describeVerdict(name, verdict) }),
  };
}

export function describeWatched(switched: SwitchedMisbehaviour, call: PageCall): WatchedMisbehaviour {
  const { misbehaving } = switched;
  const requests = findVerdict(misbehaving)?.requests ?? [];
  return {
    ...describeOn(switched, call),
    isSettled: misbehaving.verdict.outcome !== "pending",
    requests: requests.slice(0, mostRequests).map((request) => describeRequest(request, call)),
  };
}

/** Returns the final verdict, or the one that the requests prove already. */
function findVerdict({ verdict, proven }: SwitchedMisbehaviour["misbehaving"]): Verdict | undefined {
  return verdict.outcome === "pending" ? proven : verdict;
}

/** The reason of a verdict may quote the client, so secrets are removed from it. */
export function describeVerdict(name: MisbehaviourName, verdict: Verdict): ShownVerdict {
  const [row] = keepCard({ phases: [], rows: [describeRow(name, verdict)] }).rows;
  return { outcome: verdict.outcome, because: row!.because };
}

export function describeRequest(
  request: RecordedRequest,
  { pathOf, watched: { index } }: PageCall,
): SeenRequest {
  // The journal does not have the requests to the foreign server of a misbehaviour.
  const isKept = index.find(request.id) !== undefined;
  return {
    endpoint: request.endpoint,
    call: describeCall(request),
    outcome: describeOutcome(request),
    ...present({ href: isKept ? pathOf("inspector", `/${request.id}`) : undefined }),
  };
}
