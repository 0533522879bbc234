/** Reads the form of the page on which a person examines an application. */

import { sameDigest, sha256 } from "../../crypto/bytes.ts";
import type { IncomingRequest } from "../../http/message.ts";
import { levels } from "../../misbehaviours/misbehaviour.ts";
import { serverMisbehaviours } from "../../misbehaviours/names.ts";
import { ControlRefused } from "../control_refused.ts";
import type { Deed } from "./examination.ts";
import { readExamineForm } from "./read_form.ts";
import { loginAreas } from "./wanted.ts";

export interface DeedForm {
  readonly deed: Deed;
  readonly step: number;
}

/** Throws a `ControlRefused` for a form that is not of this page. `key` is the secret in the forms of this page. */
export async function readDeedForm(request: IncomingRequest, key: string, path: string): Promise<DeedForm> {
  const form = await readExamineForm(request);
  if (!sameDigest(sha256(form.get("key") ?? ""), sha256(key))) {
    throw new ControlRefused("access_denied", "The form is not one of this page since the server started", {
      place: "key",
      expected: `a form of ${path}, opened again`,
    });
  }
  return { deed: readDeed(form), step: Number(form.get("step")) };
}

function readDeed(form: URLSearchParams): Deed {
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
      return { kind: "answer" };
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
