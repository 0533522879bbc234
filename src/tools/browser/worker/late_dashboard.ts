/** The dashboard of a service worker's server. It is loaded with the first of its pages. */

import type { RunningMock } from "../../../kit/mock/running_mock.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { type Kind, never, type Store } from "../../../server/store/store.ts";
import { findPageAt } from "../../dashboard/page_table.ts";
import { findAsset } from "../../guard/asset_names.ts";

export interface LateDashboard {
  /** Answers a request for which `isOfDashboard` is true. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Ends the streams of events. */
  close(): void;
}

/** `path` is below the path of the issuer. */
export function isOfDashboard(path: string): boolean {
  return findPageAt(path) !== undefined || findAsset(path) !== undefined;
}

/** Only pages of this origin reach the worker, and they can read everything. So its pages need no key. */
export function createLateDashboard(runningMock: RunningMock, store: Store | undefined): LateDashboard {
  let end = () => {};

  const answerPage = lazy(async () => {
    // A bundler sees which exports of a module are used, so that the others are left out.
    const { createDashboard } = await import("../../dashboard/dashboard.ts");
    const { watchTenants } = await import("../../dashboard/watched_server.ts");
    const { createFormSecret } = await import("../../dashboard/forms.ts");
    const dashboard = createDashboard({
      key: createFormSecret(),
      isReached: false,
      showsSecrets: true,
      embedded: "mock",
      control: { open: true },
      formSecret: store === undefined ? createFormSecret() : await keepSecret(store, createFormSecret),
    });
    end = dashboard.close;
    const find = watchTenants();
    return (request: IncomingRequest) =>
      dashboard.answer(request, find(runningMock.at(request.address.path)))!;
  });

  return {
    async answer(request) {
      // A browser has sent it, and no network lies between.
      return allowOwnFrames(await answerPage({ ...request, peer: "127.0.0.1" }));
    },
    close: () => end(),
  };
}

const secrets: Kind<string> = { name: "form secret" };

/** A form that was opened before the browser has ended the worker works after that, too. */
async function keepSecret(store: Store, create: () => string): Promise<string> {
  await store.put(secrets, "", create(), { now: 0, expiresAt: never, if: null });
  return (await store.get(secrets, "", 0))!.value;
}

/** An application shows the dashboard beside itself. A page of another site cannot, as it reaches no worker of this one. */
function allowOwnFrames(answer: Answer): Answer {
  const { "x-frame-options": _all, "content-security-policy": policy, ...headers } = answer.headers;
  if (policy === undefined) return answer;
  return {
    ...answer,
    headers: {
      ...headers,
      "content-security-policy": `${policy}`.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    },
  };
}
