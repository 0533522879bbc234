/** Answers at `/misbehaviours` and below: the pages on which a person makes the server wrong. */

import type { Answer } from "../../../ground/http/message.ts";
import { ControlRefused } from "../../guard/control_refused.ts";
import { misbehaviourNames } from "../../../kit/faults/names.ts";
import { suggestMisbehaviour } from "../../../kit/faults/plain_words.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { answerCatalogue } from "./catalogue.ts";
import { answerClock } from "./clock.ts";
import { createEnded, type EndedMisbehaviours } from "./ended.ts";
import { createExaminePages, isExaminePath } from "./examine/examine_pages.ts";
import { answerGates } from "./gates.ts";
import { answerLookAlikes } from "./look_alikes.ts";
import { answerMisbehaviour } from "./misbehaviour.ts";

const sections: ReadonlyMap<string, AnswerPage> = new Map([
  ["clock", answerClock],
  ["gates", answerGates],
  ["look_alikes", answerLookAlikes],
]);

export function createMisbehaviours(): AnswerPage {
  const examine = createExaminePages();
  const ended = createEnded();
  return (call) => isExaminePath(call.rest) ? examine(call) : answerMisbehaviours(call, ended);
}

function answerMisbehaviours(call: PageCall, ended: EndedMisbehaviours): Promise<Answer> | Answer {
  const wanted = call.rest.slice(1);
  if (wanted === "") return answerCatalogue(call, ended);
  const section = sections.get(wanted);
  if (section !== undefined) return section(call);
  const name = misbehaviourNames.find((each) => each === wanted);
  if (name !== undefined) return answerMisbehaviour(name, call, ended);
  throw new ControlRefused(
    "not_found",
    `There is no misbehaviour ${JSON.stringify(wanted.slice(0, longestName))}${
      suggestMisbehaviour(wanted, misbehaviourNames)
    }`,
  );
}

// In characters.
const longestName = 100;
