/** Client documents: the id of a client is the URL of its metadata, which the server fetches. */

import { isUrlId } from "../../oauth/clients/metadata/client_id.ts";
import { isReachedFromElsewhere } from "../../oauth/clients/reach/reached_from_elsewhere.ts";
import { listClients } from "../../oauth/clients/records/stored_client.ts";
import type { Feature } from "../../oauth/contracts/feature.ts";
import type { CoreOptions } from "../../oauth/contracts/core_options.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { documentSource } from "../../oauth/clients/records/cached_document.ts";
import { findDocumentClient } from "./document_client.ts";
import { keepDocumentClient, recordDocumentUse } from "./keep_document_client.ts";

/** The option of client documents. */
export interface ClientDocumentsOptions {
  /**
   * Whether the id of a client may be the https URL of its metadata, which the server fetches. Default: `true` if other
   * machines cannot reach the server, otherwise `false`.
   */
  readonly clientDocuments?: boolean;
}

const setting: Setting<boolean> = { name: "clientDocuments", schema: { type: "boolean" } };

export function clientDocuments(configuration: ClientDocumentsOptions & CoreOptions): Feature {
  return {
    name: "client_documents",
    spec: "draft-ietf-oauth-client-id-metadata-document",
    settings: [setting],
    isOff: !(configuration.clientDocuments ?? !isReachedFromElsewhere(configuration)),
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
