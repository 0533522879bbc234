/** Describes what of a configuration for another server does not carry over. */

import { visible } from "../pages/visible.ts";
import type { Colours } from "./colours.ts";
import type { NotCarriedOver } from "./navikt_configuration.ts";

export function describeTranslation(
  file: string,
  notCarriedOver: readonly NotCarriedOver[],
  { yellow }: Colours,
): string {
  const written = `${visible(file)} was written for mock-oauth2-server`;
  if (notCarriedOver.length === 0) return yellow(`${written}, and carries over.`);
  return [
    yellow(`${written}. These parts do not carry over:`),
    ...notCarriedOver.map(({ place, instead }) => visible(`  ${place}: ${instead}`)),
  ].join("\n");
}
