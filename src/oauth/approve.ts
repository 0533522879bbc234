/** The yes: a grant is put under the id that the request had from the start, and the client gets its answer. */

import type { Answer } from "../http/message.ts";
import { empty } from "../http/respond.ts";
import { answerClient } from "./answer_client.ts";
import { adoptClient } from "./client.ts";
import { OAuthError } from "./error.ts";
import { grants } from "./grant.ts";
import type { Interaction } from "./interaction.ts";
import { refusalPage } from "./refuse.ts";
import type { Services } from "./services.ts";
import { rememberClient, type SignedIn } from "./session.ts";

export type ApproveReason = "already_approved";

export async function approve(
  { exchange, pending, target, request }: Interaction,
  { person, authTime, amr, session }: SignedIn,
  services: Services,
): Promise<Answer> {
  const { store, now } = services;
  exchange.note({ subject: person.subject });
  // RFC 9110 §9.2.1: HEAD looks and changes nothing.
  if (exchange.request.method === "HEAD") return empty(200);
  const client = await adoptClient(target.client, services);
  const { grant, expiresAt, params } = request.responseType.issue({
    grantId: pending.grantId,
    request: { ...request, client },
    subject: person.subject,
    authTime,
    amr,
    ...(session === undefined ? {} : { session }),
  }, services);
  if (session !== undefined) await rememberClient(session, client.id, services);
  const version = await store.put(grants, pending.grantId, grant, { expiresAt, now: now(), if: null });
  // Two tabs, or Back and once more. Not a redirect: the client has its answer, and this is not another one.
  if (version === undefined) {
    const twice = new OAuthError("invalid_request", "This request has been approved already", {
      reason: "already_approved" satisfies ApproveReason,
      expected: "one approval for one request: start again from the application",
    });
    return await refusalPage(twice, exchange, services);
  }
  return await answerClient(target, params, exchange, services);
}
