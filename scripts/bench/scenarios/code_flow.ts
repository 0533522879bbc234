/** Whole code flows: authorize with automatic sign-in, then token, two exchanges on one connection. */
import { Buffer } from "node:buffer";
import { findHeader, type HttpAnswer, type HttpConnection } from "../http_connection.ts";
import type { Runtime } from "../../runtimes.ts";
import type { Bench, Report, Scenario } from "../scenario.ts";
import type { ServerProcess } from "../server_process.ts";
import {
  bareSigningLaunch,
  oauth2MockServerLaunch,
  oidcProviderLaunch,
  posternLaunch,
  redirectUri,
} from "../servers.ts";
import { compareUnderLoad, type Contestant } from "../under_load.ts";

/** JWTs that Postern signs in one flow; the limit signs as many. */
const signatures = 1;

export const codeFlow: Scenario = {
  name: "code_flow",
  describes: "whole code flows a second, beside the bare signing limit and two peers",
  run: (bench: Bench): Promise<Report> =>
    compareUnderLoad({
      title: "Code flow",
      flow: prepareCodeFlow,
      contestants,
      comparedWith: ["postern memory", "oauth2-mock-server", "oidc-provider"],
      notes: [
        "Limit: the same two exchanges and signatures on the runtime's own server, no logic. Ratios are medians over",
        'slices of the same round. "by CPU" is the same ratio from the server\'s processor time for each flow: neither a',
        "slow load generator nor other work on the machine changes it much, but it does not see a store wait for its",
        "disk. Latency is of a whole flow, with every connection busy all the time. oauth2-mock-server checks only PKCE",
        "and always signs an ID token too; oidc-provider has its session and grant from before.",
      ],
    }, bench),
};

function contestants(bench: Bench, runtime: Runtime): readonly Contestant[] {
  return [
    { label: "limit", launch: (bench, runtime, alg) => bareSigningLaunch(bench, runtime, alg, signatures) },
    ...bench.stores.map((store): Contestant => ({
      label: `postern ${store}`,
      launch: (bench, runtime, alg) => posternLaunch(bench, runtime, alg, store),
    })),
    ...runtime.name !== "node" ? [] : [
      { label: "oauth2-mock-server", launch: oauth2MockServerLaunch },
      { label: "oidc-provider", launch: oidcProviderLaunch },
    ],
  ];
}

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
const challenge = Buffer.from(digest).toString("base64url");

async function prepareCodeFlow(
  connection: HttpConnection,
  { launch }: ServerProcess,
): Promise<() => Promise<number>> {
  const { authorizePath, tokenPath, sessionPath } = launch;
  const { host } = connection;
  const cookie = sessionPath === undefined ? "" : await obtainCookie(connection, sessionPath);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "bench",
    redirect_uri: redirectUri,
    scope: "read",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    redirect_uri: redirectUri,
    client_id: "bench",
    code_verifier: verifier,
  });
  const stateSeed = crypto.randomUUID();
  const authorizeHead = `GET ${authorizePath}?${query}&state=${stateSeed}`;
  const authorizeTail = ` HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\n${cookie}\r\n`;
  const tokenHead = `POST ${tokenPath} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n` +
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ";
  const tokenBody = `${form}&code=`;
  let count = 0;

  return async () => {
    const redirect = await connection.exchange(`${authorizeHead}${count++}${authorizeTail}`);
    const body = tokenBody + requireCode(redirect);
    return requireTokens(await connection.exchange(`${tokenHead}${body.length}\r\n\r\n${body}`));
  };
}

async function obtainCookie(connection: HttpConnection, sessionPath: string): Promise<string> {
  const answer = await connection.exchange(`GET ${sessionPath} HTTP/1.1\r\nHost: ${connection.host}\r\n\r\n`);
  const pairs = [...answer.head.matchAll(/\r\nset-cookie: *([^;\r]*)/gi)].map((found) => found[1]);
  if (pairs.length === 0) throw wrongAnswer("session", "a cookie", answer);
  return `Cookie: ${pairs.join("; ")}\r\n`;
}

/** As it stands in the URL, so it can go into a form as it is. */
function requireCode(answer: HttpAnswer): string {
  const location = findHeader(answer, "location");
  const code = location?.startsWith(`${redirectUri}?`) ? /[?&]code=([^&#]+)/.exec(location)?.[1] : undefined;
  if ((answer.status !== 302 && answer.status !== 303) || code === undefined) {
    throw wrongAnswer("authorize", "302 or 303 with a code for the client", answer);
  }
  return code;
}

function requireTokens(answer: HttpAnswer): number {
  const tokens = answer.status === 200 ? JSON.parse(answer.body) as Record<string, unknown> : {};
  if (!isJwt(tokens.access_token)) throw wrongAnswer("token", "200 with a JWT access token", answer);
  return isJwt(tokens.id_token) ? 2 : 1;
}

function isJwt(value: unknown): boolean {
  return typeof value === "string" && value.split(".").length === 3;
}

function wrongAnswer(exchange: string, expected: string, answer: HttpAnswer): Error {
  const { status, body } = answer;
  const location = findHeader(answer, "location");
  const received = `${status} ${location ? `to ${location} ` : ""}${body}`.replace(/\s+/g, " ").trim();
  return new Error(`${exchange}: expected ${expected}, received ${received.slice(0, 300)}`);
}
