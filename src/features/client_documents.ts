/** Client documents: the id of a client is the URL of its metadata, which the server fetches. */

import { documentSource, findDocumentClient } from "../oauth/client_documents/document_client.ts";
import { keepDocumentClient, recordDocumentUse } from "../oauth/client_documents/keep_document_client.ts";
import { isUrlId } from "../oauth/clients/client_id.ts";
import { listClients } from "../oauth/clients/stored_client.ts";
import type { Feature } from "../oauth/feature.ts";

export function clientDocuments(): Feature {
  return {
    name: "client_documents",
    spec: "draft-ietf-oauth-client-id-metadata-document",
    clientSources: [{
      name: documentSource,
      expects: () => "a client_id that is the https URL of the client's metadata document",
      owns: isUrlId,
      find: findDocumentClient,
      list: (services) => listClients(documentSource, services),
      keep: keepDocumentClient,
      recordUse: recordDocumentUse,
    }],
    metadata: { client_id_metadata_document_supported: true },
  };
}
