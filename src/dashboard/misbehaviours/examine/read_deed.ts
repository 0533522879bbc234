/** Reads the form of the page on which a person examines an application. */

import { levels } from "../../../misbehaviours/misbehaviour.ts";
import { serverMisbehaviours } from "../../../misbehaviours/names.ts";
import { ControlRefused } from "../../../guard/control_refused.ts";
import type { Deed } from "./examination.ts";
import { loginAreas } from "./wanted.ts";

/** Throws a `ControlRefused` for a form without a button of this page. */
export function readDeed(form: URLSearchParams): Deed {
  const repeated = serverMisbehaviours.find((name) => name === form.get("repeat"));
  if (repeated !== undefined) return { kind: "repeat", name: repeated };
  const kind = form.get("deed");
  switch (kind) {
    case "choose":
      return {
        kind,
        wanted: { levels: chosen(levels, "level", form), areas: chosen(loginAreas, "area", form) },
      };
    case "success":
    case "error":
    case "nothing":
      return { kind: "answer", shown: kind };
    case "proven":
      return { kind: "answer", shown: "unknown" };
    case "switch_on":
    case "skip":
    case "stop":
    case "next":
    case "restart":
      return { kind };
    default:
      throw new ControlRefused("invalid_request", "The form has no button of this page", { place: "deed" });
  }
}

function chosen<T extends string>(known: readonly T[], group: string, form: URLSearchParams): readonly T[] {
  const names = form.getAll(group);
  return known.filter((name) => names.includes(name));
}
