/** The URLs of the endpoints that the metadata announces. */

import { fixedPath } from "../http/router.ts";
import type { Services } from "./services.ts";

/** Returns the URLs of the announced endpoints, by their names in the metadata. */
export function endpointUrls({ settings, slots }: Services): ReadonlyMap<string, string> {
  return new Map(
    slots.endpoints.flatMap(({ metadataName: name, path }) =>
      name === undefined ? [] : [[name, settings.baseUrl + fixedPath(path)]]
    ),
  );
}
