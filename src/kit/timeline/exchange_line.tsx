/** What pages and files say about one exchange: its name, and how the clock was. */

import { formatDuration } from "../../ground/schema/duration.ts";
import type { ExchangeLine } from "./exchange_props.ts";
import { englishTimeline as words } from "./timeline_english.ts";

export type LinkTo = (id: string) => string;

export function describeClock(ahead: number): string {
  const time = formatDuration(ahead);
  return ahead < 0 ? words.line.clockBehind(time) : words.line.clockAhead(time);
}

export function describeTurn(seconds: number): string {
  const time = formatDuration(seconds);
  return seconds < 0 ? words.line.turnedBack(time) : words.line.turnedAhead(time);
}

export function nameExchange(line: ExchangeLine): string {
  const { outcome } = line;
  const name = words.endpoint(line);
  return outcome === "ok" ? name : `${name}: ${outcome}`;
}
