/** The routes of client documents, which the server fetches without a network. Each gets an id when it is created. */

import type { ClientDocument, ClientDocumentTerms } from "../../kit/mock/client/client_document.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { type CallerAnswer, createCallerAnswer, requireCallerAnswer } from "./caller_answer.ts";
import type { RegisteredDocument } from "./controlled_tenants.ts";
import { type ControlRoute, route } from "./route.ts";
import { membersOf, resultOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { SchemasOf } from "../../ground/schema/schema_of.ts";
import { answerStatus } from "./schemas.ts";
import { withoutNulls } from "./without_nulls.ts";
import { present } from "../../ground/values/present.ts";

const answerMembers: SchemasOf<CallerAnswer> = {
  status: answerStatus,
  headers: schema.textMembers('The headers. Default: {"content-type": "application/json"}.'),
  body: schema.anyText("The body as text. Default: empty."),
};

export const clientDocument: Schema = resultOf("ClientDocument", {
  id: schema.text("The name of the document in the paths of other calls, for example document-1."),
  answer: schema.described(
    "The answer instead of the document, if a call has set one.",
    schema.openObject(answerMembers, { required: [] }),
  ),
});

export const clientDocumentRoutes: readonly ControlRoute[] = [
  route("GET /client_documents", "listClientDocuments", {
    summary: "Lists the client documents, and how often the server has fetched each one.",
    answer: schema.listOf("client_documents", clientDocument, "All documents, the oldest first."),
    handle: ({ documents }) => ({ client_documents: documents.list().map(describeDocument) }),
  }),
  route("POST /client_documents", "createClientDocument", {
    summary:
      "Hosts the metadata document of a client, which the server fetches without a network. Login and refresh know the " +
      "client then.",
    body: schema.closedObject({
      metadata: schema.object(
        "The members of the document. Default: a public client with a name and two redirect URIs.",
      ),
      ...membersOf<ClientDocumentTerms>("ClientDocumentTerms"),
    }, { example: { metadata: { client_name: "Notes" }, url: "https://notes.test/client.json" } }),
    created: clientDocument,
    handle({ tenant, documents, body: { metadata, url } }) {
      const document = tenant.clientDocument(metadata, present({ url }));
      const registered: RegisteredDocument = { document };
      return describeDocument([documents.add(registered), registered]);
    },
  }),
  route("PATCH /client_documents/{document}", "changeClientDocument", {
    summary:
      "Changes members of a client document, or answers with something else instead. The server fetches the document " +
      "again at its next use.",
    body: schema.closedObject({
      metadata: schema.object("The members to change. null removes a member."),
      answer: schema.described(
        "The answer instead of the document. null restores the document.",
        schema.orNull(schema.closedObject(answerMembers)),
      ),
    }, { example: { answer: { status: 503 } } }),
    answer: clientDocument,
    async handle({ documents, id, body: { metadata, answer } }) {
      const registered = documents.require(id);
      if (answer !== undefined) await setAnswer(registered, answer ?? undefined);
      if (metadata !== undefined) await registered.document.change(withoutNulls(metadata));
      return describeDocument([id, registered]);
    },
  }),
];

async function setAnswer(registered: RegisteredDocument, answer: CallerAnswer | undefined): Promise<void> {
  if (answer !== undefined) requireCallerAnswer(answer);
  await registered.document.respond(answer && (() => createCallerAnswer(answer)));
  registered.answer = answer;
}

function describeDocument(
  [id, { document, answer }]: readonly [id: string, registered: RegisteredDocument],
): object {
  const { client_id, metadata, requests }: ClientDocument = document;
  return { id, client_id, metadata, ...present({ answer }), requests };
}
