/** JWT authorization grants: a client exchanges a JWT of a trusted issuer, such as an ID-JAG, for an access token (RFC 7523 §2.1). */

import type { Feature } from "../../oauth/contracts/feature.ts";
import { createForeignJwtVerifier } from "../../oauth/foreign/foreign_jwt.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { type JwtBearerOptions, trustSetting } from "./trust_settings.ts";

const importSteps = () => import("./loaded_late.ts");

export function jwtBearer({ trust }: JwtBearerOptions): Feature {
  // One for both ways to use a JWT, because it caches the keys of the issuers.
  const verify = createForeignJwtVerifier();
  return {
    name: "jwt_bearer",
    spec: "RFC 7523, RFC 10070",
    settings: [trustSetting],
    isOff: !trust?.length,
    grantTypes: [{
      name: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      params: ["assertion", "scope", "resource"],
      redeem: lazy(async () => (await importSteps()).createJwtRedemption(verify)),
    }],
    exchangeable: [{
      types: ["urn:ietf:params:oauth:token-type:jwt"],
      read: lazy(async () => (await importSteps()).createJwtReader(verify)),
    }],
    metadata: {
      // ID-JAG §7.
      authorization_grant_profiles_supported: ({ settings }) => {
        const entries = [...settingOf(settings, trustSetting).values()].flatMap((issuer) => issuer.entries);
        return entries.some(({ isIdJag }) => isIdJag) ? ["urn:ietf:params:oauth:grant-profile:id-jag"] : [];
      },
    },
  };
}
