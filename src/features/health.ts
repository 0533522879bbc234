/** The health check, which says whether the server can answer: for containers, and for scripts that wait for a start. */

import { json } from "../http/respond.ts";
import type { Answer } from "../http/message.ts";
import { paths } from "../oauth/endpoints/paths.ts";
import { fail } from "../oauth/error.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import type { Services } from "../oauth/services.ts";
import type { Kind } from "../store/store.ts";

export type HealthReason = "store_unreadable";

export function health(): Feature {
  return {
    name: "health",
    spec: "Postern",
    endpoints: [{
      method: "GET",
      path: paths.health,
      refusal: "json",
      acceptsIpHost: true,
      isRoutine: true,
      handle: checkHealth,
    }],
  };
}

/** A record that never exists. Reading it shows that the store works. */
const probe: Kind<unknown> = { name: "health" };

async function checkHealth(_exchange: Exchange, { settings, store, now }: Services): Promise<Answer> {
  try {
    await store.get(probe, "probe", now());
  } catch (cause) {
    fail<HealthReason>("temporarily_unavailable", "The server cannot read its store", {
      reason: "store_unreadable",
      cause,
    });
  }
  return json({ status: "ok", issuer: settings.issuer });
}
