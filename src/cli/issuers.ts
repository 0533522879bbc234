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
  /** The issuers that requests have begun, by name. A later server over the same store continues with them. */
  readonly known: Map<string, KnownIssuer>;
  /** The path of the demo resource. Issuers must not hide it. */
  readonly demoResource: string | undefined;
  /** The issuer calls `noteRecord` when it stores anything but its keys. */
  readonly create: (issuer: string, name: string, noteRecord: () => void) => AnsweringServer;
  /** Called when an issuer without records has ended. */
  readonly onEnd: (issuer: string) => void;
  /** The time in seconds. */
  readonly now: () => number;
}

export interface KnownIssuer {
  readonly begunAt: number;
  readonly hasRecords: boolean;
}

// In seconds. If there are as many issuers as possible, one without records makes room after the shorter time.
const longestUnused = 3600;
const shortestUnused = 600;

/** Creates the first server now, and another one at the first request to an endpoint of its issuer. */
export function createIssuers(
  { issuer, profile, known, demoResource, create, onEnd, now }: IssuersTerms,
): AnsweringServer {
  const { origin, host, pathname } = new URL(issuer);
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

  function begin(name: string): AnsweringServer {
    known.set(name, known.get(name) ?? { begunAt: now(), hasRecords: false });
    const server = create(
      urlOf(name),
      name,
      () => void known.set(name, { begunAt: now(), ...known.get(name), hasRecords: true }),
    );
    servers.set(name, server);
    return server;
  }

  function urlOf(name: string): string {
    return `${origin}${parent}/${name}`;
  }

  /** Ends issuers that have no records. That loses nothing: the keys stay in the store, and a request begins it again. */
  function endUnused(time: number, most: number): void {
    const unused = [...known].filter(([, { begunAt, hasRecords }]) => !hasRecords && begunAt + time <= now());
    for (const [name] of unused.slice(0, most)) {
      const server = servers.get(name);
      known.delete(name);
      servers.delete(name);
      // Its running requests go on to their end.
      const ending = Promise.resolve(server?.close()).finally(() => {
        endings.delete(ending);
        if (!known.has(name)) onEnd(urlOf(name));
      });
      endings.add(ending);
    }
  }

  /** Returns the seconds until an issuer without records makes room. */
  function secondsToWait(): number {
    const unused = [...known.values()].filter(({ hasRecords }) => !hasRecords);
    const first = Math.min(...unused.map(({ begunAt }) => begunAt + shortestUnused));
    return Math.max(1, Math.ceil(Math.min(first - now(), shortestUnused)));
  }

  function find(request: IncomingRequest): AnsweringServer {
    const { path: requested } = request.address;
    const below = requested.replace(/^\/\.well-known\/[^/]*/, "");
    const segment = segmentBelow(parent, below) ?? "";
    const running = servers.get(segment);
    if (running !== undefined) return running;
    const name = known.has(segment) ? segment : findIssuerName(requested, parent, profile);
    if (name === undefined || reserved.includes(name) || !isOwnHost(request.address, host)) return first;
    if (known.has(name)) return begin(name);
    endUnused(longestUnused, Infinity);
    const isFull = () => known.size + 1 >= mostIssuersBefore(request);
    if (isFull()) endUnused(shortestUnused, 1);
    return isFull() ? refuseFull(secondsToWait()) : begin(name);
  }

  return {
    answer: (request) => find(request).answer(request),
    async close() {
      await Promise.all([...[...servers.values()].map((server) => server.close()), ...endings]);
    },
  };
}

/** Answers for an issuer that the server does not create. */
function refuseFull(secondsToWait: number): AnsweringServer {
  const description = `The server has as many issuers as requests can create: ${mostIssuers}, ` +
    `and pages of other sites ${
      mostIssuers / 2
    }. Use the names of other issuers again, or wait ${secondsToWait} s`;
  return {
    answer: () =>
      Promise.resolve(json(
        { error: "temporarily_unavailable", error_description: description },
        { status: 503, headers: { "retry-after": String(secondsToWait) } },
      )),
    close: () => Promise.resolve(),
  };
}
