/** The steps that new requests, addresses of pages and forms take alike: the request is validated, and ends or asks. */

import type { Answer } from "../../../http/message.ts";
import { asOAuthError } from "../../as_oauth_error.ts";
import { noteAccess } from "../../clients/note_access.ts";
import type { Exchange } from "../../exchange.ts";
import { lazy } from "../../lazy.ts";
import type { Services } from "../../services.ts";
import type { Interaction, PendingRequest } from "./contract.ts";
import { approve, refuse, refuseIfAnswered } from "./end_request.ts";
import { type PageStep, refuseToAsk, type Step } from "./next_step.ts";

// Most tests show no page.
const importPages = () => import("./question_pages.ts");
const showPage = lazy(async () => (await importPages()).showPage);
const goToPage = lazy(async () => (await importPages()).goToPage);

/** Validates the request and calls `work`. New requests, addresses and forms take the same steps. */
export async function answerRequest(
  pending: PendingRequest,
  exchange: Exchange,
  services: Services,
  work: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> {
  const { kind, grantId, arrivedBy, asked } = pending;
  exchange.preferLanguages(pending.params.get("ui_locales"));
  exchange.note({ flow: grantId });
  if (arrivedBy.length > 0) exchange.note({ arrivedBy });
  const end = await services.slots.requestKinds.get(kind)!.findEnd(pending, exchange, services);
  // From here on, errors can be sent to the client.
  try {
    const secondAnswer = asked ? await refuseIfAnswered(pending, exchange, services) : undefined;
    if (secondAnswer !== undefined) return secondAnswer;
    const { request, issue } = await end.validate();
    if (asked) exchange.note({ scope: request.scope, resource: request.resource });
    else noteAccess(request, exchange, services);
    return await work({ exchange, pending, request, issue });
  } catch (thrown) {
    return await refuse(asOAuthError(thrown, exchange.id), end, pending, exchange, services);
  }
}

/** Takes the next step: approves the request if no question is left, and otherwise asks. */
export async function take(step: Step, interaction: Interaction, services: Services): Promise<Answer> {
  const { request, pending } = interaction;
  if (step.question === undefined) return await approve(step, interaction, services);
  if (request.prompt?.includes("none")) refuseToAsk(step.question);
  const page = step as PageStep;
  return pending.asked
    ? await goToPage(page, interaction, services)
    : await showPage(page, interaction, services);
}
