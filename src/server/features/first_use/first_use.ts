/** First use: an unknown client id becomes a client when a person approves its request. */

import { acceptsKeylessClients, type Client, needsNoKey } from "../../oauth/contracts/client.ts";
import { clientAuthMethods } from "../../oauth/clients/metadata/client_auth_methods.ts";
import { isClientId, isUrlId } from "../../oauth/clients/metadata/client_id.ts";
import { isReachedFromElsewhere } from "../../oauth/clients/reach/reached_from_elsewhere.ts";
import { isAppUri, isLocalRedirectUri, unfitForAnswers } from "../../oauth/clients/metadata/redirect_uri.ts";
import { suggestConfiguration } from "../../oauth/clients/records/client_remedy.ts";
import { listClients, loadClient } from "../../oauth/clients/records/stored_client.ts";
import { createWaiting, findWaiting } from "../../oauth/clients/records/waiting_clients.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Feature, Services } from "../../oauth/contracts/feature.ts";
import type { CoreOptions } from "../../oauth/contracts/core_options.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { createCandidate, keepClient, recordUse, source } from "./keep_client.ts";

const refusal = refusals({ error: "invalid_request" }, {
  redirect_uri_unfit: {
    spec: "OAuth 2.1 §2.3",
    sentence: "A client cannot have this redirect URI",
    expected: "the redirect_uri {need}",
    change: "Remove the fragment, and the parameters that the response adds, from the redirect URI.",
  },
  client_id_is_url: {
    spec: "draft-ietf-oauth-client-id-metadata-document",
    sentence: "A client_id that is a URL needs client documents",
    expected:
      "a client_id that does not begin with http: or https:. Client documents are off on this server: with clientDocuments: true in the configuration, it fetches the metadata of the client from its client_id",
    change: "Switch client documents on, or use a client_id that is not a URL.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The option of first use. */
export interface FirstUseOptions {
  /**
   * Whether the server registers an unknown client id at first use. Default: `true` if `clients` is left out and other
   * machines cannot reach the server, or with `exposeDemo`. Otherwise `false`.
   */
  readonly firstUse?: boolean;
}

const setting: Setting<boolean> = { name: "firstUse", schema: { type: "boolean" } };

export function firstUse(configuration: FirstUseOptions & CoreOptions): Feature {
  return {
    name: "first_use",
    spec: "Postern",
    settings: [setting],
    isOff: !isWanted(configuration),
    clientSources: [{
      name: source,
      expects: describeFirstUse,
      find: findFirstUse,
      list: (services) => listClients(source, services),
      findCandidate,
      findPollingCandidate: (id, grantType, services) =>
        isUrlId(id) || !isFreeId(id, services)
          ? undefined
          : createWaiting({ id, grantType, source }, services),
      keep: keepClient,
      recordUse,
    }],
  };
}

function isWanted(configuration: FirstUseOptions & CoreOptions): boolean {
  const { firstUse, exposeDemo = false, clients } = configuration;
  const isOn = firstUse ?? (clients === undefined && (exposeDemo || !isReachedFromElsewhere(configuration)));
  return isOn && acceptsKeylessClients(configuration);
}

function describeFirstUse(
  { settings: { reservedForTests }, slots }: Pick<Services, "settings" | "slots">,
): string {
  const methods = clientAuthMethods(slots).filter(needsNoKey);
  const isNarrowed = slots.refusedClientAuth.length > 0 || !slots.acceptsPublicClients;
  return `a first-use client${isNarrowed ? ` that authenticates with ${methods.join(" or ")}` : ""}: ` +
    "any client_id that a person approves with a redirect_uri on this machine " +
    "(http or https on localhost, *.localhost, 127.0.0.1 or [::1])" +
    (reservedForTests ? ", at a name reserved for tests (https on *.test or *.example)" : "") +
    (slots.acceptsPublicClients ? " or of an app (com.example.app:/…)" : "");
}

async function findFirstUse(
  id: string,
  services: Services,
  exchange?: Exchange,
): Promise<Client | undefined> {
  if (isUrlId(id)) return undefined;
  const approved = (await loadClient(id, source, services))?.value;
  if (approved !== undefined) return approved;
  // An authorization request of an id that polls is another first use of this id.
  const mayPoll = exchange === undefined || exchange.facts.grantType !== undefined;
  return mayPoll ? await findWaiting(id, services) : undefined;
}

function findCandidate(id: string, redirectUri: string | undefined, services: Services): Client | undefined {
  const { settings, slots } = services;
  // A URL names its owner, so only a document at that URL can give it to a client.
  if (isUrlId(id)) {
    throw refusal("client_id_is_url", { received: id, ...suggestConfiguration({ clientDocuments: true }) });
  }
  if (redirectUri === undefined || !isFreeId(id, services)) return undefined;
  if (!isLocalRedirectUri(redirectUri, settings)) return undefined;
  // RFC 8252 §8.4: an app is a public client.
  if (isAppUri(redirectUri) && !slots.acceptsPublicClients) return undefined;
  const need = unfitForAnswers(redirectUri);
  if (need !== undefined) throw refusal("redirect_uri_unfit", { need, received: redirectUri });
  return createCandidate(id, redirectUri, services);
}

/** Whether a client may have the id. RFC 9068 §5: the subject of a client's own token must not be a person's. */
function isFreeId(id: string, { settings: { people } }: Services): boolean {
  return isClientId(id) && people.findBySubject(id) === undefined;
}
