/** Lets a mock answer at a port. */

import type { Listening, ListenTerms } from "./network/listening.ts";
import type { RunningMock } from "./running_mock.ts";
import { rebuild } from "./server/serving.ts";
import { listOpen } from "./tenants.ts";

/** Opens a port. The issuer moves to its origin, unless the options name an issuer. */
export async function listen(terms: ListenTerms, mock: RunningMock): Promise<Listening> {
  const { options, issuer, profile: { issuerPath = "" }, ports, interceptions } = mock;
  if (options.issuer !== undefined) return await ports.open(terms);
  ports.requireNone();
  if (interceptions.areActive) {
    throw new Error(
      `listen() would change the issuer ${issuer.url}, which is intercepted. Listen first, or give ` +
        "createMock({ issuer })",
    );
  }
  return await ports.open(terms, (origin) => moveTo(origin + issuerPath, mock));
}

/** Changes the issuer. If a tenant's options are invalid with the new issuer, restores the old issuer and throws. */
function moveTo(next: string, mock: RunningMock): void {
  const { issuer } = mock;
  const before = issuer.url;
  issuer.moveTo(next);
  try {
    for (const running of listOpen(mock)) rebuild(running);
  } catch (cause) {
    moveTo(before, mock);
    throw new TypeError(
      `Cannot listen at ${next}, because the options are invalid with this issuer: give createMock({ issuer })`,
      { cause },
    );
  }
}
