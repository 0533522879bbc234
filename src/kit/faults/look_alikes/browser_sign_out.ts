/** The address at which a provider signs a browser out at once. No standard has it: libraries send the browser there. */

import type { Endpoint } from "../../../server/oauth/contracts/feature.ts";
import { findAccounts } from "../../../server/oauth/people/find_session.ts";
import { endSignIns } from "../../../server/oauth/people/sign_out.ts";
import type { ProviderEndpoint, Source } from "./look_alike.ts";

export function signsBrowserOut(url: string, source: Source): ProviderEndpoint {
  return { url, is: "logout", source, isUnannounced: true, wraps: signOutFirst };
}

/** The usual page then has no person left to ask. */
function signOutFirst(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    const accounts = await findAccounts(exchange, services);
    // RFC 9110 §9.2.1: HEAD must not change anything.
    const ending = exchange.request.method === "HEAD" ? [] : accounts.map(({ session }) => session);
    await endSignIns(ending, exchange, services);
    return await usual(exchange, services, variable);
  };
}
