/** Client documents: the id of a client is the URL of its metadata, which the server fetches. */

import { documentSource } from "../../oauth/clients/stored_document.ts";
import { isUrlId } from "../../oauth/clients/client_id.ts";
import { listClients } from "../../oauth/clients/stored_client.ts";
import type { Feature } from "../../oauth/feature.ts";
import { lazy } from "../../oauth/lazy.ts";

const importFind = () => import("./document_client.ts");
const importKeep = () => import("./keep_document_client.ts");

export function clientDocuments(): Feature {
  return {
    name: "client_documents",
    spec: "draft-ietf-oauth-client-id-metadata-document",
    clientSources: [{
      name: documentSource,
      expects: () => "a client_id that is the https URL of the client's metadata document",
      owns: isUrlId,
      find: lazy(async () => (await importFind()).findDocumentClient),
      list: (services) => listClients(documentSource, services),
      keep: lazy(async () => (await importKeep()).keepDocumentClient),
      recordUse: lazy(async () => (await importKeep()).recordDocumentUse),
    }],
    metadata: { client_id_metadata_document_supported: true },
  };
}
