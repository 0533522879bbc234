/**
 * The other server of a mock, which no client may trust. Misbehaviours send clients there, and a client that trusts it is
 * seen. It answers only while a misbehaviour is on, or after a token was forged that names it.
 */

import { type Address, namesThisMachine } from "../../../server/http/address.ts";
import type { Answer, IncomingRequest } from "../../../server/http/message.ts";
import type { JournalEntry } from "../../../server/oauth/journal.ts";
import { lazy } from "../../../server/oauth/lazy.ts";
import type { Services } from "../../../server/oauth/services.ts";
import { loadEntries } from "./load_entries.ts";

export interface OtherServer {
  readonly origins: readonly string[];
  readonly isOn: boolean;
  owns(address: Pick<Address, "origin" | "path">): boolean;
  answer(request: IncomingRequest): Promise<Answer>;
}

export interface OtherServerOptions {
  /** The origin of the mock. */
  readonly issuerOrigin: () => string;
  /** Whether a client or an API may have been sent to the other server. */
  readonly isOn: () => boolean;
  readonly services: () => Services;
  /** Tells the verdicts about a request. */
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
      return origins.includes(origin) && `${path}/`.startsWith(folder) && isOn();
    },
    answer: (request) => answerAsOtherServer(request, locateOtherServer(issuerOrigin()), note, services()),
  };
}

/** Where the other server of a mock is. */
interface Place {
  readonly issuerOrigin: string;
  readonly origins: readonly string[];
  /** What its paths begin with. */
  readonly folder: string;
}

/** Apart from loopback, the other server also answers requests without TLS. */
function findPlace(issuerOrigin: string): Place {
  const { origin, hostname, pathname } = new URL(locateOtherServer(issuerOrigin));
  const origins = namesThisMachine(hostname) ? [origin] : [origin, origin.replace(/^https:/, "http:")];
  return { issuerOrigin, origins, folder: pathname.replace(/\/?$/, "/") };
}

/**
 * Returns the base URL, without a slash at its end. On loopback the other server has another name for the same port, so
 * that a client can reach it. Elsewhere it has a host of its own, which differs between mocks, because several of them
 * may intercept the global `fetch` at the same time.
 */
export function locateOtherServer(issuerOrigin: string): string {
  const { protocol, hostname, host, port } = new URL(issuerOrigin);
  if (!namesThisMachine(hostname)) {
    return `https://${host.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.decoy.test`;
  }
  const other = hostname === "localhost" ? "127.0.0.1" : "localhost";
  return `${protocol}//${other}${port === "" ? "" : `:${port}`}/decoy`;
}
