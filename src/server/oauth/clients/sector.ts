/** The sector of a client with pairwise subjects (OpenID Connect Core §8.1, Dynamic Client Registration §5). */

import { text } from "../../schema/schema.ts";
import type { ClientMember, MetadataProblem } from "../feature.ts";
import type { Client } from "./client.ts";
import { memberOf } from "../feature_values.ts";
import { checkHttps } from "./redirect_uri.ts";

export const sectorIdentifierMember: ClientMember<string> = {
  name: "sector_identifier_uri",
  schema: {
    ...text,
    examples: ["https://app.example/redirect_uris.json"],
  },
  check: (uri) => checkHttps(sectorIdentifierMember.name, uri),
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

/** Whether an authorization request depends on the sector. A client that registered itself was checked then. */
export function needsSectorCheck(client: Client): boolean {
  return client.sector !== undefined && !client.registeredItself &&
    memberOf(client, sectorIdentifierMember) !== undefined;
}

/** Returns the host without its port (OpenID Connect Core §8.1), or an app's private scheme, which has no host. */
function hostOf(uri: string): string {
  const { hostname, protocol } = new URL(uri);
  return hostname === "" ? protocol : hostname;
}
