/**
 * The other server of a mock, which no client may trust. Misbehaviours and forged tokens send clients there. In journals, its
 * endpoint is `decoy`.
 */

import { type Address, namesThisMachine } from "../../../ground/http/address.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { findSimilarOrigins, privateServers } from "../../faults/names.ts";
import { loadEntries } from "./load_entries.ts";

export interface OtherServer {
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
    get origins() {
      return locate().origins;
    },
    get isOn() {
      return isOn();
    },
    owns({ origin, path }) {
      const { origins, folder } = locate();
      // The question to all tenants comes last.
      const isOwn = origins.includes(origin) && `${path}/`.startsWith(folder);
      return (isOwn || isPrivate(origin, issuerOrigin())) && isOn();
    },
    answer: (request) => answerAsOtherServer(request, locateOtherServer(issuerOrigin()), note, services()),
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
}

/** Apart from loopback, the other server also answers requests without TLS, and those to similar hosts. */
function findPlace(issuerOrigin: string): Place {
  const { origin, hostname, pathname } = new URL(locateOtherServer(issuerOrigin));
  const origins = namesThisMachine(hostname)
    ? [origin]
    : [origin, origin.replace(/^https:/, "http:"), ...Object.values(findSimilarOrigins(issuerOrigin))];
  return { issuerOrigin, origins, folder: pathname.replace(/\/?$/, "/") };
}

/** On loopback it is another name for the same port. Elsewhere mocks have different ones, as all may intercept `fetch`. */
export function locateOtherServer(issuerOrigin: string): string {
  const { protocol, hostname, host, port } = new URL(issuerOrigin);
  if (!namesThisMachine(hostname)) {
    return `https://${host.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.decoy.test`;
  }
  const other = hostname === "localhost" ? "127.0.0.1" : "localhost";
  return `${protocol}//${other}${port === "" ? "" : `:${port}`}/decoy`;
}
