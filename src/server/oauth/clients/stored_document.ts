/** How the server stores clients with a metadata document, and caches the documents. */

import type { Kind } from "../../store/store.ts";
import type { Client } from "./client.ts";
import type { Members } from "../members.ts";

/** The name of the source of these clients. */
export const documentSource = "client_documents";

/** A document in the cache. Errors and invalid documents are not cached (CIMD §5.2). */
interface CachedDocument {
  readonly metadata: Members;
}

export const cachedDocuments: Kind<CachedDocument> = { name: "client_document" };

/** A client with a document that a person has approved. */
export interface DocumentClient extends Client {
  /** The hash of the metadata. If it changes, no person has approved the client yet. */
  readonly documentDigest: string;
}
