/** Reads which of people's claims the server adds to tokens and userinfo. */

import { isPersonal } from "../oauth/people/claims.ts";
import type { ClaimsIn } from "../oauth/settings.ts";
import type { Configuration } from "./configuration.ts";
import { insteadOfClaim } from "./instead_of_claim.ts";
import { refuseOption } from "../oauth/set_up_mistake.ts";

/** Throws for a claim that the server sets itself, such as `aud`. */
export function readClaimsIn(
  { accessToken = [], idToken = [], userinfo = [] }: NonNullable<Configuration["claimsIn"]>,
): ClaimsIn {
  const claimsIn = { accessToken, idToken, userinfo };
  for (const [token, names] of Object.entries(claimsIn)) {
    const index = names.findIndex((name) => !isPersonal(name));
    if (index === -1) continue;
    const place = `claimsIn.${token}[${index}]`;
    const name = names[index]!;
    const instead = insteadOfClaim[name];
    refuseOption(
      place,
      `must be a claim about people: the server itself sets ${name}` +
        (instead === undefined ? "" : `, so ${instead}`),
    );
  }
  return claimsIn;
}
