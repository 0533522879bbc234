/** Names the client by the URL of its metadata (draft-ietf-oauth-client-id-metadata-document). */

import type { ServerMetadata } from "./discovery.ts";
import type { Run } from "./habits.ts";

/** Returns a run of the client with its document, or `undefined` if the client has to register. */
export function loadMetadataClient({ all }: ServerMetadata, run: Run): Run | undefined {
  const { scenario, habits: { checks } } = run;
  if (!scenario.name?.startsWith("client_document.")) return undefined;
  const announced = all["client_id_metadata_document_supported"];
  // A client without checks takes every value that is not empty for a yes.
  if (checks ? announced !== true : !announced) return undefined;
  const clientId = new URL("/client.json", scenario.redirectUri).href;
  scenario.serve(() =>
    Response.json({
      client_id: clientId,
      client_name: "A client of a test",
      redirect_uris: [scenario.redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    })
  );
  return { ...run, scenario: { ...scenario, clientId } };
}
