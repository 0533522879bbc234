/** The dashboard of `postern start`: who may open it, and with which key. */

import { basename } from "node:path";
import {
  createInspectorKey,
  type DashboardOptions,
  type DescribeSnippets,
} from "../../dashboard/dashboard_options.ts";
import { describeApplication } from "../forms/application.ts";
import { forms } from "../forms/application_forms.ts";
import { describePrintCommand } from "../forms/print_flags.ts";
import { planAccess } from "./control.ts";
import type { Plan } from "./plan.ts";
import { hidePassword } from "../../../ground/values/hide_password.ts";
import { nameProgram } from "../terminal/program.ts";
import type { StartFlags } from "./start_flags.ts";
import { present } from "../../../ground/values/present.ts";

/** Returns `undefined` if the server has no dashboard: by the flag, or where other machines reach it and there is no key. */
export function planDashboard(flags: StartFlags, plan: Plan): DashboardOptions | undefined {
  const { config: _, people, ...others } = flags;
  const { label, "inspector-key": key, "no-inspector": isOff, control, store } = others;
  const { isReached, port } = plan;
  // Other machines need not know the files of this one.
  const shown = isReached ? others : flags;
  if (isOff || isReached && key === undefined) return undefined;
  return {
    key: key ?? createInspectorKey(),
    isReached,
    program: nameProgram(),
    printCommand: (library) => describePrintCommand(shown, port, library).at(-1)!,
    ...present({ label, store: store && hidePassword(store) }),
    // Without people in the file, those of the configuration sign in.
    ...present({
      peopleFile: people === undefined || plan.peopleFile?.people === undefined
        ? undefined
        : basename(people),
    }),
    snippets: describeSnippets(plan),
    ...present({ control: control === undefined ? undefined : planAccess(control, plan) }),
  };
}

/** A start with `--no-inspector` does not load it. */
export async function loadDashboard(): Promise<typeof import("../../dashboard/served.ts")> {
  return await import("../../dashboard/served.ts");
}

function describeSnippets({ configuration }: Plan): DescribeSnippets {
  return (settings) =>
    Object.entries(forms).map(([id, { title }]) => ({
      id,
      name: title,
      text: describeApplication(id, settings, configuration).join("\n"),
    }));
}
