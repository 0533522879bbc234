/** Finds the client of a metadata document, which the server fetches and keeps within bounds (CIMD §4, §5). */

import { continueTrace } from "../../oauth/requests/continue_trace.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import { cacheLifetime } from "../../../ground/http/cache_lifetime.ts";
import { readFetchSite } from "../../../ground/http/request_origin.ts";
import type { FetchFailure } from "../../../ground/http/guarded_fetch.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { reachOfStranger } from "../../oauth/clients/metadata/reach.ts";
import { isServedFromLoopback } from "../../oauth/clients/metadata/redirect_uri.ts";
import { loadClient } from "../../oauth/clients/records/stored_client.ts";
import { noteUnknownClient } from "../../oauth/clients/records/unknown_client.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { MetadataProblem, Services } from "../../oauth/contracts/feature.ts";
import type { Members } from "../../../ground/values/members.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import { unfitForDocument } from "../../oauth/clients/metadata/client_id.ts";
import {
  cachedDocuments,
  type DocumentClient,
  documentSource,
} from "../../oauth/clients/records/cached_document.ts";
import { readDocument, readDocumentClient } from "./read_document.ts";
import { type AdviceRows, advices, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { present } from "../../../ground/values/present.ts";

const spec = "draft-ietf-oauth-client-id-metadata-document";

const refusal = refusals({ error: "invalid_client", spec }, {
  client_document_url: {
    status: 400,
    sentence: "This client_id is not the URL of a client document",
    expected:
      "an https URL with a path. If the issuer is on loopback, also a URL on this machine, unless a page of another site makes the request",
    change: "Use an https URL with a path as client_id.",
  },
  client_document_unavailable: {
    status: 403,
    sentence: "A page of another site made this request in the background",
    expected: "a client that the server knows, or a link or a redirect that opens a page",
    change: "Serve the document at the client_id as JSON with status 200, without a redirect.",
  },
  client_document_limit: {
    error: "temporarily_unavailable",
    status: 429,
    sentence: "The server fetches too many client documents",
    expected: "another attempt in {retryAfter} s",
    change: "Wait as long as Retry-After says, and send the request again.",
  },
  client_document_unread: {
    reason: "client_document_unavailable",
    status: 400,
    spec: `${spec} §5`,
    sentence: "The server cannot get the document of this client",
    expected: "JSON of at most 5 KB, with the status 200 and without a redirect, within 5 seconds",
    change: "Serve the document at the client_id as JSON with status 200, without a redirect.",
  },
  client_document_unreached: {
    reason: "client_document_unavailable",
    status: 400,
    spec: `${spec} §5`,
    sentence: "The server cannot get the document of this client",
    change: "Without a network, set clientDocuments to false: clients then register.",
  },
  client_document_invalid: {
    status: 400,
    spec: `${spec} §4`,
    sentence: "The document of this client is not valid",
    expected: "a document that follows the rules of RFC 7591, and has no secret",
    change: "Correct the document at the client_id as the refusal says.",
  },
});

export const refused: RefusalRows = refusal.rows;

const advice = advices({
  client_document_without_name: {
    spec: "MCP 2026-07-28, Client ID Metadata Documents",
    sentence: "The document of this client has no client_name",
    expected: "client_name, which MCP requires and the consent page shows",
    change: "Add client_name to the document, so that people see the name of the client.",
  },
});

export const advised: AdviceRows = advice.rows;

// CIMD §8.7 recommends this limit, in octets.
const largestDocument = 5 * 1024;

// In seconds. The steps of one request share the document even if its server forbids a cache.
const shortestCache = 60;
const cacheOptions = { usual: 15 * 60, longest: 24 * 3600 };

/**
 * Without an exchange, fetches no document. If the server of the document is out of reach, a client that a person has
 * approved stays as it was.
 */
export async function findDocumentClient(
  id: string,
  services: Services,
  exchange?: Exchange,
): Promise<Client | undefined> {
  const { store, now } = services;
  const approved = (await loadClient(id, documentSource, services))?.value as DocumentClient | undefined;
  if (exchange === undefined) return approved;
  const cached = (await store.get(cachedDocuments, id, now()))?.value;
  const metadata = cached?.metadata ?? await fetchDocument(id, approved !== undefined, exchange, services);
  return metadata === undefined
    ? approved
    : describeDocumentClient(id, metadata, approved, exchange, services);
}

function describeDocumentClient(
  id: string,
  metadata: Members,
  approved: DocumentClient | undefined,
  exchange: Exchange,
  services: Services,
): DocumentClient {
  const documentDigest = sha256(JSON.stringify(metadata));
  const { epoch = createId(services.random) } = approved ?? {};
  const facts = { source: documentSource, epoch };
  const client = readDocumentClient(metadata, facts, services.slots);
  if ("place" in client) return refuseDocument(id, client, exchange, services);
  return {
    ...client,
    documentDigest,
    ...present({ approvedBy: approved?.documentDigest === documentDigest ? "person" : undefined }),
  };
}

/** Returns `undefined` if the server must not or cannot fetch the document now, and a person has approved the client. */
async function fetchDocument(
  id: string,
  isApproved: boolean,
  exchange: Exchange,
  services: Services,
): Promise<Members | undefined> {
  const { fetch, settings, slots } = services;
  const reach = reachOfStranger(exchange, services);
  const mayFetch = isFetchAllowed(exchange, services);
  // RFC 9068 §5: the subject of a client's own token must not be a person's.
  const isPerson = settings.people.findBySubject(id) !== undefined;
  const expected = isPerson ? "must not be the sub of a person" : unfitForDocument(id, reach);
  if (isApproved && (!mayFetch || expected !== undefined)) return undefined;
  if (!mayFetch) return refuseBackground(id, exchange, services);
  if (expected !== undefined) return refuseUrl(id, expected, exchange, services);
  const terms = { reach, largest: largestDocument, ...continueTrace(exchange, services) };
  const fetched = await fetch.getJson(id, terms);
  if ("failure" in fetched) {
    return isApproved && isPassing(fetched) ? undefined : refuseFailure(id, fetched, exchange, services);
  }
  const read = readDocument(fetched.value, id, slots);
  if ("place" in read) return refuseDocument(id, read, exchange, services);
  const { metadata } = read;
  // Also refuses metadata that no client can have, so that the cache holds valid documents only.
  const client = readDocumentClient(metadata, { source: documentSource, epoch: "" }, slots);
  if ("place" in client) return refuseDocument(id, client, exchange, services);
  await cacheDocument(id, metadata, cacheLifetime(fetched.header, cacheOptions), services);
  if (client.name === undefined) exchange.note({ advice: advice("client_document_without_name") });
  return metadata;
}

async function cacheDocument(
  id: string,
  metadata: Members,
  lifetime: number,
  { store, now }: Services,
): Promise<void> {
  const expiresAt = Math.ceil(now()) + Math.max(shortestCache, lifetime);
  await store.put(cachedDocuments, id, { metadata }, { expiresAt, now: now() });
}

/** On loopback, a page of another site may open a request, but must not make the server fetch in the background. */
function isFetchAllowed({ request }: Exchange, { settings }: Services): boolean {
  const site = readFetchSite(request);
  return !isServedFromLoopback(settings.issuer) || site === "not cross-site" ||
    site === "cross-site document";
}

/** Whether the failure says nothing about the document. */
function isPassing({ failure }: FetchFailure): boolean {
  return ["unreachable", "too_slow", "too_many_fetches", "address_not_allowed"].includes(failure);
}

const ownMachine =
  ". A document on this machine needs an issuer on loopback, and a request that no page of another site made " +
  "(127.0.0.1 and localhost are different sites)";

function refuseUrl(id: string, expected: string, exchange: Exchange, services: Services): never {
  noteUnknownClient(id, exchange, services);
  throw refusal("client_document_url", {
    expected: `a client_id that is an https URL with a path. It ${expected}` +
      (/machine|https/.test(expected) ? ownMachine : ""),
    received: id,
  });
}

function refuseBackground(id: string, exchange: Exchange, services: Services): never {
  noteUnknownClient(id, exchange, services);
  throw refusal("client_document_unavailable", { received: id });
}

function refuseFailure(id: string, failure: FetchFailure, exchange: Exchange, services: Services): never {
  const notedId = noteUnknownClient(id, exchange, services);
  const { expected, observed, status, retryAfter } = failure;
  if (status !== undefined) {
    exchange.note({ more: { client_document: `answered ${status}` } });
  }
  if (retryAfter !== undefined) {
    throw refusal("client_document_limit", {
      retryAfter,
      headers: { "retry-after": String(retryAfter) },
      received: observed,
    });
  }
  const values = { expected: `${expected}, at ${notedId}`, received: observed };
  if (!isPassing(failure)) throw refusal("client_document_unread", values);
  const remedy = JSON.stringify({ clientDocuments: false }, null, 2);
  throw refusal("client_document_unreached", { ...values, remedy });
}

function refuseDocument(
  id: string,
  { place, expected }: MetadataProblem,
  exchange: Exchange,
  services: Services,
): never {
  const notedId = noteUnknownClient(id, exchange, services);
  throw refusal("client_document_invalid", {
    expected: `${place} ${expected}, in the document at ${notedId}`,
  });
}
