/** Runs a flow against a running server: a code flow with PKCE without a browser (OAuth 2.1 §4.1), or a device login. */

import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  deviceCodeParams,
  type DeviceCodes,
  deviceParams,
  pollForAnswer,
  readDeviceCodes,
} from "../../../server/client/device_flow.ts";
import type { DpopKey } from "../../../server/client/dpop_key.ts";
import { authorizationParams, carriedParams, codeParams, pushedParams } from "../../../server/client/flow.ts";
import { sha256 } from "../../../ground/crypto/platform.ts";
import { formatParams, type Pair } from "../../../ground/http/form.ts";
import { visible } from "../../../ground/values/visible.ts";
import { present } from "../../../ground/values/present.ts";
import { browse, type SignInOptions } from "./browse.ts";
import { failed } from "../terminal/command_error.ts";
import { createId, quote, readAccessToken, refused, sendForm, type SendingClient } from "./send_form.ts";
import { chooseScope, loadMetadata, type Metadata, requireProofKey } from "./server_metadata.ts";

export interface FlowOptions extends SignInOptions, SendingClient {
  readonly client: SendingClient["client"] & {
    readonly mustPush?: boolean;
  };
  /** May be left out for a client with oauth_version 2.1 and only one redirect URI. */
  readonly redirectUri?: string;
  readonly scope?: string;
  /** The server's default scope, if the caller knows it. It is requested with openid, if there is no `scope`. */
  readonly defaultScope?: string;
  readonly resources: readonly string[];
  readonly usesDpop?: boolean;
}

interface IssuedToken {
  readonly accessToken: string;
  readonly dpop?: DpopKey;
}

export async function runFlow(options: FlowOptions): Promise<IssuedToken> {
  const server = await discover(options);
  const verifier = randomBytes(32).toString("base64url");
  const code = await authorize(options, server, verifier);
  const accessToken = await redeem(options, server, { code, verifier });
  return { accessToken, ...present({ dpop: server.dpop }) };
}

interface Server extends Metadata {
  /** The endpoint for pushed requests, if the client must push its request. */
  readonly parEndpoint?: string;
  /** The scope to request if the caller names none. Absent: the server decides. */
  readonly usualScope?: string;
  readonly announcesIss: boolean;
  readonly dpop?: DpopKey;
}

async function discover({ issuer, defaultScope, client, usesDpop = false }: FlowOptions): Promise<Server> {
  const loaded = await loadMetadata(issuer);
  const { metadata } = loaded;
  const parEndpoint = metadata["pushed_authorization_request_endpoint"];
  const dpop = usesDpop ? await requireProofKey(issuer, metadata) : undefined;
  const mustPush = client.mustPush === true || metadata["require_pushed_authorization_requests"] === true;
  return {
    ...loaded,
    announcesIss: metadata["authorization_response_iss_parameter_supported"] === true,
    ...present({ parEndpoint: mustPush && typeof parEndpoint === "string" ? parEndpoint : undefined }),
    ...present({ usualScope: chooseScope(metadata, defaultScope), dpop }),
  };
}

/** The metadata lists the values of the second factor after those of each sign-in. */
function requireStrongAcr(issuer: string, { acr_values_supported: values }: Metadata["metadata"]): string {
  const strong = Array.isArray(values) ? values.find((each) => each === "mfa") ?? values.at(-1) : undefined;
  if (typeof strong === "string") return strong;
  throw failed(
    `no person of ${issuer} has a second factor: its metadata has no acr_values_supported. Set secondFactor of a person`,
  );
}

async function authorize(options: FlowOptions, server: Server, verifier: string): Promise<string> {
  const acr = options.secondFactor && requireStrongAcr(options.issuer, server.metadata);
  const state = createId();
  const params = authorizationParams({
    clientId: options.client.id,
    redirectUri: options.redirectUri,
    state,
    challenge: sha256(verifier),
    scope: options.scope ?? server.usualScope,
    thumbprint: server.dpop?.key.kid,
    resources: options.resources,
    more: { login_hint: options.person, acr_values: acr },
  });
  const { parEndpoint } = server;
  const carried = parEndpoint === undefined ? params : await push(options, parEndpoint, params);
  const start = `${server.authorizationEndpoint}?${formatParams(carried)}`;
  const departure = await browse(start, (next) => next.searchParams.get("state") === state, options);
  const answer = departure.url.searchParams;
  // RFC 9207 §2.4: an authorization response of another issuer is refused, and one without an announced iss.
  const iss = answer.get("iss");
  if (iss !== options.issuer && (iss !== null || server.announcesIss)) {
    throw failed(`the response names another issuer: ${quote(iss)}`);
  }
  const code = answer.get("code");
  if (code === null) throw refused(Object.fromEntries(answer));
  return code;
}

/** Resolves to the parameters that refer to the pushed request (RFC 9126 §4). */
async function push(options: FlowOptions, url: string, params: readonly Pair[]): Promise<readonly Pair[]> {
  const { request_uri: requestUri, ...members } = await sendForm(options, {
    url,
    params: pushedParams(params),
  });
  if (typeof requestUri !== "string") throw refused(members);
  return carriedParams(options.client.id, "request_uri", requestUri);
}

async function redeem(
  options: FlowOptions,
  { tokenEndpoint: url, dpop }: Server,
  { code, verifier: codeVerifier }: { readonly code: string; readonly verifier: string },
): Promise<string> {
  const { redirectUri, resources } = options;
  const params = codeParams({ code, redirectUri, codeVerifier, resources });
  return readAccessToken(await sendForm(options, { url, params, dpop }), dpop);
}

/** A person approves in a browser (RFC 8628). `print` shows the person where to go, and with which code. */
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
