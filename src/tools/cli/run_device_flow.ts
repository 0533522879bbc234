/** Runs a device login against a running server: a person approves it in a browser (RFC 8628). */

import { setTimeout } from "node:timers/promises";
import {
  deviceCodeParams,
  type DeviceCodes,
  deviceParams,
  pollForAnswer,
  readDeviceCodes,
} from "../../server/client/device_flow.ts";
import { visible } from "../../server/pages/visible.ts";
import { present } from "../../server/values/present.ts";
import { failed } from "./command_error.ts";
import type { FlowOptions, IssuedToken } from "./run_flow.ts";
import { readAccessToken, refused, sendForm } from "./send_form.ts";
import { chooseScope, loadMetadata, requireProofKey } from "./server_metadata.ts";

/** `print` shows the person where to go, and with which code. */
export async function runDeviceFlow(
  options: FlowOptions,
  print: (line: string) => void,
): Promise<IssuedToken> {
  const { issuer, defaultScope, resources, person } = options;
  const { tokenEndpoint, metadata } = await loadMetadata(issuer);
  const begin = metadata["device_authorization_endpoint"];
  if (typeof begin !== "string") {
    throw failed(`${issuer} has no device logins: its metadata has no device_authorization_endpoint`);
  }
  const dpop = options.usesDpop ? await requireProofKey(issuer, metadata) : undefined;
  const scope = options.scope ?? chooseScope(metadata, defaultScope);
  const params = deviceParams({ scope, resources, more: { login_hint: person } });
  const members = await sendForm(options, { url: begin, params, dpop });
  const codes = readDeviceCodes(members) ?? fail(members);
  for (const line of describeCodes(codes)) print(line);
  const poll = { url: tokenEndpoint, params: deviceCodeParams(codes.deviceCode), dpop };
  const reply = await pollForAnswer({
    ...codes,
    poll: () => sendForm(options, poll),
    errorOf: ({ error }) => error,
    wait: (seconds) => setTimeout(seconds * 1000),
    now: () => Date.now() / 1000,
  });
  if (reply === undefined) throw failed("no person approved in time: the code has expired");
  return { accessToken: readAccessToken(reply, dpop), ...present({ dpop }) };
}

function fail(members: Parameters<typeof refused>[0]): never {
  if (members["error"] !== undefined) throw refused(members);
  throw failed(
    "the server gave no codes: the response lacks device_code, user_code, verification_uri or expires_in",
  );
}

function describeCodes({ userCode, verificationUri, completeUri }: DeviceCodes): readonly string[] {
  return [
    `Open ${visible(verificationUri)} and enter the code ${visible(userCode)}`,
    ...(completeUri === undefined ? [] : [`or open ${visible(completeUri)}`]),
  ];
}
