/** The catalogue of misbehaviours. Loaded when a test first uses one. */

import { accessToken } from "./areas/access_token.ts";
import { authorizationDetails } from "./areas/authorization_details.ts";
import { authorizationResponse } from "./areas/authorization_response.ts";
import { certificate } from "./areas/certificate.ts";
import { clientDocument } from "./areas/client_document.ts";
import { device } from "./areas/device.ts";
import { dpop } from "./areas/dpop.ts";
import { idToken } from "./areas/id_token.ts";
import { introspection } from "./areas/introspection.ts";
import { jarm } from "./areas/jarm.ts";
import { keys } from "./areas/keys.ts";
import { login } from "./areas/login.ts";
import { logout } from "./areas/logout.ts";
import { metadata } from "./areas/metadata.ts";
import { mtls } from "./areas/mtls.ts";
import { proof } from "./areas/proof.ts";
import { pushedRequest } from "./areas/pushed_request.ts";
import { refresh } from "./areas/refresh.ts";
import { registration } from "./areas/registration.ts";
import { resource } from "./areas/resource.ts";
import { revocation } from "./areas/revocation.ts";
import { tokenExchange } from "./areas/token_exchange.ts";
import { tokenResponse } from "./areas/token_response.ts";
import { transport } from "./areas/transport.ts";
import { userinfo } from "./areas/userinfo.ts";
import type { FaultsOf } from "./faults_of.ts";
import type { Misbehaviour } from "./misbehaviour.ts";
import { type Area, areas, faults, type MisbehaviourName } from "./names.ts";

const entriesByArea: { readonly [A in Area]: FaultsOf<A> } = {
  metadata,
  keys,
  login,
  authorization_response: authorizationResponse,
  jarm,
  token_response: tokenResponse,
  id_token: idToken,
  access_token: accessToken,
  userinfo,
  refresh,
  authorization_details: authorizationDetails,
  token_exchange: tokenExchange,
  introspection,
  revocation,
  logout,
  registration,
  client_document: clientDocument,
  pushed_request: pushedRequest,
  device,
  dpop,
  mtls,
  proof,
  certificate,
  resource,
  transport,
};

/** The misbehaviours by name, in the order of the areas. */
export const catalogue: ReadonlyMap<MisbehaviourName, Misbehaviour> = new Map(
  areas.flatMap((area) => {
    const entries: Readonly<Record<string, Misbehaviour>> = entriesByArea[area];
    return faults[area].map((fault) => [`${area}.${fault}` as MisbehaviourName, entries[fault]!] as const);
  }),
);
