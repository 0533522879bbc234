/** In a browser, there is no service account: no page has the private key of one. */

import type { Endpoint } from "../../../server/oauth/contracts/feature.ts";

export function redeemsAssertion(usual: Endpoint["handle"]): Endpoint["handle"] {
  return usual;
}
