/** First use: a client id that nobody configured becomes a client when somebody approves it, and is then held to it. */

import type { Client } from "../oauth/clients/client.ts";
import {
  firstUseClients,
  keepFirstUse,
  loadFirstUse,
  recordFirstUse,
} from "../oauth/clients/first_use_client.ts";
import { isLoopbackUri, isReservedForTests, unfitForAnswers } from "../oauth/clients/redirect_uri.ts";
import { usualGrantTypes, usualResponseTypes } from "../oauth/clients/usual_grants.ts";
import { fail } from "../oauth/error.ts";
import type { Feature } from "../oauth/feature.ts";
import type { Services } from "../oauth/services.ts";
import { createId } from "../oauth/tokens/credential.ts";

export type FirstUseReason = "redirect_uri_unfit";

export function firstUse(): Feature {
  return {
    name: "first_use",
    spec: "Postern",
    clientSources: [{
      name: "first_use",
      expects: "a first-use client: any client_id with a loopback redirect_uri",
      async find(id, services) {
        return (await loadFirstUse(id, services))?.value;
      },
      list,
      findCandidate,
      keep: keepFirstUse,
      recordUse: recordFirstUse,
    }],
  };
}

async function* list({ store, now }: Services): AsyncIterable<Client> {
  for await (const { value, expiresAt } of store.list?.(firstUseClients) ?? []) {
    if (expiresAt > now()) yield value;
  }
}

function findCandidate(id: string, redirectUri: string | undefined, services: Services): Client | undefined {
  const { slots, settings, random } = services;
  if (redirectUri === undefined || !/^[\x20-\x7e]{1,200}$/.test(id) || id.trim() === "") return undefined;
  // RFC 9068 §5: a client that acts for itself must not be taken for a person.
  if (settings.people.findBySubject(id) !== undefined) return undefined;
  const reachesNobodyElse = isLoopbackUri(redirectUri) ||
    settings.reservedForTests && isReservedForTests(redirectUri);
  if (!reachesNobodyElse) return undefined;
  const expected = unfitForAnswers(redirectUri);
  if (expected !== undefined) {
    fail<FirstUseReason>("invalid_request", "A client cannot have this redirect URI", {
      reason: "redirect_uri_unfit",
      spec: "OAuth 2.1 §2.3",
      expected: `the redirect_uri ${expected}`,
      received: redirectUri,
    });
  }
  // Its first redemption may show a secret, and then it is a confidential client.
  const grantTypes = usualGrantTypes({ isConfidential: true }, slots);
  return {
    id,
    redirectUris: [redirectUri],
    grantTypes,
    responseTypes: usualResponseTypes(grantTypes, slots),
    requirePkce: true,
    members: {},
    source: "first_use",
    unregistered: true,
    epoch: createId(random),
  };
}
