/** The flags of a test kit that listens: `--control`, `--misbehave`, `--like`, `--workload` and those of snapshots. */

import { isLoopbackUri } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import { type MisbehaviourName, serverMisbehaviours } from "../../../kit/faults/names.ts";
import { isLoopbackHost } from "../../../ground/http/address.ts";
import { controlPath } from "../../guard/control_paths.ts";
import { shortestToken } from "../../guard/control_token.ts";
import { suggestMisbehaviour } from "../../../kit/faults/plain_words.ts";
import type { DashboardOptions } from "../../dashboard/dashboard_options.ts";
import type { ControlSummary } from "./banner.ts";
import { CommandError } from "../terminal/command_error.ts";
import { describeReach, type Plan } from "./plan.ts";
import type { StartFlags } from "./start_flags.ts";

const others = ["misbehave", "like", "workload", "snapshot", "write-snapshot"] as const;

export function needsTestKit(flags: StartFlags): boolean {
  return (["control", ...others] as const).some((name) => flags[name] !== undefined);
}

export function requireFitForControl(flags: StartFlags, plan: Plan): void {
  const { control, watch } = flags;
  const given = `--${others.find((name) => flags[name] !== undefined)}`;
  if (watch) {
    throw new CommandError(
      control === undefined
        ? `--watch would start a server without ${given} at each change: use one of the two`
        : "--watch would undo changes of people and clients made through --control: use one of the two",
    );
  }
  const { host, isReached, settings } = plan;
  if (!isReached || typeof control === "string" && control.length >= shortestToken) return;
  // Without a token, a person on another machine could take a wrong answer for a real one.
  const needed = control === undefined ? `${given} needs --control with` : "--control needs";
  throw new CommandError(
    `${describeReach(host, settings)}, so ${needed} a token of ${shortestToken} characters or more`,
  );
}

export function readMisbehaveFlag(text: string | undefined): readonly MisbehaviourName[] {
  const names = text?.split(",") ?? [];
  return names.map((name) => {
    const known = serverMisbehaviours.find((each) => each === name);
    if (known !== undefined) return known;
    const similar = suggestMisbehaviour(name, serverMisbehaviours);
    throw new CommandError(
      `there is no misbehaviour ${JSON.stringify(name)}: the command misbehaviours lists them${similar}`,
    );
  });
}

/** Requests through a proxy are accepted if other machines can reach the server: they need the token. */
export function planAccess(
  control: string | true,
  { host, settings: { issuer } }: Plan,
): NonNullable<DashboardOptions["control"]> {
  if (control === true) return { open: false };
  return { token: control, open: !isLoopbackHost(host) || !isLoopbackUri(issuer) };
}

/** `socket` is the origin of the socket. Programs of the operator use it, if it is on this machine. */
export function summariseControl(
  control: string | true,
  { host, settings: { issuer } }: Plan,
  { socket, store }: { readonly socket: string; readonly store: string },
): ControlSummary {
  const needsToken = control !== true;
  return {
    url: `${isLoopbackHost(host) ? socket : new URL(issuer).origin}${controlPath}`,
    needsToken,
    hasPublishedKeys: !needsToken && store === "memory",
  };
}
