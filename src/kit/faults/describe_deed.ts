/** Says what a row of the catalogue wants of its reader. */

import type { Level } from "./misbehaviour.ts";

/** Returns for example "A correct client refuses the ID token." No rule demands hardening, so there it is a careful one. */
export function describeDeed(
  { level, client }: { readonly level: Level; readonly client: string },
  reader: "client" | "API",
): string {
  const quality = level === "hardening" ? "careful" : "correct";
  return `A ${quality} ${reader} ${client.charAt(0).toLowerCase()}${client.slice(1)}`;
}
