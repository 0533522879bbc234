/** The dashboard of `postern start`: who may open it, and with which key. */

import { basename } from "node:path";
import {
  createInspectorKey,
  type DashboardTerms,
  type DescribeSnippets,
  inspectorKeyForm,
  isInspectorKey,
} from "../dashboard/terms.ts";
import { applicationForms, loadForms, titleOf } from "./application.ts";
import type { GivenFlags } from "./flags.ts";
import { CommandError } from "./command_error.ts";
import { isControlOpen } from "./control.ts";
import type { Plan } from "./plan.ts";
import { hidePassword } from "../store/store_url.ts";
import { nameProgram } from "./program.ts";
import { present } from "../present.ts";

/** An alternative to the flag, because other users of this machine can read a command line. */
export const inspectorKeyVariable = "POSTERN_INSPECTOR_KEY";

export type DashboardFlags = GivenFlags<
  "label" | "inspector-key" | "people" | "store",
  "no-inspector",
  "control"
>;

/** Returns `undefined` if the server has no dashboard: by the flag, or where other machines reach it and there is no key. */
export function planDashboard(
  { label, "inspector-key": typedKey, "no-inspector": isOff, control, people, store }: DashboardFlags,
  plan: Plan,
  environment: Readonly<Record<string, string | undefined>>,
): DashboardTerms | undefined {
  const { isReached } = plan;
  const given = typedKey ?? environment[inspectorKeyVariable];
  if (given !== undefined && !isInspectorKey(given)) {
    throw new CommandError(`${inspectorKeyVariable} must be a key of ${inspectorKeyForm}`);
  }
  if (isOff && typedKey !== undefined) {
    throw new CommandError("--inspector-key opens the inspector that --no-inspector removes: give one");
  }
  if (isOff || isReached && given === undefined) return undefined;
  return {
    key: given ?? createInspectorKey(),
    isReached,
    program: nameProgram(),
    ...present({ label, store: store && hidePassword(store) }),
    // Without people in the file, those of the configuration sign in.
    ...(people === undefined || plan.peopleFile?.people === undefined
      ? {}
      : { peopleFile: basename(people) }),
    loadSnippets: () => loadSnippets(plan),
    ...(control === undefined ? {} : {
      control: {
        ...(control === true ? {} : { token: control }),
        open: isControlOpen(control, plan),
      },
    }),
  };
}

async function loadSnippets({ configuration }: Plan): Promise<DescribeSnippets> {
  const describeApplication = await loadForms(applicationForms);
  return (settings) =>
    applicationForms.map((form) => ({
      id: form,
      name: titleOf(form),
      text: describeApplication(form, settings, configuration).join("\n"),
    }));
}
