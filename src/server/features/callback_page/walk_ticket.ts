/** The ticket of a walk's form: an encrypted text that only this server can make, and that opens in one browser only. */

import { type Browser, encryptForBrowser, openForBrowser } from "../../oauth/people/browser.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { walkLifetime } from "./walk_store.ts";

const refusal = refusals({
  walk_form_not_ours: {
    error: "invalid_request",
    status: 403,
    spec: "RFC 9700 §4.7",
    sentence: "This server did not create this form for this browser",
    expected: "the cookies that came with the form: allow cookies, and start a new authorization",
    change: "Allow cookies, and press the button on the page that the server showed to this browser.",
  },
  walk_form_too_old: {
    error: "invalid_request",
    sentence: "This form is more than an hour old",
    expected: "a new authorization",
    change: "Start a new authorization, and press the button within an hour.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface WalkTicket {
  readonly code: string;
  readonly state?: string;
  /** The number of steps that were begun when the page was made. A form that is sent twice takes one step. */
  readonly begun: number;
  readonly createdAt: number;
}

const purpose = "walk form";

export async function encryptTicket(
  ticket: Omit<WalkTicket, "createdAt">,
  browser: Browser,
  services: Services,
): Promise<string> {
  const created: WalkTicket = { ...ticket, createdAt: Math.floor(services.now()) };
  return await encryptForBrowser(created, purpose, browser, services);
}

/** Opens a ticket. Throws if another browser got it, because such a form may be a forgery (RFC 9700 §4.7). */
export async function openTicket(
  encrypted: string | undefined,
  browser: Browser | undefined,
  services: Services,
): Promise<WalkTicket> {
  const ticket = await openForBrowser<WalkTicket>(encrypted, purpose, browser, services);
  if (ticket === undefined) throw refusal("walk_form_not_ours");
  if (ticket.createdAt + walkLifetime <= services.now()) throw refusal("walk_form_too_old");
  return ticket;
}
