/** Answers at `/misbehaviours/look_alikes`. */

import type { Answer } from "../../../ground/http/message.ts";
import { requireNumbered } from "../../guard/require_numbered.ts";
import type { SwitchedLookAlike } from "../../../kit/mock/misbehaving/switched_on.ts";
import type { LookAlike } from "../../../kit/faults/look_alikes/look_alike.ts";
import { lookAlikes } from "../../../kit/faults/look_alikes/look_alikes.ts";
import { type LookAlikeName, lookAlikeNames, providers } from "../../../kit/faults/look_alikes/providers.ts";
import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../kit/mock/tenant.ts";
import { lookAlikesPage, type OnLookAlike, type ShownLookAlike } from "./look_alikes_page.tsx";
import type { PageCall } from "../page.ts";
import { answerSection, type FormAction, listClientIds, readText, refuseAction } from "./section.ts";
import { present } from "../../../ground/values/present.ts";

export function answerLookAlikes(call: PageCall): Promise<Answer> {
  return answerSection(call, {
    obey: switchLookAlike,
    show: (props) =>
      lookAlikesPage({
        ...props,
        lookAlikes: lookAlikeNames.map((name) => describeLookAlike(name, lookAlikes[name], call)),
        on: (call.watched.kit?.switchedOn.lookAlikes ?? []).map(describeOn),
        clients: listClientIds(call),
      }),
  });
}

function describeLookAlike(
  name: LookAlikeName,
  { differences, leftOut }: LookAlike,
  { pathOf, query }: PageCall,
): ShownLookAlike {
  return {
    name,
    title: providers[name].title,
    href: `${pathOf("misbehaviours", "/look_alikes")}?provider=${name}#${name}`,
    isOpen: query.get("provider") === name,
    leftOut,
    differences,
    misbehaviourHref: (misbehaviour) => pathOf("misbehaviours", `/${misbehaviour}`),
  };
}

function describeOn({ id, terms: { client }, looking: { name, count } }: SwitchedLookAlike): OnLookAlike {
  return { id, title: providers[name].title, count, ...present({ client }) };
}

function switchLookAlike(
  { form, action, id }: FormAction,
  { tenant, switchedOn }: RunningTenant<Tenant>,
): void {
  if (action === "switch_off") {
    return requireNumbered("look_alike", id, switchedOn.lookAlikes).looking[Symbol.dispose]();
  }
  const name = lookAlikeNames.find((each) => each === id);
  if (action !== "switch_on" || name === undefined) refuseAction();
  tenant.lookLike(name, present({ client: readText(form, "client") }));
}
