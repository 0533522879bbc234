/** Moves the endpoints of all features from the usual paths to the paths of a profile. */

import { fixedPath } from "./http/router.ts";
import type { Endpoint, Slots } from "./oauth/feature.ts";
import { type PathProfile, type Paths, paths, usualPaths, usualProfile } from "./oauth/paths.ts";

export function moveEndpoints(slots: Slots, profile: PathProfile): Slots {
  if (profile === usualProfile) return slots;
  const moved = new Map<string, string>(
    Object.entries(usualPaths).map(([name, path]) => [path, profile.paths[name as keyof Paths]]),
  );
  const move = <Place extends { readonly path: string }>(place: Place): Place => {
    // A path with a variable moves with the path before the variable.
    const fixed = fixedPath(place.path);
    return { ...place, path: (moved.get(fixed) ?? fixed) + place.path.slice(fixed.length) };
  };
  return {
    ...slots,
    endpoints: [...slots.endpoints.map(move), ...appendEndpoints(slots, profile)],
    requestKinds: new Map([...slots.requestKinds].map(([name, kind]) => [name, move(kind)])),
  };
}

/** Returns copies of endpoints for their further paths. */
function appendEndpoints(
  { endpoints }: Slots,
  { appended = [], healthPath }: PathProfile,
): readonly Endpoint[] {
  const afterIssuer = endpoints
    .filter(({ path, wellKnown }) => wellKnown && appended.includes(path))
    .map(({ wellKnown: _, ...endpoint }) => endpoint);
  const health = healthPath === undefined ? [] : endpoints
    .filter(({ path }) => path === paths.health)
    .map((endpoint): Endpoint => ({ ...endpoint, path: healthPath, atOrigin: true }));
  return [...afterIssuer, ...health];
}
