/** Decides which requests may change the server through a page of the dashboard. */

import { ControlRefused } from "../control/control_refused.ts";
import type { IncomingRequest } from "../http/message.ts";
import type { WhyReadOnly } from "../pages/words/english.ts";
import type { MayChange, Sessions } from "./page.ts";
import type { DashboardTerms } from "./terms.ts";
import type { Watched } from "./watched.ts";

export interface PermissionTerms {
  readonly terms: DashboardTerms;
  readonly sessions: Sessions;
}

export function findPermission(
  request: IncomingRequest,
  { services }: Watched,
  { terms: { control, embedded }, sessions }: PermissionTerms,
): MayChange {
  if (control === undefined) return whyReadOnly[embedded ?? "start"];
  return sessions.control?.isOpen(request, services) === false ? "needs_token" : "yes";
}

/** Throws a `ControlRefused` if the request must not change the server. */
export function requirePermission(mayChange: MayChange): void {
  if (mayChange === "yes") return;
  if (mayChange === "needs_token") {
    throw new ControlRefused("invalid_token", "This change needs the token of --control");
  }
  const { message, expected } = readOnlyRefusals[mayChange];
  throw new ControlRefused("access_denied", message, { expected });
}

const whyReadOnly = { start: "needs_flag", mock: "needs_option", server: "never" } as const;

const readOnlyRefusals: Readonly<
  Record<WhyReadOnly, { readonly message: string; readonly expected: string }>
> = {
  needs_flag: {
    message: "This server was started without --control, so its pages change nothing",
    expected: "a server that was started with --control",
  },
  needs_option: {
    message: "This dashboard was opened without change: true, so its pages change nothing",
    expected: "openDashboard(as, { change: true })",
  },
  never: {
    message: "This server has no test kit, so its pages change nothing",
    expected: "a mock of the test kit, or a server that was started with --control",
  },
};
