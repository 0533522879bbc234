/** Runs each step of answering a request: validates the request, does the step, and answers its errors. */

import type { Answer } from "../../../http/message.ts";
import { noteRefusal, refusalPage } from "../../refuse.ts";
import { asOAuthError } from "../../as_oauth_error.ts";
import { isFault, type OAuthError } from "../../error.ts";
import type { Exchange } from "../../exchange.ts";
import { type Params, readForm, requireUnrepeatedForm } from "../../params.ts";
import { findBrowser } from "../../people/browser.ts";
import { type RefusalRows, refusals } from "../../refusals.ts";
import type { Services } from "../../services.ts";
import { refuseIfAnswered, storeDenial } from "./approve.ts";
import type { Interaction, RequestEnd } from "./interaction.ts";
import type { PendingRequest } from "./pending_request.ts";
import { openPendingRequest } from "./sealed_request.ts";
import { requireOwnPage } from "../sending_page.ts";
import { present } from "../../../present.ts";

const refusal = refusals({
  user_denied: {
    error: "access_denied",
    sentence: "The person said no",
    change: "Approve instead: the person pressed Deny, so the client must handle access_denied.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Validates the request and calls `work`. New requests and requests that return in a form take the same steps. */
export async function interact(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
  work: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> {
  const { kind, grantId, arrivedBy, asked } = pending;
  exchange.preferLanguages(pending.params.get("ui_locales"));
  exchange.note({ flow: grantId, ...(arrivedBy.length === 0 ? {} : { arrivedBy }) });
  const end = await services.slots.requestKinds.get(kind)!.findEnd(pending, exchange, services);
  // From here on, errors can be sent to the client. Only this function and `answerRequest` catch errors.
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
    const more = present({ wouldHaveGoneTo: redirectUri });
    return await refusalPage(error, exchange, services, more);
  }
  // No denial is stored for a request without a page, which cannot be answered twice, nor after a fault of the server,
  // so that the person can try again.
  if ((pending.asked || pending.canArriveAgain) && !isFault(error)) {
    const secondAnswer = await storeDenial(pending, client.id, exchange, services);
    if (secondAnswer !== undefined) return secondAnswer;
  }
  noteRefusal(error, exchange);
  return await end.refuse(error);
}

/** Reads the form that a person sent, and the request that the form carries. Parameters in `repeatable` may be repeated. */
export async function readAnswer(
  exchange: Exchange,
  services: Services,
  repeatable: readonly string[] = [],
): Promise<{ readonly form: Params; readonly pending: PendingRequest }> {
  requireOwnPage(exchange, services);
  const form = await readForm(exchange);
  requireUnrepeatedForm(form, repeatable);
  const sealed = form.get("request");
  const pending = await openPendingRequest(sealed, "form", findBrowser(exchange, services), services);
  return { form, pending };
}

/** Ends the request because the person denied it. */
export function deny(): never {
  throw refusal("user_denied");
}
