/** Waits for the next request of a client or to an endpoint. The error of a timeout lists the other requests. */

import { redactText } from "../../../server/oauth/secrets/redaction.ts";
import { visible } from "../../../ground/values/visible.ts";
import { waitFor } from "../../../server/runtime/real_timer.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { type RecordedRequest, unknownStatus } from "./recorded_request.ts";
import { isInScope, type KeptEntry } from "./request_list.ts";
import { present } from "../../../ground/values/present.ts";

/** Options of `next`. */
export interface NextTerms {
  /** The id of the client. Default: any client. */
  readonly client?: string;
  /** How long to wait, in real time. The mock's clock and fake timers have no influence. Default: 5 seconds. */
  readonly timeout?: Duration;
}

export interface Waiter {
  notify(kept: KeptEntry): void;
  /** Rejects the call. `reason` is a clause for the error, for example "the mock was reset". */
  end(reason: string): void;
}

interface Arrivals {
  readonly kept: readonly KeptEntry[];
  readonly waiters: Set<Waiter>;
  /** The reason why no more requests can arrive, as a clause. `undefined`: requests can arrive. */
  readonly closedBecause: string | undefined;
}

// deno-lint-ignore require-await -- an async function, so that wrong terms reject instead of throwing
export async function waitForNext(
  endpoint: EndpointName | undefined,
  terms: NextTerms,
  { kept, waiters, closedBecause }: Arrivals,
): Promise<RecordedRequest> {
  const seconds = requireOptions(endpoint, terms);
  const { client } = terms;
  const wanted = describeWanted(endpoint, client);
  if (closedBecause !== undefined) throw new Error(`Cannot wait for a ${wanted}: ${closedBecause}`);
  const isWanted = (each: KeptEntry) =>
    (endpoint === undefined || each.endpoint === endpoint) &&
    isInScope(each, present({ client }));
  const earlier = kept.filter(isWanted).length;
  const others: KeptEntry[] = [];
  let otherCount = 0;
  const createError = (reason: string) => new Error(`No ${wanted} came: ${reason}`);
  const createLate = () =>
    createError(`${seconds} seconds are over. ${describeMeanwhile(others, otherCount, earlier)}`);
  return waitFor({ seconds, createLate }, ({ resolve, reject }) => {
    const waiter: Waiter = {
      notify(found) {
        if (isWanted(found)) return resolve(found.read());
        otherCount++;
        others.push(found);
        if (others.length > maxNamed) others.shift();
      },
      end: (reason) => reject(createError(reason)),
    };
    waiters.add(waiter);
    return () => waiters.delete(waiter);
  });
}

function requireOptions(endpoint: unknown, terms: NextTerms): number {
  if (endpoint !== undefined) requireEndpoint(endpoint, "wait for a request to");
  requireTerms("wait for a request", terms, types.NextTerms);
  return requireNotNegative(terms.timeout ?? 5, "wait for a request");
}

function describeWanted(endpoint: EndpointName | undefined, client: string | undefined): string {
  const to = endpoint === undefined ? "" : ` to "${endpoint}"`;
  return `request${to}${client === undefined ? "" : ` of the client ${describeValue(client)}`}`;
}

const maxNamed = 5;

/** Describes the requests that arrived while the caller waited. `latest` are the last of `otherCount` requests. */
function describeMeanwhile(latest: readonly KeptEntry[], otherCount: number, earlier: number): string {
  const named = latest.map(describeRequest).join(", ");
  const came = otherCount === 0
    ? "No other request came either. Check that the client uses this issuer"
    : otherCount > latest.length
    ? `${otherCount} other requests came, the last ones ${named}.`
    : `Other requests came: ${named}.`;
  if (earlier === 0) return came;
  return `${came} Such requests before this call: ${earlier}. next() waits for a later request. The latest earlier ` +
    "request is `last`";
}

function describeRequest({ entry: { request, response, facts } }: KeptEntry): string {
  const outcome = response.status === unknownStatus ? "accepted" : response.status;
  const line = visible(`${request.method} ${redactText(request.path).slice(0, 100)} ${outcome}`);
  return facts.clientId === undefined ? line : `${line} (client ${describeValue(facts.clientId)})`;
}
