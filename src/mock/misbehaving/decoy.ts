/**
 * The foreign server of a mock. Misbehaviours send clients there, and a client that trusts the foreign server is seen. It
 * answers only while a misbehaviour is on.
 */

import { allowAnyOrigin } from "../../http/cors.ts";
import type { Address } from "../../http/address.ts";
import type { Answer, IncomingRequest } from "../../http/message.ts";
import { isLoopbackHost } from "../../http/outgoing_url.ts";
import { json } from "../../http/respond.ts";
import { writeEntry } from "../../server/write_entry.ts";
import { createExchange } from "../../oauth/exchange.ts";
import type { JournalEntry } from "../../oauth/journal.ts";
import type { Members } from "../../oauth/members.ts";
import type { Services } from "../../oauth/services.ts";

export interface Decoy {
  readonly origins: readonly string[];
  readonly isOn: boolean;
  owns(address: Pick<Address, "origin" | "path">): boolean;
  answer(request: IncomingRequest): Promise<Answer>;
}

export interface DecoyTerms {
  /** The origin of the mock. */
  readonly issuerOrigin: () => string;
  /** Whether a misbehaviour is on. */
  readonly isOn: () => boolean;
  readonly services: () => Services;
  /** Tells the verdicts about a request. */
  readonly note: (entry: JournalEntry) => void;
}

export function createDecoy({ issuerOrigin, isOn, services, note }: DecoyTerms): Decoy {
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
    async answer(request) {
      const { now, random } = services();
      const exchange = createExchange(request, { receivedAt: now(), random, hasJournal: true });
      // The verdict looks at the parameters. A body that cannot be read has none.
      await exchange.body().catch(() => {});
      const answer = allowAnyOrigin(json(describeDecoy(locateDecoy(issuerOrigin()))), undefined);
      writeEntry(note, exchange, answer, now());
      return answer;
    },
  };
}

/**
 * Returns the answer to every request. With it, a client can go on after a request for tokens, keys, or the metadata of
 * a server or an API.
 */
function describeDecoy(url: string): Members {
  return {
    access_token: "decoy",
    token_type: "Bearer",
    expires_in: 3600,
    keys: [],
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    pushed_authorization_request_endpoint: `${url}/par`,
    registration_endpoint: `${url}/register`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    resource: `${url}/api`,
    authorization_servers: [url],
  };
}

/** Where the foreign server of a mock is. */
interface Place {
  readonly issuerOrigin: string;
  readonly origins: readonly string[];
  /** What its paths begin with. */
  readonly folder: string;
}

/** Apart from loopback, the foreign server also answers requests without TLS. */
function findPlace(issuerOrigin: string): Place {
  const { origin, hostname, pathname } = new URL(locateDecoy(issuerOrigin));
  const origins = isLoopbackHost(hostname) ? [origin] : [origin, origin.replace(/^https:/, "http:")];
  return { issuerOrigin, origins, folder: pathname.replace(/\/?$/, "/") };
}

/**
 * Returns the base URL, without a slash at its end. On loopback the foreign server has another name for the same port, so
 * that a client can reach it. Elsewhere it has a host of its own, which differs between mocks, because several of them
 * may intercept the global `fetch` at the same time.
 */
export function locateDecoy(issuerOrigin: string): string {
  const { protocol, hostname, host, port } = new URL(issuerOrigin);
  if (!isLoopbackHost(hostname)) {
    return `https://${host.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.decoy.test`;
  }
  const other = hostname === "localhost" ? "127.0.0.1" : "localhost";
  return `${protocol}//${other}${port === "" ? "" : `:${port}`}/decoy`;
}
