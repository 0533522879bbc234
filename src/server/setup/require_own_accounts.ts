/** Refuses demo clients and demo people at an issuer that other machines can reach. */

import { isReachedFromElsewhere, listNames } from "../oauth/clients/reached_from_elsewhere.ts";
import { refuseOption } from "../oauth/set_up_mistake.ts";
import type { Settings } from "../oauth/settings.ts";
import type { Configuration } from "./configuration.ts";

/** The demo credentials are published, so only `exposeDemo` allows them at an issuer that other machines can reach. */
export function requireOwnAccounts(
  { clients, people, exposeDemo = false }: Configuration,
  names: Pick<Settings, "issuer" | "also">,
): void {
  // A program that serves https itself may have an https issuer on loopback.
  if (exposeDemo || !isReachedFromElsewhere({ ...names, servesHttps: true })) return;
  const missing = clients === undefined ? "clients" : people === undefined ? "people" : undefined;
  if (missing === undefined) return;
  refuseOption(
    missing,
    `must be configured, because other machines may reach ${
      listNames(names)
    }, and anyone could use the demo ${missing}: ` +
      "configure clients and people, or set exposeDemo to true (--expose-demo)",
  );
}
