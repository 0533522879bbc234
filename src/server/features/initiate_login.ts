/** Clients may say where they begin a sign-in that another party asks for (`initiate_login_uri`). */

import { initiateLoginMember } from "../oauth/clients/metadata/initiate_login_uri.ts";
import type { Feature } from "../oauth/contracts/feature.ts";

export function initiateLogin(): Feature {
  return {
    name: "initiate_login",
    spec: "OpenID Connect Core §4",
    clientMembers: [initiateLoginMember],
  };
}
