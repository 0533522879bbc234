/** Wrong answers to clients whose id is the URL of their metadata (draft-ietf-oauth-client-id-metadata-document). */

import { answerInstead, changeMetadata, htmlPage, jsonAnswer, setting } from "../changes.ts";
import { moreThan, startsLogin, to } from "../finds.ts";
import type { Seen } from "../seen.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";

export const clientDocument: FaultsOf<"client_document"> = faultsOf("client_document", {
  level: "hardening",
  phase: "register",
  needs: ["client_document"],
}, {
  announced_as_text: {
    server: 'The metadata has the text "false" for the support of client documents.',
    client: "Takes only the value true for support, and registers.",
    rule: "Client ID Metadata Document §6",
    // A client that knows nothing of documents registers, too.
    watch: { never: to("authorize", namesDocument), wordProvesNothing: true },
    acts: changeMetadata(setting({ client_id_metadata_document_supported: "false" })),
  },
  fetch_fails: {
    server: "The server cannot load the document of the client, and shows an error page to the person.",
    client: "Does not begin the login again and again.",
    rule: "Client ID Metadata Document §4",
    bugs: ["workers-oauth-provider#248"],
    watch: { never: moreThan(3, startsLogin) },
    acts: answerInstead(
      "authorize",
      (_tools, { exchange: { request: { address } } }) =>
        address.query.includes("client_id=http") ? { ...htmlPage, status: 400 } : undefined,
    ),
  },
  refused: {
    level: "robustness",
    server:
      "The token endpoint answers invalid_client to the URL of a document, although the metadata announces documents.",
    client: "Registers instead.",
    rule: "RFC 6749 §5.2",
    bugs: ["hermes-agent#89566"],
    watch: { sign: to("register") },
    acts: answerInstead("token", async (_tools, { exchange }) => {
      const body = new URLSearchParams(await exchange.body().catch(() => ""));
      return isUrl(body.get("client_id"))
        ? jsonAnswer(401, { error: "invalid_client", error_description: "The client is unknown" })
        : undefined;
    }),
  },
});

function isUrl(clientId: string | null): boolean {
  return clientId !== null && /^https?:/.test(clientId);
}

function namesDocument({ params }: Seen): boolean {
  return isUrl(params.get("client_id"));
}
