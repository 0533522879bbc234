/** The claim `acr`: the authentication context class that the client asked for (OpenID Connect Core §2, §5.5.1.1). */

import { type CarriedKey, type Carrier, readCarried } from "../carried.ts";
import { requestedClaimsKey } from "./claims.ts";

/** The first supported value of the parameter `acr_values`. */
export const acrKey: CarriedKey<string> = { name: "acr_values" };

/** Returns the value from the parameter `claims`, or else the value from `acr_values`. */
export function acrOf(carrier: Carrier): string | undefined {
  return readCarried(carrier, requestedClaimsKey)?.acr ?? readCarried(carrier, acrKey);
}
