/** What the dashboard adds to the page of the control plane. */
/** @jsxImportSource preact */

import { pathAndQuery } from "../../../ground/http/address.ts";
import { controlPath } from "../../guard/control_paths.ts";
import type { ControlVisit } from "../../guard/control_dashboard.ts";
import type { PageCall } from "../page.ts";
import { FormToken } from "../parts/pass.tsx";
import { ReadOnlyNote } from "../parts/read_only.tsx";
import { present } from "../../../ground/values/present.ts";

export function describeControlVisit(call: PageCall): ControlVisit {
  const { request, form, seesSecrets, neverShown, mayChange, forms, show } = call;
  const here = pathAndQuery(request.address);
  const targetOf = (name: string) => `${controlPath} ${name}`;
  return {
    ...{ request, form, seesSecrets, neverShown, show },
    keyUrl: call.secretUrl("inspector", here),
    ...present({
      readOnly: mayChange === "yes" ? undefined : <ReadOnlyNote change={call.describeChange(here)} />,
    }),
    hiddenFields: (name) => <FormToken token={forms.target(targetOf(name)).token} />,
    requireForm: (name) => void call.readChange(targetOf(name)),
  };
}
