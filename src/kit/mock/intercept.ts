/** Lets a mock answer for the global `fetch`, and for `node:http`. */

import type { InterceptTerms } from "./network/interceptions.ts";
import type { RunningMock } from "./running_mock.ts";

/** Replaces the global `fetch` for the origins of the mock, its APIs and the providers that it looks like. */
export function intercept(
  { node, onUnhandled }: InterceptTerms,
  mock: RunningMock,
): Disposable {
  const { options, fetching: { fetch }, ports, apis, interceptions, ownOrigins } = mock;
  if (ports.areMoving) throw new Error("Cannot intercept while listen() moves the issuer: await it first");
  const origins = () => new Set([...apis.origins, ...ownOrigins.all]);
  return interceptions.start({
    origins,
    fetch,
    onUnhandled: onUnhandled ?? options.onUnhandled,
    connect: node ? ports.connect : undefined,
  });
}
