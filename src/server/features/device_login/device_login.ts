/**
 * Device logins: a device without a browser, or a command line, shows a code, and a person approves the login on another
 * device (RFC 8628).
 */

import { readCarried } from "../../oauth/contracts/feature_values.ts";
import type { Feature } from "../../oauth/contracts/feature.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { deviceEnd } from "./device_end.ts";
import {
  deviceCodeLifetime,
  deviceGrantType,
  deviceKind,
  userCodeKey,
  verificationPath,
} from "./device_settings.ts";

const importSteps = () => import("./loaded_late.ts");

export function deviceLogin(): Feature<"device_authorization" | "device_verification"> {
  const showCodeForm = lazy(async () => (await importSteps()).showCodeForm);
  const page = { name: "device_verification", path: verificationPath, refusal: "page" } as const;
  return {
    name: "device_login",
    spec: "RFC 8628",
    settings: [deviceCodeLifetime],
    endpoints: [
      {
        method: "POST",
        name: "device_authorization",
        path: "/oauth2/device_authorization",
        metadataName: "device_authorization_endpoint",
        refusal: "json",
        params: ["client_id", "scope", "resource"],
        handle: lazy(async () => (await importSteps()).createBeginHandler()),
      },
      { ...page, method: "GET", handle: showCodeForm },
      { ...page, method: "POST", handle: lazy(async () => (await importSteps()).answerCodeForm) },
      { ...page, method: "GET", path: paths.device, handle: showCodeForm },
    ],
    requestKinds: [{ name: deviceKind, path: verificationPath, ...deviceEnd }],
    carries: [userCodeKey],
    consentRows: [{
      name: userCodeKey.name,
      list: (request) => [readCarried(request, userCodeKey) ?? []].flat(),
    }],
    grantTypes: [{
      name: deviceGrantType,
      params: ["device_code"],
      redeem: lazy(async () => (await importSteps()).redeemDeviceCode),
    }],
  };
}
