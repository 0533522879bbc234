/** Pushed authorization requests: the client sends its request to the server, and the browser only a reference to it. */

import type { ClientMember, Feature } from "../../oauth/contracts/feature.ts";
import { usualPaths } from "../../oauth/contracts/paths.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { mostPushedOctets, pushedRequestLifetime, requiresPushing } from "./par_settings.ts";
import { createPushHandler, pushedSource, resolvePushedRequest } from "./pushed_request.ts";
import { perServer } from "../../oauth/contracts/per_server.ts";
import { createWaitingRequests } from "./waiting_requests.ts";

const requirePushed: ClientMember<boolean> = {
  name: "require_pushed_authorization_requests",
  schema: { type: "boolean" },
};

export function par(): Feature<"par"> {
  const keptOf = perServer(() => {
    const waiting = createWaitingRequests();
    return { waiting, push: createPushHandler(waiting) };
  });
  return {
    name: "par",
    spec: "RFC 9126",
    settings: [requiresPushing, mostPushedOctets, pushedRequestLifetime],
    endpoints: [{
      method: "POST",
      name: "par",
      path: usualPaths.par,
      metadataName: "pushed_authorization_request_endpoint",
      params: [
        "response_type",
        "client_id",
        "redirect_uri",
        "scope",
        "code_challenge",
        "code_challenge_method",
      ],
      refusal: "json",
      cors: true,
      handle: (exchange, services) => keptOf(services).push(exchange, services),
    }],
    clientMembers: [requirePushed],
    requestSources: [{
      ...pushedSource,
      resolve: resolvePushedRequest,
      noteAnswer: (grantId, services) => keptOf(services).waiting.remove(grantId),
      requiredBy: { setting: requiresPushing, member: requirePushed, spec: "RFC 9126 §6" },
    }],
    metadata: {
      require_pushed_authorization_requests: ({ settings }) => settingOf(settings, requiresPushing) ?? false,
    },
  };
}
