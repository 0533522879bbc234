/** Prints a shell script for curl that logs in as a device: it shows a code, and polls (RFC 8628). */

import { deviceGrantType } from "../../server/client/device_flow.ts";
import { quoteShellWord } from "../../server/client/shell.ts";
import { defaultFeatures, everyFeature } from "../../server/features/mod.ts";
import { methodOf, publicClientMethod, sendsSecret } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { type Application, urlOf } from "./application_terms.ts";
import { noteCurlSecret, parameter, readText, send } from "./curl_lines.ts";

export function describeDevice(application: Application, settings: Settings): readonly string[] {
  const device = chooseDevice(application, settings);
  if (device === undefined) {
    return [`# no client may log in on a device: add ${deviceGrantType} to the grant_types of one`];
  }
  const { method } = device;
  return [
    "# curl, in a POSIX shell: log in on a device",
    ...(method === publicClientMethod || sendsSecret(method)
      ? [...noteCurlSecret(device), ...logIn(device, settings)]
      : [`# ${device.clientId} authenticates with ${method}, and curl cannot sign an assertion`]),
  ];
}

/** Returns the first client that may log in on a device, or a new one. */
function chooseDevice(application: Application, { clients }: Settings): Application | undefined {
  if (application.isNew) return { ...application, clientId: "my-cli" };
  const client = [...clients.values()].find(({ grantTypes }) => grantTypes.includes(deviceGrantType));
  return client && {
    ...application,
    clientId: client.id,
    method: methodOf(client),
    scope: client.scope ?? application.scope,
  };
}

function logIn(device: Application, settings: Settings): readonly string[] {
  const scope = [parameter("scope", device.scope.join(" "))];
  const poll = [`--data grant_type=${deviceGrantType}`, '--data "device_code=$device_code"'];
  return [
    ...send("codes", beginUrl(settings), scope, device),
    ...["device_code", "user_code", "verification_uri"].map((name) => readText(name, "codes")),
    `interval=$(printf %s "$codes" | sed -n 's/.*"interval":\\([0-9]*\\).*/\\1/p')`,
    ': "${device_code:?the server answers $codes}"',
    'echo "Open $verification_uri and enter the code $user_code" >&2',
    'while sleep "${interval:=5}"; do',
    ...send("tokens", urlOf("token", settings), poll, device).map(indent),
    "  case $tokens in",
    `    *'"authorization_pending"'*) ;;`,
    `    *'"slow_down"'*) interval=$((interval + 5)) ;;`,
    "    *) break ;;",
    "  esac",
    "done",
    readText("access_token", "tokens"),
    ': "${access_token:?the server answers $tokens}"',
    ...(device.scope.includes("openid")
      ? [`curl -sS -H "Authorization: Bearer $access_token" ${quoteShellWord(urlOf("userinfo", settings))}`]
      : []),
  ];
}

function beginUrl({ baseUrl }: Settings): string {
  const endpoints = defaultFeatures(everyFeature).flatMap((feature) => feature.endpoints ?? []);
  return baseUrl + endpoints.find(({ name }) => name === "device_authorization")!.path;
}

function indent(line: string): string {
  return `  ${line}`;
}
