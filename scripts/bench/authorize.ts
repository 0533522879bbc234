/** Code flows one after another on one connection: authorize with automatic sign-in, then token. */
import { Buffer } from "node:buffer";
import { isJwt, readMembers, wrongAnswer } from "./answers.ts";
import { type BenchClient, redirectUri } from "./clients.ts";
import { findHeader, type HttpAnswer, type HttpConnection } from "./http_connection.ts";
import type { Flow } from "./load.ts";
import { createClientPost, createGet } from "./requests.ts";
import type { ServerProcess } from "./server_process.ts";

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
const challenge = Buffer.from(digest).toString("base64url");

export interface CodeFlowOptions {
  readonly client: BenchClient;
  readonly scope: string;
  /** Returns a function that returns more header lines for each token request. */
  readonly tokenHeaders?: (server: ServerProcess) => () => string;
  /** The type that the access tokens must have. */
  readonly tokenType?: string;
  /** The client pushes each authorization request (RFC 9126). */
  readonly pushed?: true;
}

/** Returns the work to measure: complete code flows. */
export function codeFlows(options: CodeFlowOptions): Flow {
  const { tokenType, client, scope } = options;
  const isAboutPerson = scope.split(" ").includes("openid");
  const isRefreshable = client.grant_types.includes("refresh_token");
  return async (connection, server) => {
    const runFlow = await prepareCodeFlow(connection, server, options);
    return async () => {
      const answer = await runFlow();
      const members = readMembers(answer);
      const isExpected = isJwt(members["access_token"]) &&
        (tokenType === undefined || members["token_type"] === tokenType) &&
        (!isAboutPerson || isJwt(members["id_token"])) &&
        (!isRefreshable || typeof members["refresh_token"] === "string");
      if (isExpected) return;
      throw wrongAnswer(
        "token",
        `200 with a JWT access token of the type ${tokenType ?? "Bearer"}` +
          `${isAboutPerson ? ", an ID token" : ""}${isRefreshable ? ", a refresh token" : ""}`,
        answer,
      );
    };
  };
}

/** Resolves to a function that runs one flow and resolves to the token response. */
export async function prepareCodeFlow(
  connection: HttpConnection,
  server: ServerProcess,
  { client, scope, tokenHeaders, pushed }: CodeFlowOptions,
): Promise<() => Promise<HttpAnswer>> {
  const { authorizePath, pushPath = "", tokenPath, sessionPath } = server.launch;
  const cookie = sessionPath === undefined ? "" : await obtainCookie(connection, sessionPath);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const authorizeTarget = `${authorizePath}?${query}&state=${crypto.randomUUID()}`;
  const authorizeHeaders = `Accept: text/html\r\n${cookie}`;
  const tokenRequest = createClientPost(connection, tokenPath, client);
  const pushRequest = createClientPost(connection, pushPath, client);
  const addHeaders = tokenHeaders?.(server);
  let count = 0;

  async function createTarget(): Promise<string> {
    if (pushed === undefined) return `${authorizeTarget}${count++}`;
    const answer = await connection.exchange(pushRequest(`${query}&state=${count++}`));
    const { request_uri } = JSON.parse(answer.body);
    if (typeof request_uri !== "string") throw wrongAnswer("par", "201 with a request_uri", answer);
    return `${authorizePath}?${new URLSearchParams({ client_id: client.client_id, request_uri })}`;
  }

  return async () => {
    const authorizeRequest = createGet(connection, await createTarget(), authorizeHeaders);
    const code = requireCode(await connection.exchange(authorizeRequest));
    return await connection.exchange(tokenRequest(`${form}&code=${code}`, addHeaders?.()));
  };
}

async function obtainCookie(connection: HttpConnection, sessionPath: string): Promise<string> {
  const answer = await connection.exchange(createGet(connection, sessionPath));
  const pairs = [...answer.head.matchAll(/\r\nset-cookie: *([^;\r]*)/gi)].map((found) => found[1]);
  if (pairs.length === 0) throw wrongAnswer("session", "a cookie", answer);
  return `Cookie: ${pairs.join("; ")}\r\n`;
}

/** Returns the code as it is in the URL. It is still URL-encoded, so it goes into a form unchanged. */
function requireCode(answer: HttpAnswer): string {
  const location = findHeader(answer, "location");
  const code = location?.startsWith(`${redirectUri}?`) ? /[?&]code=([^&#]+)/.exec(location)?.[1] : undefined;
  if ((answer.status !== 302 && answer.status !== 303) || code === undefined) {
    throw wrongAnswer("authorize", "302 or 303 with a code for the client", answer);
  }
  return code;
}
