/** The nonce of an authorization request, which the ID token repeats (OpenID Connect Core §3.1.2.1). */

import type { CarriedKey } from "../carried.ts";

export const nonceKey: CarriedKey<string> = { name: "nonce" };
