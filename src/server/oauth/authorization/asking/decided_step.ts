/** Answers without a page as a test has decided, in place of a person. */

import type { Services } from "../../contracts/feature.ts";
import type { Interaction } from "../../contracts/authorization_request.ts";
import { deny } from "./end_request.ts";
import { mayContinue, type PersonStep, requireNamedPerson } from "./next_step.ts";

/** Returns `undefined` if no test decides this request. */
export async function findDecidedStep(
  interaction: Interaction,
  services: Services,
): Promise<PersonStep | undefined> {
  const decision = await services.slots.decides?.(interaction, services);
  if (decision === undefined) return undefined;
  if ("denied" in decision) deny();
  const { person, account } = decision;
  await requireNamedPerson(person, interaction.request, services);
  const canContinue = account !== undefined && mayContinue(account, interaction, services);
  return { person, ...(canContinue ? { account } : {}), leftOut: [] };
}
