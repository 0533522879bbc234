/** The ticket of a walk's form: a sealed text that only this server can make, and that opens in one browser only. */

import { seal, unseal } from "../../crypto/seal.ts";
import { fail } from "../../oauth/error.ts";
import type { Browser } from "../../oauth/people/browser.ts";
import type { Services } from "../../oauth/services.ts";
import { walkLifetime } from "./walk_store.ts";

export type WalkTicketReason = "walk_form_not_ours" | "walk_form_too_old";

export interface WalkTicket {
  readonly code: string;
  readonly state?: string;
  /** The number of steps that were begun when the page was made. A form that is sent twice takes one step. */
  readonly begun: number;
  readonly createdAt: number;
}

const boundTo = ({ secret }: Pick<Browser, "secret">) => `walk form ${secret}`;

export async function sealTicket(
  ticket: Omit<WalkTicket, "createdAt">,
  browser: Browser,
  { keys, now, random }: Services,
): Promise<string> {
  const text = JSON.stringify({ ...ticket, createdAt: Math.floor(now()) } satisfies WalkTicket);
  return seal(await keys.sealingKey(), text, boundTo(browser), random);
}

/** Opens a ticket. Throws if another browser got it, because such a form may be a forgery (RFC 9700 §4.7). */
export async function openTicket(
  sealed: string | undefined,
  browser: Browser | undefined,
  { keys, now }: Services,
): Promise<WalkTicket> {
  const text = sealed && browser && unseal(await keys.sealingKey(), sealed, boundTo(browser));
  if (!text) {
    fail<WalkTicketReason>("invalid_request", "This server did not create this form for this browser", {
      reason: "walk_form_not_ours",
      status: 403,
      spec: "RFC 9700 §4.7",
      expected: "the cookies that came with the form: allow cookies, and start a new authorization",
    });
  }
  const ticket = JSON.parse(text) as WalkTicket;
  if (ticket.createdAt + walkLifetime <= now()) {
    fail<WalkTicketReason>("invalid_request", "This form is more than an hour old", {
      reason: "walk_form_too_old",
      expected: "a new authorization",
    });
  }
  return ticket;
}
