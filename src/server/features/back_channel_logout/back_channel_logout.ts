/** Tells clients directly, not through the browser, that a sign-in has ended (OpenID Connect Back-Channel Logout). */

import type { ClientMember, Feature } from "../../oauth/contracts/feature.ts";
import { logoutUri } from "./logout_uri.ts";
import { tellClients } from "./tell_clients.ts";

export function backChannelLogout(): Feature {
  return {
    name: "back_channel_logout",
    spec: "OpenID Connect Back-Channel Logout",
    clientMembers: [logoutUri, logoutSessionRequired],
    tellsSignOut: tellClients,
    metadata: { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
  };
}

// The server accepts this member and never reads it, because every logout token has a sid.
const logoutSessionRequired: ClientMember<boolean> = {
  name: "backchannel_logout_session_required",
  schema: { type: "boolean" },
};
