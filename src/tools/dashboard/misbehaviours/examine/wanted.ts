/** Which misbehaviours a person wants to try. The page offers those that a login in a browser reaches. */

import { catalogue } from "../../../../kit/faults/catalogue.ts";
import { type Level, levels } from "../../../../kit/faults/misbehaviour.ts";
import {
  type Area,
  areaOf,
  areas,
  type MisbehaviourName,
  serverMisbehaviours,
} from "../../../../kit/faults/names.ts";
import type { RecordedRequest } from "../../../../kit/mock/journal/recorded_request.ts";

export interface Wanted {
  readonly levels: readonly Level[];
  readonly areas: readonly Area[];
}

/** The page does not see in which browser the person is. */
const ofLogin: readonly MisbehaviourName[] = serverMisbehaviours.filter((name) => {
  const { phase, isBegunElsewhere } = catalogue.get(name)!;
  return phase === "login" && isBegunElsewhere === undefined;
});

/** Applications read these at their start, and may not read them again at a login. */
export const readAtStart: ReadonlySet<Area> = new Set(["metadata", "keys"]);

export const loginAreas: readonly Area[] = areas.filter((area) =>
  ofLogin.some((name) => areaOf(name) === area)
);

export const defaultWanted: Wanted = { levels: ["must", "should"], areas: loginAreas };

/** The strongest level first. Those for which the application may have to start again are the last of their level. */
export function listOffered(wanted: Wanted): readonly MisbehaviourName[] {
  return levels.filter((level) => wanted.levels.includes(level)).flatMap((level) => {
    const names = ofLogin.filter((name) =>
      catalogue.get(name)!.level === level && wanted.areas.includes(areaOf(name))
    );
    const isLate = (name: MisbehaviourName) => readAtStart.has(areaOf(name));
    return [...names.filter((name) => !isLate(name)), ...names.filter(isLate)];
  });
}

export function countOffered(area: Area): number {
  return ofLogin.filter((name) => areaOf(name) === area).length;
}

const isAt = (endpoint: RecordedRequest["endpoint"]) => (request: RecordedRequest) =>
  request.endpoint === endpoint;

/** The requests of the areas that not every login uses. */
const signs: { readonly [A in Area]?: (request: RecordedRequest) => boolean } = {
  id_token: ({ endpoint, answer }) => endpoint === "token" && answer?.["id_token"] !== undefined,
  access_token: isAt("resource"),
  userinfo: isAt("userinfo"),
  introspection: isAt("introspect"),
  revocation: isAt("revoke"),
  logout: isAt("logout"),
  registration: isAt("register"),
  client_document: ({ clientId = "" }) => /^https?:/.test(clientId),
  pushed_request: isAt("par"),
  device: isAt("device_authorization"),
  dpop: ({ provenKey }) => provenKey !== undefined,
  resource: isAt("resource"),
};

/** Finds the areas that a login uses, so that the page offers nothing that the login cannot reach. */
export function findUsedAreas(requests: readonly RecordedRequest[]): ReadonlySet<Area> {
  return new Set(areas.filter((area) => {
    const sign = signs[area];
    return sign === undefined || requests.some(sign);
  }));
}
