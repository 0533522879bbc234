/** The sector of a client with pairwise subjects (OpenID Connect Core §8.1, Dynamic Client Registration §5). */

import { sha256 } from "../../../../ground/crypto/platform.ts";
import type { Kind } from "../../../store/store.ts";
import { continueTrace } from "../../requests/continue_trace.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { ClientMember, MetadataProblem, Services } from "../../contracts/feature.ts";
import { memberOf } from "../../contracts/feature_values.ts";
import { type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Client } from "../../contracts/client.ts";
import { uriText } from "./metadata_texts.ts";
import { reachOf } from "./reach.ts";
import { unfitForHttps } from "./redirect_uri.ts";

const refusal = refusals({
  sector_unverified: {
    error: "unauthorized_client",
    spec: "OpenID Connect Core §8.1",
    sentence: "The sector_identifier_uri of this client does not vouch for it",
    expected: "a JSON array with all redirect URIs at the client's sector_identifier_uri",
    change: "List all redirect URIs of the client in the JSON array at its sector_identifier_uri.",
  },
});

export const refused: RefusalRows = refusal.rows;

// In octets.
const largestArray = 64 * 1024;
// In seconds.
const verifiedFor = 24 * 3600;

/** Redirect URIs that the server has found at a sector_identifier_uri. Failures are not stored. */
const verifiedSectors: Kind<Readonly<Record<string, never>>> = { name: "verified_sector" };

export const sectorIdentifierMember: ClientMember<string> = {
  name: "sector_identifier_uri",
  schema: { ...uriText, examples: ["https://app.example/redirect_uris.json"] },
  check: unfitForHttps,
};

/** Adds the sector of a client with pairwise subjects. Its members have passed their checks. */
export function addSector(client: Client): Client | MetadataProblem {
  const identifier = memberOf(client, sectorIdentifierMember);
  const uris = identifier === undefined ? client.redirectUris : [identifier];
  const [sector, ...others] = new Set(uris.map(hostOf));
  if (sector !== undefined && others.length === 0) return { ...client, sector };
  return {
    place: "subject_type",
    expected: "can be pairwise only if all redirect_uris have the same host, or with sector_identifier_uri",
  };
}

/** Returns the host without its port (OpenID Connect Core §8.1), or an app's private scheme, which has no host. */
function hostOf(uri: string): string {
  const { hostname, protocol } = new URL(uri);
  return hostname === "" ? protocol : hostname;
}

/** Fetches the client's sector_identifier_uri and looks for each redirect URI in the array (Registration §5). */
export async function checkSector(
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<MetadataProblem | undefined> {
  const identifier = memberOf(client, sectorIdentifierMember);
  if (identifier === undefined) return undefined;
  const expected = await findProblem(identifier, client, exchange, services);
  return expected === undefined ? undefined : { place: sectorIdentifierMember.name, expected };
}

/** Checks the sector, unless the server has found the same redirect URIs there within a day. */
async function checkSectorDaily(
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<MetadataProblem | undefined> {
  const { store, now } = services;
  const key = sha256(JSON.stringify([memberOf(client, sectorIdentifierMember), client.redirectUris]));
  if (await store.get(verifiedSectors, key, now()) !== undefined) return undefined;
  const problem = await checkSector(client, exchange, services);
  if (problem !== undefined) return problem;
  await store.put(verifiedSectors, key, {}, { expiresAt: Math.ceil(now()) + verifiedFor, now: now() });
  return undefined;
}

async function findProblem(
  identifier: string,
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<string | undefined> {
  const needed = "must lead to a JSON array with all redirect_uris";
  const options = {
    reach: reachOf(client, exchange, services),
    largest: largestArray,
    ...continueTrace(exchange, services),
  };
  const fetched = await services.fetch.getJson(identifier, options);
  if ("failure" in fetched) return `${needed}. The server expected ${fetched.expected}: ${fetched.observed}`;
  if (!Array.isArray(fetched.value)) return `${needed}. The document there is not an array`;
  const listed: ReadonlySet<unknown> = new Set(fetched.value);
  const missing = client.redirectUris.find((uri) => !listed.has(uri));
  return missing === undefined ? undefined : `${needed}. ${missing} is not in it`;
}

/** Refuses a request if it depends on a sector that cannot be verified. */
export async function requireSector(client: Client, exchange: Exchange, services: Services): Promise<void> {
  const identifier = memberOf(client, sectorIdentifierMember);
  // A client that registered itself was checked then.
  if (client.sector === undefined || client.registeredItself || identifier === undefined) return;
  const problem = await checkSectorDaily(client, exchange, services);
  if (problem === undefined) return;
  throw refusal("sector_unverified", {
    expected: `${problem.place} ${problem.expected}`,
    received: identifier,
  });
}
