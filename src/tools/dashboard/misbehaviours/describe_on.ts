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
import { describeRequests } from "../frame/list_recent.ts";
import type { RecentRequests } from "../frame/frame_props.ts";
import { present } from "../../../ground/values/present.ts";

// The inspector has all.
const mostRequests = 3;

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
  return {
    ...describeOn(switched, call),
    isSettled: misbehaving.verdict.outcome !== "pending",
  };
}

/** Lists the first requests that show the verdicts, if the journal has them. */
export function listEvidence(switched: readonly SwitchedMisbehaviour[], call: PageCall): RecentRequests {
  const requests = switched.flatMap(({ misbehaving }) => findVerdict(misbehaving)?.requests ?? []);
  const kept = new Set(requests.flatMap(({ id }) => call.watched.index.find(id) ?? []));
  return describeRequests([...kept].slice(0, mostRequests), call);
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
