/** Selects the properties of a client that pages show. */

import { namesThisMachine } from "../../../../ground/http/address.ts";
import type { ClientSummary } from "../../contracts/pages.ts";
import type { Client } from "../../contracts/client.ts";
import { isUrlId } from "../metadata/client_id.ts";
import { memberOf } from "../../contracts/feature_values.ts";
import { clientUriMember, policyUriMember, termsUriMember } from "../metadata/descriptive_members.ts";
import { isLoopbackRedirectUri } from "../metadata/redirect_uri.ts";
import { present } from "../../../../ground/values/present.ts";

const linkMembers = [
  { kind: "site", member: clientUriMember },
  { kind: "policy", member: policyUriMember },
  { kind: "terms", member: termsUriMember },
] as const;

export function summariseClient(client: Client): ClientSummary {
  const links = linkMembers.flatMap(({ kind, member }) => {
    const url = memberOf(client, member);
    return url === undefined ? [] : [{ kind, url }];
  });
  const describesItselfIn = findOwnDescription(client);
  return {
    id: client.id,
    ...present({ name: client.name }),
    isUnverified: client.approvedBy !== "operator",
    ...present({
      describesItselfIn,
      answersOnLoopback: describesItselfIn === "document" && isReachedOnLoopbackOnly(client)
        ? true
        : undefined,
      links: links.length === 0 ? undefined : links,
    }),
  };
}

/** Any program on the person's machine can use the id of such a client and receive its codes (CIMD §8.5). */
function isReachedOnLoopbackOnly({ id, redirectUris }: Client): boolean {
  return !namesThisMachine(new URL(id).hostname) && redirectUris.every(isLoopbackRedirectUri);
}

function findOwnDescription(client: Client): ClientSummary["describesItselfIn"] {
  if (client.registeredItself) return "registration";
  return client.approvedBy !== "operator" && isUrlId(client.id) ? "document" : undefined;
}
