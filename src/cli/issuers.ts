/** Servers side by side, one for each name that requests use: `/default/token`, `/other/token`. */

import type { IncomingRequest } from "../http/message.ts";
import { json } from "../http/respond.ts";
import { isOwnHost } from "../oauth/endpoints/find_endpoint.ts";
import type { PathProfile } from "../oauth/endpoints/paths.ts";
import {
  findIssuerName,
  listDemoResourceNames,
  listReservedNames,
  mostIssuers,
  mostIssuersBefore,
  segmentBelow,
} from "../server/find_issuer_name.ts";
import type { AnsweringServer } from "./replaceable_server.ts";

export interface IssuersTerms {
  /** The first issuer. It also answers the requests that name no issuer. */
  readonly issuer: string;
  readonly profile: PathProfile;
  /** The names of issuers that requests have used. A later server over the same store continues with them. */
  readonly names: Set<string>;
  /** The path of the demo resource. Issuers must not hide it. */
  readonly demoResource: string | undefined;
  readonly create: (issuer: string, name: string) => AnsweringServer;
}

/** Creates the first server now, and another one at the first request to an endpoint of its issuer. */
export function createIssuers(
  { issuer, profile, names, demoResource, create }: IssuersTerms,
): AnsweringServer {
  const { origin, host, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const firstName = path.slice(parent.length + 1);
  const first = create(issuer, firstName);
  const servers = new Map<string, AnsweringServer>([[firstName, first]]);
  // Without a path, the first issuer has its own paths where the other issuers have their names.
  const reserved = [
    ...(path === "" ? listReservedNames(profile) : []),
    ...listDemoResourceNames(parent, demoResource),
  ];

  function find(request: IncomingRequest): AnsweringServer {
    const { path: requested } = request.address;
    const below = requested.replace(/^\/\.well-known\/[^/]*/, "");
    const segment = segmentBelow(parent, below) ?? "";
    const known = servers.get(segment);
    if (known !== undefined) return known;
    const name = names.has(segment) ? segment : findIssuerName(requested, parent, profile);
    if (name === undefined || reserved.includes(name) || !isOwnHost(request.address, host)) return first;
    if (!names.has(name) && names.size + 1 >= mostIssuersBefore(request)) return full;
    const server = create(`${origin}${parent}/${name}`, name);
    servers.set(name, server);
    names.add(name);
    return server;
  }

  return {
    answer: (request) => find(request).answer(request),
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}

/** Answers for the issuers that the server does not create. */
const full: AnsweringServer = {
  answer: () =>
    Promise.resolve(json({
      error: "temporarily_unavailable",
      error_description: `The server has as many issuers as requests can create: ${mostIssuers}, ` +
        `and pages of other sites ${
          mostIssuers / 2
        }. Restart the server, or use the names of other issuers again`,
    }, { status: 503 })),
  close: () => Promise.resolve(),
};
