/** The URLs of the endpoints that the metadata announces. */

import { fixedPath } from "../http/router.ts";
import type { Services } from "./services.ts";

/**
 * Returns the URLs of the announced endpoints, by their names in the metadata. Those that programs call begin with
 * `programUrl`, and those with pages with the issuer.
 */
export function endpointUrls(
  { settings: { baseUrl }, slots }: Services,
  programUrl: string = baseUrl,
): ReadonlyMap<string, string> {
  return new Map(
    slots.endpoints.flatMap(({ metadataName: name, path, refusal }) =>
      name === undefined ? [] : [[name, (refusal === "page" ? baseUrl : programUrl) + fixedPath(path)]]
    ),
  );
}
