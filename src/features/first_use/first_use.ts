/** First use: an unknown client id becomes a client when a person approves its request. */

import { type Client, type ClientUse, publicClientMethod } from "../../oauth/clients/client.ts";
import {
  acceptsKeylessClients,
  clientAuthMethods,
  needsNoKey,
} from "../../oauth/clients/client_auth_methods.ts";
import { isClientId, isUrlId } from "../../oauth/clients/client_id.ts";
import { mostKeptClients, takePlace } from "../../oauth/clients/client_places.ts";
import { clientRemedy } from "../../oauth/clients/client_remedy.ts";
import { isReachedFromElsewhere } from "../../oauth/clients/reached_from_elsewhere.ts";
import { isLocalRedirectUri, isPrivateSchemeUri, unfitForAnswers } from "../../oauth/clients/redirect_uri.ts";
import { listClients, loadClient, storedClients } from "../../oauth/clients/stored_client.ts";
import { usualGrantTypes, usualResponseTypes } from "../../oauth/clients/usual_grants.ts";
import { createId } from "../../oauth/credential.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Feature } from "../../oauth/feature.ts";
import type { FeatureTerms } from "../../oauth/feature_terms.ts";
import { lazy } from "../../oauth/lazy.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import { nextAttempt } from "../../store/retry_limit.ts";
import type { Services } from "../../oauth/services.ts";
import type { Setting } from "../../oauth/setting.ts";
import { present } from "../../present.ts";

const refusal = refusals({
  redirect_uri_unfit: {
    error: "invalid_request",
    spec: "OAuth 2.1 §2.3",
    sentence: "A client cannot have this redirect URI",
    expected: "the redirect_uri {need}",
    change: "Remove the fragment, and the parameters that the response adds, from the redirect URI.",
  },
  client_id_is_url: {
    error: "invalid_request",
    spec: "draft-ietf-oauth-client-id-metadata-document",
    sentence: "A client_id that is a URL needs client documents",
    expected:
      "a client_id that does not begin with http: or https:. Client documents are off on this server: with clientDocuments: true in the configuration, it fetches the metadata of the client from its client_id",
    change: "Switch client documents on, or use a client_id that is not a URL.",
  },
  first_use_full: {
    error: "temporarily_unavailable",
    sentence: `The server keeps at most ${mostKeptClients} clients that are not configured`,
    expected:
      `a configured client, or one of the ${mostKeptClients}, which all may have a valid code or token`,
    change: "Configure this client, or restart the server if its store is in memory.",
  },
});

export const refused: RefusalRows = refusal.rows;

const source = "first_use";

const requireSameUse = lazy(async () => (await import("./require_same_use.ts")).requireSameUse);

const importWaiting = () => import("../../oauth/clients/waiting_clients.ts");
const findWaiting = lazy(async () => (await importWaiting()).findWaiting);
const createWaiting = lazy(async () => (await importWaiting()).createWaiting);

// In seconds. Long enough for a trial, but no client stays forever.
const lifetime = 30 * 24 * 3600;

/** The option of first use. */
export interface FirstUseOptions {
  /**
   * Whether the server registers an unknown client id at first use. Default: `true` if `clients` is left out and other
   * machines cannot reach the server, or with `exposeDemo`. Otherwise `false`.
   */
  readonly firstUse?: boolean;
}

const setting: Setting<boolean> = { name: "firstUse", schema: { type: "boolean" } };

export function firstUse(configuration: FirstUseOptions & FeatureTerms): Feature {
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
      findPollingCandidate: async (id, grantType, services) =>
        isUrlId(id) || !isFreeId(id, services)
          ? undefined
          : await createWaiting({ id, grantType, source }, services),
      keep,
      recordUse,
    }],
  };
}

function isWanted(configuration: FirstUseOptions & FeatureTerms): boolean {
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
    "(http on localhost, *.localhost, 127.0.0.1 or [::1])" +
    (reservedForTests ? ", at a name reserved for tests (https on *.test or *.example)" : "") +
    (slots.acceptsPublicClients ? " or of an app (com.example.app:/…)" : "");
}

/** Finds a client that a person has approved, or that polls until a person answers. */
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
    const remedy = JSON.stringify({ clientDocuments: true }, null, 2);
    throw refusal("client_id_is_url", { received: id, remedy });
  }
  if (redirectUri === undefined || !isFreeId(id, services)) return undefined;
  if (!isLocalRedirectUri(redirectUri, settings)) return undefined;
  // RFC 8252 §8.4: an app is a public client.
  if (isPrivateSchemeUri(redirectUri) && !slots.acceptsPublicClients) return undefined;
  const need = unfitForAnswers(redirectUri);
  if (need !== undefined) throw refusal("redirect_uri_unfit", { need, received: redirectUri });
  return createCandidate(id, redirectUri, services);
}

/** Whether a client may have the id. RFC 9068 §5: the subject of a client's own token must not be a person's. */
function isFreeId(id: string, { settings: { people } }: Services): boolean {
  return isClientId(id) && people.findBySubject(id) === undefined;
}

function createCandidate(id: string, redirectUri: string, { slots, random }: Services): Client {
  // RFC 8252 §8.4, §8.5: an app is a public client. Any other client is confidential if its first redemption has a secret.
  const isApp = isPrivateSchemeUri(redirectUri);
  const grantTypes = usualGrantTypes({ isConfidential: !isApp }, slots);
  return {
    id,
    redirectUris: [redirectUri],
    ...(isApp ? { authentication: { method: publicClientMethod } } : {}),
    grantTypes,
    responseTypes: usualResponseTypes(grantTypes, slots),
    requirePkce: true,
    members: {},
    source,
    unregistered: true,
    epoch: createId(random),
  };
}

/**
 * Stores a client that a person has approved. Its epoch is new, because the server may still find the client that polled
 * when this one has ended.
 */
async function keep(client: Client, services: Services): Promise<Client> {
  if (client.approvedBy !== undefined) return await keepLonger(client, services);
  if (!await takePlace(client, services)) {
    throw refusal("first_use_full", { received: client.id, ...clientRemedy(client, {}, services) });
  }
  const { store, now, random } = services;
  const approved: Client = {
    ...client,
    approvedBy: "person",
    aliveUntil: codeEnd(services),
    epoch: createId(random),
  };
  const terms = { expiresAt: Math.ceil(now()) + lifetime, now: now(), if: null };
  if (await store.put(storedClients, client.id, approved, terms) !== undefined) return approved;
  return await requireSameUse(client, (await loadClient(client.id, source, services))?.value, services);
}

/** Keeps a client that is approved again at least until the new code expires. */
async function keepLonger(client: Client, services: Services): Promise<Client> {
  if (await recordUse(client, { livesUntil: codeEnd(services) }, services)) return client;
  // While the person was asked, the client expired or another one took its place. So it becomes a new client.
  const { id, redirectUris: [redirectUri], grantTypes: [grantType] } = client;
  const again = redirectUri === undefined
    ? await createWaiting({ id, grantType: grantType!, source }, services)
    : createCandidate(id, redirectUri, services);
  return await keep(again, services);
}

function codeEnd({ settings, now }: Services): number {
  return Math.ceil(now()) + settings.lifetimes.code;
}

/** Records until when the client is needed and, in its first redemption, how it authenticates from then on. */
async function recordUse(
  client: Client,
  { authentication, livesUntil }: ClientUse,
  services: Services,
): Promise<boolean> {
  const { store, now } = services;
  if (authentication === undefined && isNeededUntil(livesUntil, client)) return true;
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const entry = await loadClient(client.id, source, services);
    if (entry?.value.epoch !== client.epoch) return false;
    const { value, version, expiresAt } = entry;
    if (authentication !== undefined && value.authentication !== undefined) return false;
    if (authentication === undefined && isNeededUntil(livesUntil, value)) return true;
    const used: Client = {
      ...value,
      // Twice the needed time, so that most of the next redemptions need no write.
      aliveUntil: livesUntil + Math.ceil(livesUntil - now()),
      ...present({ authentication }),
    };
    const terms = { expiresAt, now: now(), if: version };
    if (await store.put(storedClients, client.id, used, terms) !== undefined) return true;
  }
}

function isNeededUntil(livesUntil: number, { aliveUntil = 0 }: Client): boolean {
  return aliveUntil >= livesUntil;
}
