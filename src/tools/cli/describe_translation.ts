/** Describes what of a configuration for another server does not carry over. */

import { visible } from "../../server/pages/visible.ts";
import type { Colours } from "./colours.ts";
import type { NotCarriedOver } from "./navikt/navikt_configuration.ts";

const withoutClients = 'It has no "clients", so the client credentials of your clients are refused. ' +
  'Add "clients" with all of your clients.';

export function describeTranslation(
  file: string,
  notCarriedOver: readonly NotCarriedOver[],
  hasClients: boolean,
  { yellow }: Colours,
): string {
  const written = `${visible(file)} was written for mock-oauth2-server`;
  return [
    ...(notCarriedOver.length === 0
      ? [yellow(`${written}, and carries over.`)]
      : [yellow(`${written}. These parts do not carry over:`)]),
    ...notCarriedOver.map(({ place, instead }) => visible(`  ${place}: ${instead}`)),
    ...(hasClients ? [] : [yellow(withoutClients)]),
  ].join("\n");
}
