/** Prepares the end of a listener, so that a load balancer loses no request. */

import type { IsRefused, Listener, Requests } from "./listener.ts";
import { startRealTimer } from "./real_timer.ts";

export interface DrainTerms {
  /** The least time in seconds, in which a platform learns to send its requests elsewhere. */
  readonly seconds: number;
  /** Whether a request gets 503 meanwhile, because it asks whether the server is ready. */
  readonly isRefused: IsRefused;
}

// All in seconds.
const step = 0.02;
// A load balancer under load uses each of its connections within this time.
const turnover = 1;
const quiet = 0.1;
const longestHold = 0.5;

/**
 * Goes on answering for the given time, and then until no connection is open or `turnover` is over. Each answer closes its
 * connection. If the server closed idle connections instead, a client might be sending its next request on one.
 *
 * Then holds the requests that arrive, until `requests.release()`. The system resets connections that arrive while the
 * port closes. Clients that wait for their answers open no more connections, so the port can close after a quiet time.
 */
export async function drain(
  listeners: readonly Listener[],
  requests: Requests,
  { seconds, isRefused }: DrainTerms,
): Promise<void> {
  requests.announceEnd(isRefused);
  const isEmpty = async () =>
    (await Promise.all(listeners.map((each) => each.countConnections()))).every((count) => count === 0);
  await pause(seconds);
  for (let waited = seconds; waited < turnover && !await isEmpty(); waited += step) await pause(step);

  requests.hold();
  let count = -1;
  for (let waited = 0; waited < longestHold && count !== requests.countHeld(); waited += quiet) {
    count = requests.countHeld();
    await pause(quiet);
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => void startRealTimer(seconds, resolve));
}
