/** Waits for the next request of a client or to an endpoint, and says in an error what came instead. */

import { redactText } from "../../oauth/redaction.ts";
import { visible } from "../../pages/visible.ts";
import { waitFor } from "../../runtime/waiting.ts";
import { describeValue } from "../../schema/received.ts";
import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import { type Duration, requireNotNegative } from "../terms/duration.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import type { RecordedRequest } from "./recorded_request.ts";
import { isInScope, type KeptEntry } from "./request_list.ts";

/** Which request is awaited, and for how long. */
export interface NextTerms {
  readonly client?: string;
  /** Of real time, independent of the test's clocks. Default: 5 seconds. */
  readonly timeout?: Duration;
}

/** A caller that waits for a request. */
export interface Waiter {
  hear(kept: KeptEntry): void;
  /** The reason continues a sentence: "the mock was reset". */
  end(reason: string): void;
}

/** The entries so far, and the callers that wait for the next ones. */
export interface Arrivals {
  readonly kept: readonly KeptEntry[];
  readonly waiters: Set<Waiter>;
  /** Why no more requests will come. */
  readonly closedBecause: string | undefined;
}

const nextTerms = termsOf<NextTerms>({ client: true, timeout: true });

// deno-lint-ignore require-await -- wrong terms are a rejection, too
export async function waitForNext(
  endpoint: EndpointName | undefined,
  terms: NextTerms,
  { kept, waiters, closedBecause }: Arrivals,
): Promise<RecordedRequest> {
  const seconds = requireTerms(endpoint, terms);
  const { client } = terms;
  const wanted = describeWanted(endpoint, client);
  if (closedBecause !== undefined) throw new Error(`Cannot wait for a ${wanted}: ${closedBecause}`);
  const isWanted = (each: KeptEntry) =>
    (endpoint === undefined || each.endpoint === endpoint) &&
    isInScope(each, client === undefined ? {} : { client });
  const earlier = kept.filter(isWanted).length;
  const others: KeptEntry[] = [];
  let passed = 0;
  const createError = (reason: string) => new Error(`No ${wanted} came: ${reason}`);
  const createLate = () =>
    createError(`${seconds} seconds are over. ${describeMeanwhile(others, passed, earlier)}`);
  return waitFor({ seconds, createLate }, ({ resolve, reject }) => {
    const waiter: Waiter = {
      hear(found) {
        if (isWanted(found)) return resolve(found.read());
        passed++;
        others.push(found);
        if (others.length > mostNamed) others.shift();
      },
      end: (reason) => reject(createError(reason)),
    };
    waiters.add(waiter);
    return () => waiters.delete(waiter);
  });
}

/** Returns how many seconds to wait. */
function requireTerms(endpoint: unknown, terms: NextTerms): number {
  if (endpoint !== undefined) requireEndpoint(endpoint, "wait for a request to");
  requireKnownTerms("wait for a request", terms, nextTerms);
  return requireNotNegative(terms.timeout ?? 5, "wait for a request");
}

function describeWanted(endpoint: EndpointName | undefined, client: string | undefined): string {
  const to = endpoint === undefined ? "" : ` to "${endpoint}"`;
  return `request${to}${client === undefined ? "" : ` of the client ${describeValue(client)}`}`;
}

const mostNamed = 5;

/** `latest` are the last ones of those that passed. */
function describeMeanwhile(latest: readonly KeptEntry[], passed: number, earlier: number): string {
  const named = latest.map(describeRequest).join(", ");
  const came = passed === 0
    ? "No other request came either: is the client configured with this issuer?"
    : passed > latest.length
    ? `${passed} other requests came, the last ones ${named}.`
    : `Other requests came: ${named}.`;
  if (earlier === 0) return came;
  return `${came} Such requests before this call: ${earlier}. next() waits for one after it; the latest one before ` +
    "it is `last`";
}

function describeRequest({ entry: { request, response, facts } }: KeptEntry): string {
  const line = visible(`${request.method} ${redactText(request.path).slice(0, 100)} ${response.status}`);
  return facts.clientId === undefined ? line : `${line} (client ${describeValue(facts.clientId)})`;
}
