/** The member `application_type`, and the redirect URIs that it allows (OpenID Connect Dynamic Client Registration §2). */

import { isLoopbackRedirectUri, isPrivateSchemeUri } from "../../oauth/clients/redirect_uri.ts";
import type { ClientMember } from "../../oauth/feature.ts";

/**
 * A native client has http on loopback or a private scheme. A web client has https. It may also have http on loopback,
 * where web applications are developed: the specification forbids that only for the implicit grant.
 */
export const applicationTypeMember: ClientMember<"web" | "native"> = {
  name: "application_type",
  schema: {
    type: "string",
    enum: ["web", "native"],
    description:
      "web: the redirect URIs are https, or http on loopback. native: they are http on loopback, or have a " +
      "private scheme (com.example.app:/callback). Left out: a configured client may mix them.",
  },
  check(type, { redirectUris }) {
    const index = redirectUris.findIndex((uri) =>
      type === "native" ? !isNative(uri) : isPrivateSchemeUri(uri)
    );
    return index === -1 ? undefined : { place: `redirect_uris[${index}]`, expected: expectedUris[type] };
  },
};

const expectedUris = {
  native: "must be http on loopback or a private scheme, because application_type is native",
  web: "must be https or http on loopback, because application_type is web",
} as const;

function isNative(uri: string): boolean {
  return isLoopbackRedirectUri(uri) || isPrivateSchemeUri(uri);
}
