/** The frame of every step of an interaction: the request is validated each time it comes, and each refusal answered. */

import type { Answer } from "../../http/message.ts";
import { noteRefusal, refusalPage } from "../endpoints/refuse.ts";
import { asOAuthError, fail, isFault, type OAuthError } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import { type Params, readForm, requireUnrepeatedForm } from "../params.ts";
import { findBrowser } from "../people/browser.ts";
import type { Services } from "../services.ts";
import { keepDenial, refuseIfAnswered } from "./approve.ts";
import type { Interaction, RequestEnd } from "./interaction.ts";
import type { PendingRequest } from "./pending_request.ts";
import { openPendingRequest } from "./sealed_request.ts";
import { requireOwnPage } from "./sending_page.ts";

export type InteractionReason = "user_denied";

/** The same steps for a request that just came and for one that comes back in a form. */
export async function interact(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
  work: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> {
  const { kind, grantId, arrivedBy, asked } = pending;
  exchange.note({ flow: grantId, ...(arrivedBy.length === 0 ? {} : { arrivedBy }) });
  const end = await services.slots.requestKinds.get(kind)!.findEnd(pending, exchange, services);
  // From here on refusals have somewhere to go. Only this and answer_request.ts catch.
  try {
    const refusal = asked ? await refuseIfAnswered(pending, exchange, services) : undefined;
    if (refusal !== undefined) return refusal;
    const { request, issue } = await end.validate();
    exchange.note({ scope: request.scope, resource: request.resource });
    return await work({ exchange, pending, request, issue });
  } catch (thrown) {
    return await refuse(asOAuthError(thrown, exchange.id), end, pending, exchange, services);
  }
}

async function refuse(
  error: OAuthError,
  end: RequestEnd,
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { client, redirectUri } = end;
  if (!end.accepts(error)) {
    const more = redirectUri === undefined ? {} : { wouldHaveGoneTo: redirectUri };
    return await refusalPage(error, exchange, services, more);
  }
  // A request that no page has shown cannot be answered twice, and after a fault it may be tried again.
  if (pending.asked && !isFault(error)) {
    const instead = await keepDenial(pending, client.id, exchange, services);
    if (instead !== undefined) return instead;
  }
  noteRefusal(error, exchange);
  return await end.refuse(error);
}

/** What a person sent back: the form, and the request that it was about. */
export async function readAnswer(
  exchange: Exchange,
  services: Services,
): Promise<{ readonly form: Params; readonly pending: PendingRequest }> {
  requireOwnPage(exchange, services);
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  const sealed = form.get("request");
  const pending = await openPendingRequest(sealed, "form", findBrowser(exchange, services), services);
  return { form, pending };
}

export function deny(): never {
  fail<InteractionReason>("access_denied", "The user said no", { reason: "user_denied" });
}
