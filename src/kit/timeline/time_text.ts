/** Writes the times of requests for people, who compare them with one another. */

import { formatDuration } from "../../ground/schema/duration.ts";
import { describeMoment } from "../../server/pages/value.tsx";

/** Returns text such as "+12 ms". */
export function describeStep(seconds: number): string {
  return `${seconds < 0 ? "−" : "+"}${formatDuration(seconds)}`;
}

/** Returns text such as "08:00:00" or, on another day than `now`, "2027-01-15 08:00:00", in UTC. */
export function describeClockTime(seconds: number, now: number): string {
  const [moment, today] = [describeMoment(seconds), describeMoment(now)];
  const isToday = moment.slice(0, 10) === today.slice(0, 10);
  return moment.slice(isToday ? 11 : 0, 19);
}

/** Returns text such as "2027-01-15 08:00:00.123 UTC". */
export function describeMilliseconds(seconds: number): string {
  const date = new Date(Math.round(seconds * 1000));
  return Number.isNaN(date.getTime()) ? "?" : date.toISOString().replace("T", " ").replace("Z", " UTC");
}

/** Returns text such as "08:00:00.123" or, on another day than `now`, "01-15 08:00:00.123". Both are in UTC. */
export function describeInstant(seconds: number, now: number): string {
  const [instant, today] = [seconds, now].map((each) => new Date(Math.round(each * 1000)));
  if (Number.isNaN(instant!.getTime())) return "?";
  const [date, time] = instant!.toISOString().slice(0, 23).split("T") as [string, string];
  return today!.toISOString().startsWith(date) ? time : `${date.slice(5)} ${time}`;
}
