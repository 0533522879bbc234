/** Remembers the parameters of authorization requests, for misbehaviours that concern only clients which sent one. */

import type { ActContext, Acts } from "./misbehaviour.ts";

/** `find` returns a parameter of the last authorization request of the client for whom the server creates a token. */
export function watchAuthorizationRequests(): {
  readonly acts: Acts;
  find(name: string, at: ActContext): string | undefined;
} {
  const byClient = new Map<string, URLSearchParams>();
  return {
    acts: {
      async arrival(value, { endpoint, exchange }) {
        if (endpoint !== "authorize" && endpoint !== "par") return value;
        const { method, address } = exchange.request;
        const params = new URLSearchParams(method === "POST" ? await exchange.body() : address.query);
        const client = params.get("client_id");
        // After a pushed request, the browser sends only its request_uri.
        if (client !== null && !params.has("request_uri")) byClient.set(client, params);
        return value;
      },
    },
    find: (name, { grant }) => byClient.get(grant?.clientId ?? "")?.get(name) ?? undefined,
  };
}
