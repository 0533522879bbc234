/** Places the documents of the metadata at their configured addresses. */

import type { Endpoint, Slots } from "./oauth/feature.ts";
import { type MetadataAddresses, type MetadataForm, metadataPaths } from "./oauth/paths.ts";

/** Replaces the endpoints of the documents that `addresses` names. */
export function placeMetadata(slots: Slots, addresses: MetadataAddresses | undefined): Slots {
  let { endpoints } = slots;
  for (const [name, path] of Object.entries(metadataPaths)) {
    const form = addresses?.[name as keyof MetadataAddresses];
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
