/** Servers side by side, one for each name that requests use: `/default/token`, `/other/token`. */

import type { PathProfile } from "../oauth/endpoints/paths.ts";
import { findIssuerName } from "../server/find_issuer_name.ts";
import type { AnsweringServer } from "./replaceable_server.ts";

export interface IssuersTerms {
  /** The first issuer. It also answers the requests that name no issuer. */
  readonly issuer: string;
  readonly profile: PathProfile;
  /** The names of issuers that requests have used. A later server over the same store continues with them. */
  readonly names: Set<string>;
  readonly create: (issuer: string, name: string) => AnsweringServer;
}

// A web page could otherwise fill the memory.
const mostIssuers = 100;

/** Creates the first server now, and another one at the first request to an endpoint of its issuer. */
export function createIssuers({ issuer, profile, names, create }: IssuersTerms): AnsweringServer {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const firstName = path.slice(parent.length + 1);
  const first = create(issuer, firstName);
  const servers = new Map<string, AnsweringServer>([[firstName, first]]);

  function find(requested: string): AnsweringServer {
    const below = requested.replace(/^\/\.well-known\/[^/]*/, "");
    const [, segment = ""] = below.startsWith(`${parent}/`) ? below.slice(parent.length).split("/") : [];
    const known = servers.get(segment);
    if (known !== undefined) return known;
    const name = names.has(segment) ? segment : findIssuerName(requested, parent, profile);
    if (name === undefined || servers.size >= mostIssuers) return first;
    const server = create(`${origin}${parent}/${name}`, name);
    servers.set(name, server);
    names.add(name);
    return server;
  }

  return {
    answer: (request) => find(request.address.path).answer(request),
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}
