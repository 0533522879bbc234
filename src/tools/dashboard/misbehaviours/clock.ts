/** Answers at `/misbehaviours/clock`. */

import type { Answer } from "../../../ground/http/message.ts";
import { type Moment, parseMoment, type RunningClock } from "../../../kit/mock/conditions/clock.ts";
import { readDuration } from "../../../kit/mock/terms/duration.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { clockPage, type ClockProps } from "./clock_page.tsx";
import type { PageCall } from "../page.ts";
import { answerSection, type FormAction, readText, readTime, refuseAction } from "./section.ts";

export function answerClock(call: PageCall): Promise<Answer> {
  return answerSection(call, {
    obey: (action, { conditions: { clock } }) => turn(action, clock),
    show: (props) => clockPage({ ...props, ...describeClock(call) }),
  });
}

function describeClock(
  { watched: { services, kit } }: PageCall,
): Pick<ClockProps, "serverNow" | "skew" | "state" | "tokenLifetime"> {
  const clock = kit?.conditions.clock;
  return {
    serverNow: services.now(),
    tokenLifetime: services.settings.lifetimes.accessToken,
    skew: clock?.skewed ?? 0,
    state: clock?.frozen ? "frozen" : clock?.isTurned ? "running" : "right",
  };
}

function move(by: Duration, clock: RunningClock): void {
  const seconds = readDuration(by);
  if (seconds < 0) clock.set(clock.now + seconds);
  else clock.advance(by);
}

/** Sets the time that clients see, which is the one that the page shows. */
function setTo(to: Moment, clock: RunningClock): void {
  const seconds = parseMoment(to);
  clock.set(seconds === undefined ? to : seconds - clock.skewed);
}

function turn({ form, action }: FormAction, clock: RunningClock): void {
  const step = readText(form, "step");
  if (step !== undefined) return move(step, clock);
  switch (action) {
    case "advance":
      return move(readTime(form, "by"), clock);
    case "set":
      return setTo(readTime(form, "to"), clock);
    case "skew":
      return clock.skew(readTime(form, "skew"));
    case "freeze":
      return clock.freeze();
    case "resume":
      return clock.resume();
    case "reset":
      return clock.reset();
    default:
      refuseAction();
  }
}
