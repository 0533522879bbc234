/** The origins of which every request is for a mock. Its `fetch`, its dispatcher and its interceptions ask here. */

import type { OwnOrigins } from "./network/fetch.ts";
import type { RunningMock } from "./running_mock.ts";
import { listOpen } from "./tenants.ts";

export function createOwnOrigins(find: () => RunningMock): OwnOrigins {
  const listUsual = ({ issuer, options }: RunningMock) => [issuer.place.origin, ...options.also ?? []];
  return {
    has: (origin) =>
      listUsual(find()).includes(origin) || find().providerAt(origin) !== undefined ||
      listOtherPorts(find()).includes(origin),
    get all() {
      const mock = find();
      return [...listUsual(mock), ...listOtherPorts(mock), ...mock.shared.claimedHosts.origins];
    },
  };
}

function listOtherPorts(mock: RunningMock): readonly string[] {
  return listOpen(mock).flatMap(({ services: { settings: { otherPort } } }) =>
    otherPort === undefined ? [] : [...otherPort.urls.values()].map((url) => new URL(url).origin)
  );
}
