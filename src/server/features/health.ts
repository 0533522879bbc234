/** The probes: `/health` says that the process answers, and `/ready` whether it can serve requests, which need the store. */

import type { Answer } from "../../ground/http/message.ts";
import { json } from "../../ground/http/respond.ts";
import { paths } from "../oauth/contracts/paths.ts";
import type { Exchange } from "../oauth/contracts/exchange.ts";
import type { Endpoint, Feature, Services } from "../oauth/contracts/feature.ts";
import { perServer } from "../oauth/contracts/per_server.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { deadlineIn, TooLate, within } from "../store/deadline.ts";
import type { Kind } from "../store/store.ts";

const retrySoon = { "retry-after": "2" };

const refusal = refusals({ error: "temporarily_unavailable" }, {
  store_too_slow: {
    sentence: "The store of the server does not answer",
    change: "Find out why the database is slow, or send the request again in a few seconds.",
  },
  store_unreadable: {
    sentence: "The server cannot read its store",
    change: "Make the database reachable for the server, and send the request again.",
  },
});

export const refused: RefusalRows = refusal.rows;

const probeEndpoint: Omit<Endpoint<never>, "path" | "handle"> = {
  method: "GET",
  refusal: "json",
  acceptsIpHost: true,
  isRoutine: true,
};

/** `longestRead` is the time in seconds that the store has to answer. */
export function health({ longestRead = 2 }: { readonly longestRead?: number } = {}): Feature {
  const readyOf = perServer(() => createReadyCheck(longestRead));
  return {
    name: "health",
    spec: "Postern",
    endpoints: [
      { ...probeEndpoint, path: paths.health, handle: checkHealth },
      { ...probeEndpoint, path: paths.ready, handle: (_exchange, services) => readyOf(services)(services) },
    ],
  };
}

/** It does not read the store: a platform would restart a healthy process while the database is down. */
function checkHealth(_exchange: Exchange, { settings }: Services): Answer {
  return json({ status: "ok", issuer: settings.issuer });
}

/** A record that never exists. Reading it shows that the store works. */
const probe: Kind<unknown> = { name: "health" };

/**
 * Requests at the same time share one read, so that probes add little load. A store tries for longer than `longestRead` to
 * reach a database that refuses connections, so the error of such a read comes after the response. The journal tells it
 * with the next requests that fail.
 */
function createReadyCheck(longestRead: number): (services: Services) => Promise<Answer> {
  let reading: Promise<unknown> | undefined;
  /** Why the latest read that has ended failed. */
  let failure: unknown;

  async function read({ store, now }: Services): Promise<void> {
    try {
      await store.get(probe, "probe", now());
      failure = undefined;
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  return async (services) => {
    const current = reading ??= read(services);
    await within(current, deadlineIn(longestRead))
      .catch((error) => {
        const isLate = error instanceof TooLate;
        if (isLate && failure === undefined) throw refusal("store_too_slow", { headers: retrySoon });
        throw refusal("store_unreadable", { headers: retrySoon, cause: isLate ? failure : error });
      })
      .finally(() => {
        if (reading === current) reading = undefined;
      });
    return json({ status: "ready", issuer: services.settings.issuer });
  };
}
