/** What the client of the page has, and what came of each step. The tab keeps it while the browser is at the server. */
/// <reference lib="dom" />

import type { MisbehaviourName } from "../../../src/kit/mod.ts";
import { present } from "../../../src/ground/values/present.ts";
import type { Answered, Outcome, SignedIn } from "./played_client.ts";

export interface Course extends Partial<SignedIn> {
  readonly tokens?: Answered;
  readonly replayed?: Answered;
  readonly afterReplay?: Answered;
  readonly refreshed?: Answered;
  readonly turned?: Answered;
  /** The server's time before and after the clock was turned, in seconds. */
  readonly times?: readonly [before: number, after: number];
  readonly outcomes?: { readonly name: MisbehaviourName; readonly naive: Outcome; readonly careful: Outcome };
}

const place = "postern-try";

export function keepCourse(course: Course): void {
  sessionStorage.setItem(place, JSON.stringify(course));
}

/** The page begins anew when it is loaded again. */
export function forgetCourse(): void {
  sessionStorage.removeItem(place);
}

/** Returns `undefined` if this tab has not started the server. */
export function readCourse(): Course | undefined {
  const text = sessionStorage.getItem(place);
  return text === null ? undefined : takeResponse(JSON.parse(text) as Course);
}

/** The server has sent the browser back to this page. Loading the page again changes nothing. */
function takeResponse(course: Course): Course {
  const { href } = location;
  const params = new URL(href).searchParams;
  const isOfThisLogin = params.get("state") === course.started?.state &&
    (params.has("code") || params.has("error"));
  if (!isOfThisLogin || href === course.callback) return course;
  return { started: course.started!, callback: href, ...present({ outcomes: course.outcomes }) };
}
