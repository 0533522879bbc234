/** Hosts the metadata document of a client, for a server that fetches it (client documents). */

import { isUrlId, unfitForDocument } from "../../../server/oauth/clients/metadata/client_id.ts";
import { cachedDocuments } from "../../../server/oauth/clients/records/cached_document.ts";
import { isServedFromLoopback } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import type { RunningTenant } from "../running_tenant.ts";

/** Options of `clientDocument`. */
export interface ClientDocumentTerms {
  /** The URL of the document. Default: `https://client.test/1.json`, with another number for each document. */
  readonly url?: string;
}

/** The document of a client. The server fetches it without a network. */
export interface ClientDocument {
  /** The URL of the document. It is the id of the client. */
  readonly client_id: string;
  /** The members of the document. */
  readonly metadata: Members;
  /** How often the server has fetched the document. @asType integer */
  readonly requests: number;
  /** Changes members of the document; `undefined` removes one. The server fetches the document at its next use. */
  change(members: Members): Promise<void>;
  /** Answers with this function instead of the document. `undefined` restores the document. */
  respond(answer: DocumentAnswer | undefined): Promise<void>;
}

/** Answers a request for a document. */
export type DocumentAnswer = (request: Request) => Response | Promise<Response>;

export function hostClientDocument(
  members: Members,
  terms: ClientDocumentTerms,
  running: RunningTenant,
): ClientDocument {
  const doing = "host a client document";
  running.requireOpen();
  requireTerms(doing, terms, types.ClientDocumentTerms);
  const { documents } = running;
  const { url = `https://client.test/${documents.size + 1}.json` } = terms;
  requireUsable(doing, url, running);
  let document: Members = {
    client_id: url,
    client_name: "Client",
    redirect_uris: usualRedirectUris,
    ...members,
  };
  let answer: DocumentAnswer | undefined;
  let requests = 0;

  async function forget(): Promise<void> {
    running.registered.set(url, document as unknown as ClientMetadata);
    await running.services.store.delete(cachedDocuments, url);
  }

  documents.set(url, async (input, init) => {
    requests++;
    return await (answer?.(new Request(input, init)) ?? Response.json(document));
  });
  running.registered.set(url, document as unknown as ClientMetadata);
  return {
    client_id: url,
    get metadata() {
      return document;
    },
    get requests() {
      return requests;
    },
    async change(changed) {
      document = present({ ...document, ...changed });
      await forget();
    },
    async respond(given) {
      answer = given;
      await forget();
    },
  };
}

const usualRedirectUris = ["https://client.test/callback", "http://127.0.0.1/callback"];

function requireUsable(doing: string, url: string, { services, documents }: RunningTenant): void {
  const { settings, slots } = services;
  const reach = isServedFromLoopback(settings.issuer) ? "loopback" : "public";
  const expected = isUrlId(url) ? unfitForDocument(url, reach) : "must be an https URL";
  if (expected !== undefined) throw new TypeError(`Cannot ${doing}: url ${expected}, not ${url}`);
  if (![...slots.clientSources.values()].some(({ owns }) => owns?.(url))) {
    throw new TypeError(
      `Cannot ${doing}: client documents are off. Create the mock with clientDocuments: true`,
    );
  }
  if (documents.has(url)) throw new TypeError(`Cannot ${doing}: there is one at ${url}. Change that one`);
}
