/** Refuses demo clients and demo people at an issuer that other machines can reach. */

import { isReachedFromElsewhere } from "../oauth/clients/reached_from_elsewhere.ts";
import { refuseOption } from "../oauth/set_up_mistake.ts";
import type { Configuration } from "./configuration.ts";

/** The demo credentials are published, so only `exposeDemo` allows them at an issuer that other machines can reach. */
export function requireOwnAccounts(
  { clients, people, exposeDemo = false }: Configuration,
  issuer: string,
): void {
  // A program that serves https itself may have an https issuer on loopback.
  if (exposeDemo || !isReachedFromElsewhere({ issuer, servesHttps: true })) return;
  const missing = clients === undefined ? "clients" : people === undefined ? "people" : undefined;
  if (missing === undefined) return;
  refuseOption(
    missing,
    `must be configured, because other machines may reach ${issuer}, and anyone could use the demo ${missing}: ` +
      "configure clients and people, or set exposeDemo to true (--expose-demo)",
  );
}
