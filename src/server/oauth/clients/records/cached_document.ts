/** The records of clients with a metadata document: the clients, and the documents that the server has fetched. */

import type { Client } from "../../contracts/client.ts";
import type { Members } from "../../../../ground/values/members.ts";
import type { Kind } from "../../../store/store.ts";

export const documentSource = "client_documents";

/** Errors and invalid documents are not cached (CIMD §5.2). */
export const cachedDocuments: Kind<{ readonly metadata: Members }> = { name: "client_document" };

export interface DocumentClient extends Client {
  /** The hash of the metadata. If it changes, no person has approved the client yet. */
  readonly documentDigest: string;
}
