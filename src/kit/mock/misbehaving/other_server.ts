/**
 * The other server of a mock, which no client may trust. Misbehaviours and forged tokens send clients there. In journals, its
 * endpoint is `decoy`.
 */

import { type Address, namesThisMachine } from "../../../ground/http/address.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { findSimilarOrigins, foreignPath, foreignPort, privateServers } from "../../faults/names.ts";
import { loadEntries } from "./load_entries.ts";

export interface OtherServer {
  readonly url: string;
  readonly origins: readonly string[];
  readonly isOn: boolean;
  owns(address: Pick<Address, "origin" | "path">): boolean;
  answer(request: IncomingRequest): Promise<Answer>;
}

interface OtherServerOptions {
  readonly issuerOrigin: () => string;
  /** Whether a client or an API may have been sent to the other server. */
  readonly isOn: () => boolean;
  readonly services: () => Services;
  readonly note: (entry: JournalEntry) => void;
}

const answerAsOtherServer = lazy(async () => (await loadEntries()).answerAsOtherServer);

export function createOtherServer({ issuerOrigin, isOn, services, note }: OtherServerOptions): OtherServer {
  let located: Place | undefined;
  const locate = () => {
    const origin = issuerOrigin();
    if (located?.issuerOrigin !== origin) located = findPlace(origin);
    return located;
  };
  return {
    get url() {
      return locateOtherServer(issuerOrigin());
    },
    get origins() {
      return locate().origins;
    },
    get isOn() {
      return isOn();
    },
    owns(address) {
      const { origin, path } = address;
      const { origins, folder, isInside } = locate();
      // The question to all tenants comes last.
      const isOwn = origins.includes(origin) && `${path}/`.startsWith(folder) || isInside(origin);
      const isBelow = findBelow(address, issuerOrigin()) !== undefined;
      return (isOwn || isBelow || isPrivate(origin, issuerOrigin())) && isOn();
    },
    answer(request) {
      const url = findBelow(request.address, issuerOrigin()) ?? locateOtherServer(issuerOrigin());
      return answerAsOtherServer(request, url, note, services());
    },
  };
}

/** Whether a mock on a public host is asked for what is on this machine. */
function isPrivate(origin: string, issuerOrigin: string): boolean {
  return Object.values<string>(privateServers).includes(origin) &&
    !namesThisMachine(new URL(issuerOrigin).hostname);
}

interface Place {
  readonly issuerOrigin: string;
  readonly origins: readonly string[];
  /** What its paths begin with. */
  readonly folder: string;
  /** Each host below the host of the other server is the other server, too. */
  isInside(origin: string): boolean;
}

/** Returns the foreign issuer whose name begins with the origin of the right one, if the request is for it. */
function findBelow(
  { origin, path }: Pick<Address, "origin" | "path">,
  issuerOrigin: string,
): string | undefined {
  if (origin === `${issuerOrigin}:${foreignPort}`) return origin;
  if (origin !== issuerOrigin || !path.includes(foreignPath)) return undefined;
  // RFC 8414 §3.1 inserts the well-known part before the path of the issuer.
  const own = path.replace(/^\/\.well-known\/[^/]+/, "");
  const end = own.indexOf(foreignPath) + foreignPath.length;
  return ["", "/"].includes(own.slice(end, end + 1)) ? origin + own.slice(0, end) : undefined;
}

/**
 * Apart from loopback, the other server also answers requests without TLS, those for the issuer, too, and those to similar
 * hosts and to another port.
 */
function findPlace(issuerOrigin: string): Place {
  const { origin, hostname, pathname } = new URL(locateOtherServer(issuerOrigin));
  const isHere = namesThisMachine(hostname);
  const origins = isHere ? [origin] : [
    ...[origin, issuerOrigin].map((each) => each.replace(/^https:/, "http:")).filter((each) =>
      each !== issuerOrigin
    ),
    origin,
    ...Object.values(findSimilarOrigins(issuerOrigin)),
    `${issuerOrigin}:${foreignPort}`,
  ];
  return {
    issuerOrigin,
    origins,
    folder: pathname.replace(/\/?$/, "/"),
    isInside: (each) => !isHere && each.endsWith(`.${hostname}`),
  };
}

/** On loopback it is another name for the same port. Elsewhere mocks have different ones, as all may intercept `fetch`. */
export function locateOtherServer(issuerOrigin: string): string {
  const { hostname, host } = new URL(issuerOrigin);
  if (!namesThisMachine(hostname)) {
    return `https://${host.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.decoy.test`;
  }
  const other = new URL("/decoy", issuerOrigin);
  other.hostname = hostname === "localhost" ? "127.0.0.1" : "localhost";
  return other.href;
}
