/** Answers a device login in place of the person, who would type the code on a page (RFC 8628 §3.3). */

import { describeValue } from "../../../ground/schema/received.ts";
import type { SignInDecision } from "../conditions/decisions.ts";
import { type NextSignIn, readNextSignIn } from "../conditions/next_sign_in.ts";
import { readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { requirePerson } from "../terms/configured.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { type Browser, createBrowser } from "./browser.ts";
import type { PersonTerms } from "./person_terms.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { visit } from "./visit.ts";

/** Options of `approveDevice`. */
export type ApproveDeviceTerms = Pick<PersonTerms, "browser">;

const doing = "approve a device";

export async function approveDevice(
  userCode: string,
  answer: NextSignIn | undefined,
  options: ApproveDeviceTerms,
  running: RunningTenant,
): Promise<void> {
  running.requireOpen();
  requireTerms(doing, options, types.ApproveDeviceTerms);
  if (typeof userCode !== "string" || userCode.trim() === "") {
    throw new TypeError(
      `Cannot ${doing}: expected the user_code that the device shows, but got ${describeValue(userCode)}`,
    );
  }
  const decision = answer === undefined
    ? { person: requirePerson(undefined, running) }
    : readNextSignIn(answer, running);
  await answerDevice(doing, { userCode, decision, browser: options.browser ?? createBrowser() }, running);
}

interface DeviceAnswer {
  readonly userCode: string;
  readonly decision: SignInDecision;
  readonly browser: Browser;
}

/** Resolves when the server has stored the answer. */
export async function answerDevice(
  doing: string,
  { userCode, decision, browser }: DeviceAnswer,
  running: RunningTenant,
): Promise<void> {
  const { settings: { baseUrl }, slots } = running.services;
  const form = slots.endpoints.find(({ name }) => name === "device_verification");
  if (form === undefined) throw new TypeError(`Cannot ${doing}: this server has no device logins`);
  const { answer: received, facts } = await visit(
    browser,
    { url: baseUrl + form.path, form: [["user_code", userCode]], decision },
    running,
  );
  // The page after a denial has this status, too, unlike those of other refusals.
  if (received.status === 200) return;
  throw refusedBy(doing, facts, readReceived(received), "the end of the device login");
}
