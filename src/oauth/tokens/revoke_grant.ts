/** Revokes a grant. */

import { nextAttempt } from "../retry_limit.ts";
import type { Services } from "../services.ts";
import { findGrant } from "./find_grant.ts";
import { grants } from "./grant.ts";

/** Retries until the grant is revoked or gone, because other requests may change the grant at the same time. */
export async function revokeGrant(id: string, services: Services): Promise<void> {
  const { store, now } = services;
  for (let attempt = 1;; attempt = nextAttempt(attempt)) {
    const entry = await findGrant(id, services);
    if (entry === undefined || entry.value.status === "revoked") return;
    const { value, version, expiresAt } = entry;
    const revoked = await store.put(grants, id, { ...value, status: "revoked" }, {
      expiresAt,
      now: now(),
      if: version,
    });
    if (revoked !== undefined) return;
  }
}
