/** Asks for authorization details, and compares those of the token response (RFC 9396 §7). */

import { areaOf } from "../../../../src/kit/faults/names.ts";
import { refuseIf, type Run, startleIf } from "./habits.ts";
import type { Json } from "./json.ts";

/** The types of the server. */
export const detailTypes = {
  transfer: {
    schema: { properties: { euros: { type: "integer" } } },
    title: "Transfer",
    summary: "{euros} EUR",
  },
} as const;

const asked: readonly unknown[] = [{ type: "transfer", euros: 5 }, { type: "transfer", euros: 6 }];

export function asksForDetails({ kind, scenario: { name } }: Run): boolean {
  return kind === "details" || name !== undefined && areaOf(name) === "authorization_details";
}

export function detailParams(run: Run): Readonly<Record<string, string>> {
  return asksForDetails(run) ? { authorization_details: JSON.stringify(asked) } : {};
}

export function requireDetails({ authorization_details: granted }: Json, run: Run): void {
  if (!asksForDetails(run)) return;
  refuseIf(run, !Array.isArray(granted), "the token response has no authorization_details");
  const texts = asked.map((each) => JSON.stringify(each));
  const more = [granted].flat().find((each) => !texts.includes(JSON.stringify(each)));
  refuseIf(run, more !== undefined, `the server grants ${JSON.stringify(more)}`);
  startleIf(
    run,
    JSON.stringify(granted) !== JSON.stringify(asked),
    "other authorization_details are granted",
  );
}
