/** Answers at `/misbehaviours/NAME`: explains one misbehaviour, switches it on and off, and shows its verdict. */

import type { Answer } from "../../../ground/http/message.ts";
import { requireNumbered } from "../../guard/require_numbered.ts";
import { describeMisbehaviour } from "../../../kit/faults/choose.ts";
import { faultySideOf, type MisbehaviourName } from "../../../kit/faults/names.ts";
import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import type { Tenant } from "../../../kit/mock/tenant.ts";
import { misbehaviourPage, type MisbehaviourProps } from "./misbehaviour_page.tsx";
import type { WrongProps } from "./misbehaviour_parts.tsx";
import type { PageCall } from "../page.ts";
import { describeWatched, listEvidence } from "./describe_on.ts";
import type { EndedMisbehaviours } from "./ended.ts";
import { writeExamples } from "./examples.ts";
import { settleAs } from "./examine/settle_as.ts";
import {
  answerSection,
  type FormAction,
  listClientIds,
  listUsernames,
  readNumber,
  readText,
  refuseAction,
} from "./section.ts";
import { writeListOptions, writeWord } from "../inspector/list_options.ts";
import { present } from "../../../ground/values/present.ts";

export function answerMisbehaviour(
  name: MisbehaviourName,
  call: PageCall,
  ended: EndedMisbehaviours,
): Promise<Answer> {
  return answerSection(call, {
    obey: (action, kit) => obey(name, action, kit, ended),
    show: (props) => misbehaviourPage({ ...props, ...describePage(name, call, ended) }),
  });
}

async function obey(
  name: MisbehaviourName,
  { form, action, id }: FormAction,
  kit: RunningTenant<Tenant>,
  ended: EndedMisbehaviours,
): Promise<void> {
  const find = () => requireNumbered("misbehaviour", id, kit.switchedOn.misbehaviours);
  switch (action) {
    case "switch_on":
      return switchOn(name, form, kit);
    case "switch_off":
      return ended.end(find(), kit);
    case "success":
    case "error":
    case "unknown":
      return void await settleAs(find().misbehaving, action);
    default:
      refuseAction();
  }
}

function switchOn(name: MisbehaviourName, form: URLSearchParams, { tenant }: RunningTenant<Tenant>): void {
  const client = readText(form, "client"), person = readText(form, "username");
  const times = readNumber(form, "times"), probability = readNumber(form, "probability");
  tenant.misbehave(name, present({ client, person, times, probability }));
}

function describePage(
  name: MisbehaviourName,
  call: PageCall,
  ended: EndedMisbehaviours,
): Omit<MisbehaviourProps, keyof WrongProps> {
  const described = describeMisbehaviour(name);
  const { watched: { kit }, pathOf } = call;
  const on = (kit?.switchedOn.misbehaviours ?? []).filter(({ misbehaving }) => misbehaving.name === name);
  const last = ended.list(kit).find(({ misbehaving }) => misbehaving.name === name);
  const query = writeListOptions({ line: writeWord("misbehaviour", name) });
  return {
    described,
    areaHref: `${pathOf("misbehaviours")}?${new URLSearchParams({ area: described.area })}`,
    faultySide: faultySideOf(name),
    on: on.map((each) => describeWatched(each, call)),
    ...present({ ended: last && describeWatched(last, call) }),
    evidence: { ...listEvidence(on.length === 0 && last ? [last] : on, call), query },
    clients: listClientIds(call),
    people: listUsernames(call),
    examples: writeExamples(name, call),
  };
}
