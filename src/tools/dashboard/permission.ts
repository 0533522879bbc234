/** Decides what a request to a page of the dashboard may see and change. Every page asks here. */

import { ControlRefused } from "../guard/control_refused.ts";
import type { Services } from "../../server/oauth/contracts/feature.ts";
import type { Change } from "./parts/read_only.tsx";
import type { WhyReadOnly } from "./parts/read_only_english.ts";
import type { Session } from "./session.ts";
import type { DashboardOptions } from "./dashboard_options.ts";
import type { Visit } from "./visit.ts";

/** What a person can show to see or change more. */
export interface Sessions {
  /** Opened by the key. */
  readonly inspector: Session;
  /** Opened by the control token. Absent: the control plane needs no token, or does not exist. */
  readonly control?: Session;
}

export type MayChange = Change["may"];

export interface Permission {
  /** The request may open the pages. They show what is no secret. */
  readonly maySee: boolean;
  /** The answer may have codes and tokens, and the journal and the lists as files. */
  readonly seesSecrets: boolean;
  readonly mayChange: MayChange;
  /** The passes of the request that are right. The answer carries them on. */
  readonly passes: readonly string[];
  /** The browser has opened a session, and the request has no pass of it: perhaps its tab has. */
  readonly lacksPass: boolean;
}

export function findPermission(
  { request, passes }: Visit,
  services: Services,
  { terms: { control, embedded, isReached, showsSecrets }, sessions }: {
    readonly terms: DashboardOptions;
    readonly sessions: Sessions;
  },
): Permission {
  const keyPass = sessions.inspector.findPass(passes, request, services);
  const tokenPass = sessions.control?.findPass(passes, request, services);
  const right = [keyPass, tokenPass].filter((each) => each !== undefined);
  const isOpen = sessions.inspector.isOpen(request, services);

  function decideChange(): MayChange {
    if (control === undefined) return whyReadOnly[embedded ?? "start"];
    if (sessions.control !== undefined) return tokenPass === undefined ? "needs_token" : "yes";
    // Without a token, every program on this machine may change the server. Others show the key.
    return isReached && keyPass === undefined ? "needs_key" : "yes";
  }

  return {
    maySee: !isReached || isOpen,
    seesSecrets: showsSecrets === true || keyPass !== undefined,
    mayChange: decideChange(),
    passes: right,
    lacksPass: right.length === 0 && (isOpen || sessions.control?.isOpen(request, services) === true),
  };
}

export function requireChange({ mayChange }: Pick<Permission, "mayChange">): void {
  if (mayChange === "yes") return;
  if (mayChange === "needs_token" || mayChange === "needs_key") {
    throw new ControlRefused("invalid_token", missingSecrets[mayChange], { expected: passForm });
  }
  const { message, expected } = readOnlyRefusals[mayChange];
  throw new ControlRefused("access_denied", message, { expected });
}

export function requireSecrets({ seesSecrets }: Pick<Permission, "seesSecrets">): void {
  if (seesSecrets) return;
  throw new ControlRefused("access_denied", "A file needs the key of the inspector", { expected: passForm });
}

const passForm = "the button of a page on which the person has typed it, because a cookie is not enough";

const missingSecrets = {
  needs_token: "This change needs the token of --control",
  needs_key: "This change needs the key of the dashboard",
} as const;

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
