/**
 * The one entry to all that asks a person: a request comes in here, and so does each form of its pages. The request is
 * validated, the next step is found, and a page asks or the request ends. The answer leaves by the `RequestEnd`.
 */

import type { Answer } from "../../../http/message.ts";
import type { Exchange } from "../../exchange.ts";
import { lazy } from "../../lazy.ts";
import type { Params } from "../../params.ts";
import { findAccounts } from "../../people/find_session.ts";
import type { Services } from "../../services.ts";
import { answerRequest, take } from "./answer_request.ts";
import { findAutomaticStep, requireVisibleRequest } from "./automatic_sign_in.ts";
import type { Reply, ResolvedRequest, SentForm } from "./contract.ts";
import { findNextStep } from "./next_step.ts";
import { createPendingRequest, readAddress } from "./pending_request.ts";

// Most tests show no page.
const importForms = () => import("./answer_form.ts");
const showPageAt = lazy(async () => (await importForms()).showPageAt);

/** A request at the endpoint of its kind. */
export interface ReceivedRequest {
  /** The name of the `RequestKind`. */
  readonly kind: string;
  readonly params: Params;
  /** Returns the request of these parameters, unless they are the address of a page. */
  resolve(): Promise<ResolvedRequest>;
}

/** Answers a new request without a page if possible. Otherwise shows the first page, or the page of an address. */
export async function askPerson(
  { kind, params, resolve }: ReceivedRequest,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const shown = await showAddressedPage(params, exchange, services);
  if (shown !== undefined) return shown;
  const pending = createPendingRequest(kind, await resolve(), services);
  requireVisibleRequest(exchange, pending.params, services);
  return await answerRequest(pending, exchange, services, async (interaction) => {
    const step = await findAutomaticStep(interaction, services) ??
      await findNextStep(interaction, await findAccounts(exchange, services), services);
    return await take(step, interaction, services);
  });
}

/** Shows the page of an address. Returns `undefined` if the parameters are no address. */
export async function showAddressedPage(
  params: Params,
  exchange: Exchange,
  services: Services,
): Promise<Answer | undefined> {
  const address = readAddress(params, exchange);
  return address === undefined ? undefined : await showPageAt(address, exchange, services);
}

/** Leads to the first page of a new request that only a person may answer. Automatic sign-in does not count. */
export const askOnPages: (
  request: { readonly kind: string; readonly resolved: ResolvedRequest },
  exchange: Exchange,
  services: Services,
) => Promise<Answer> = lazy(async () => (await importForms()).askOnPages);

/** Reads the form of a page, and the request that it carries. Parameters in `repeatable` may be repeated. */
export const readSentForm: (
  exchange: Exchange,
  services: Services,
  repeatable?: readonly string[],
) => Promise<SentForm> = lazy(async () => (await importForms()).readSentForm);

/** Answers a form. `read` finds out what the person says with it, if the request is still valid and not denied. */
export const answerForm: (
  sent: SentForm,
  exchange: Exchange,
  services: Services,
  read: () => Reply | Promise<Reply>,
) => Promise<Answer> = lazy(async () => (await importForms()).answerForm);
