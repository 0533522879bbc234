/** Servers side by side, one for each name that requests use: `/default/token`, `/other/token`. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { PathProfile } from "../../../server/oauth/contracts/paths.ts";
import type { BegunIssuers } from "../../../kit/mock/begun_issuers.ts";
import {
  findIssuerName,
  listDemoResourceNames,
  listReservedNames,
  segmentBelow,
  withoutWellKnown,
} from "../../../kit/mock/find_issuer_name.ts";
import type { AnsweringServer } from "./answering_server.ts";
import { isOwnHost } from "../../../server/oauth/requests/server_urls.ts";

interface IssuersOptions {
  /** The first issuer. It also answers the requests that name no issuer. */
  readonly issuer: string;
  /** The other names of the servers. */
  readonly also: readonly string[];
  readonly profile: PathProfile;
  /** The issuers that requests have begun. A later server over the same store continues with them. */
  readonly begun: BegunIssuers;
  /** The path of the demo resource. Issuers must not hide it. */
  readonly demoResource: string | undefined;
  /** The issuer calls `noteRecord` with the lifetime of each record but its keys. */
  readonly create: (issuer: string, name: string, noteRecord: (lifetime: number) => void) => AnsweringServer;
  /** Called when an issuer without records has ended. */
  readonly onEnd: (issuer: string) => void;
}

/** Creates the first server now, and another one at the first request to an endpoint of its issuer. */
export function createIssuers(
  { issuer, also, profile, begun, demoResource, create, onEnd }: IssuersOptions,
): AnsweringServer {
  const { origin, host: issuerHost, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const firstName = path.slice(parent.length + 1);
  const first = create(issuer, firstName, () => {});
  const servers = new Map<string, AnsweringServer>([[firstName, first]]);
  const endings = new Set<Promise<void>>();
  // Without a path, the first issuer has its own paths where the other issuers have their names.
  const reserved = [
    ...(path === "" ? listReservedNames(profile) : []),
    ...listDemoResourceNames(parent, demoResource),
  ];

  function start(name: string): AnsweringServer {
    const server = create(urlOf(name), name, (lifetime) => begun.noteRecord(name, lifetime));
    servers.set(name, server);
    return server;
  }

  function urlOf(name: string): string {
    return `${origin}${parent}/${name}`;
  }

  /** Ends an issuer without records. That loses nothing: the keys stay in the store, and a request begins it again. */
  function end(name: string): void {
    const server = servers.get(name);
    servers.delete(name);
    // Its running requests go on to their end.
    const ending = Promise.resolve(server?.close()).finally(() => {
      endings.delete(ending);
      if (!begun.has(name)) onEnd(urlOf(name));
    });
    endings.add(ending);
  }

  function find(request: IncomingRequest): Pick<AnsweringServer, "answer"> {
    const { path: requested } = request.address;
    const segment = segmentBelow(parent, withoutWellKnown(requested)) ?? "";
    const running = servers.get(segment);
    if (running !== undefined) return running;
    const name = begun.has(segment) ? segment : findIssuerName(requested, parent, profile);
    const isOwn = isOwnHost(request.address, { issuerHost, also });
    if (name === undefined || reserved.includes(name) || !isOwn) return first;
    const refusal = begun.has(name) ? undefined : begun.begin(name, request, { end });
    return refusal === undefined ? start(name) : { answer: () => Promise.resolve(refusal) };
  }

  return {
    answer: (request) => find(request).answer(request),
    async close() {
      await Promise.all([...[...servers.values()].map((server) => server.close()), ...endings]);
    },
  };
}
