/** Answers at `/misbehaviours/clock`. */

import type { Answer } from "../../http/message.ts";
import type { RunningClock } from "../../mock/conditions/clock.ts";
import { clockPage, type ClockProps } from "../../pages/misbehaviours/clock.tsx";
import type { PageCall } from "../page.ts";
import { answerSection, type Deed, keepTyped, readText, readTime, refuseDeed } from "./section.ts";

export function answerClock(call: PageCall): Promise<Answer> {
  return answerSection(call, {
    obey: (deed, { conditions: { clock } }) => turn(deed, clock),
    show: (props, form, status) => {
      const typed = keepTyped(form, ["by", "to", "skew"]);
      return call.show(clockPage({ ...props, ...describeClock(call), typed }), status);
    },
  });
}

function describeClock(
  { watched: { services, kit } }: PageCall,
): Pick<ClockProps, "serverNow" | "skew" | "state"> {
  const clock = kit?.conditions.clock;
  return {
    serverNow: services.now(),
    skew: clock?.skewed ?? 0,
    state: clock?.frozen ? "frozen" : clock?.isTurned ? "running" : "right",
  };
}

function turn({ form, deed }: Deed, clock: RunningClock): void {
  const step = readText(form, "step");
  if (step !== undefined) return clock.advance(step);
  switch (deed) {
    case "advance":
      return clock.advance(readTime(form, "by"));
    case "set":
      return clock.set(readTime(form, "to"));
    case "skew":
      return clock.skew(readTime(form, "skew"));
    case "freeze":
      return clock.freeze();
    case "resume":
      return clock.resume();
    case "reset":
      return clock.reset();
    default:
      refuseDeed();
  }
}
