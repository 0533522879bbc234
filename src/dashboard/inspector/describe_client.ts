/** Describes the client of an exchange: a link to its page and, after a refusal, the settings that it is about. */

import type { Facts } from "../../oauth/journal.ts";
import type { Client } from "../../oauth/clients/client.ts";
import type { KnownClient } from "../../pages/inspector/client_settings.tsx";
import { clientHref } from "../addresses.ts";
import { findKnownClient } from "../known_clients.ts";
import type { PageCall } from "../page.ts";
import { present } from "../../present.ts";

/** The settings of a client, and the reasons of the refusals that are about them. */
const settings: readonly (readonly [
  reasons: RegExp,
  read: (client: Client) => Omit<KnownClient, "id" | "href">,
])[] = [
  [/redirect/, ({ redirectUris }) => ({ redirectUris })],
  [/grant_type|code_flow|cannot_start/, ({ grantTypes }) => ({ grantTypes })],
  [/scope/, ({ scope }) => present({ scope })],
  [/^challenge_/, ({ requirePkce }) => ({ requirePkce })],
];

/** Returns `undefined` if the server does not know the client. */
export async function describeClient(
  { clientId, refusal }: Partial<Facts>,
  call: PageCall,
): Promise<KnownClient | undefined> {
  const client = clientId === undefined ? undefined : await findKnownClient(clientId, call.watched.services);
  if (client === undefined) return undefined;
  const { id, authentication } = client;
  const named = { id, href: clientHref(id, call) };
  if (refusal === undefined) return named;
  return {
    ...named,
    ...(authentication === undefined ? {} : { method: authentication.method }),
    ...settings.reduce(
      (all, [reasons, read]) => reasons.test(refusal.reason) ? { ...all, ...read(client) } : all,
      {},
    ),
  };
}
