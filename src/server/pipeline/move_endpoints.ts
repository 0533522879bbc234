/** Moves the endpoints from the usual paths to those of a profile, and the metadata to where its option says. */

import { fixedPath } from "../../ground/http/router.ts";
import type { Endpoint, Slots } from "../oauth/contracts/feature.ts";
import {
  type MetadataAddresses,
  type MetadataForm,
  metadataPaths,
  type PathProfile,
  type Paths,
  paths,
  usualPaths,
  usualProfile,
} from "../oauth/contracts/paths.ts";

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
    endpoints: [...slots.endpoints.map(move), ...repeatHealth(slots, profile)],
    requestKinds: new Map([...slots.requestKinds].map(([name, kind]) => [name, move(kind)])),
  };
}

/** Returns the health check once more, at the path of the profile. */
function repeatHealth({ endpoints }: Slots, { healthPath }: PathProfile): readonly Endpoint[] {
  return healthPath === undefined ? [] : endpoints
    .filter(({ path }) => path === paths.health)
    .map((endpoint): Endpoint => ({ ...endpoint, path: healthPath, atOrigin: true }));
}

/** Places the metadata where the option `metadata` says: replaces the endpoints of the documents that `addresses` names. */
export function placeMetadata(slots: Slots, addresses: MetadataAddresses): Slots {
  let { endpoints } = slots;
  for (const [name, path] of Object.entries(metadataPaths)) {
    const form = addresses[name as keyof MetadataAddresses];
    const known = endpoints.find((endpoint) => endpoint.path === path);
    if (form === undefined || known === undefined) continue;
    endpoints = [...endpoints.filter((endpoint) => endpoint.path !== path), ...createForms(known, form)];
  }
  return { ...slots, endpoints };
}

function createForms({ wellKnown: _, ...endpoint }: Endpoint, form: MetadataForm): readonly Endpoint[] {
  return [
    ...(form === "both" || form === "inserted" ? [{ ...endpoint, wellKnown: true as const }] : []),
    ...(form === "both" || form === "appended" ? [endpoint] : []),
  ];
}
