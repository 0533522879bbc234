/** Single exchanges with tokens. Each function sends one request, and throws at a wrong response. */
import { isJwt, readMembers, wrongAnswer } from "./answers.ts";
import { type CodeFlowOptions, prepareCodeFlow } from "./authorize.ts";
import { confidentialClient, person, scopes } from "./clients.ts";
import type { HttpConnection } from "./http_connection.ts";
import { createClientPost, createGet } from "./requests.ts";
import type { ServerProcess } from "./server_process.ts";

type Prepare<Exchange> = (connection: HttpConnection, server: ServerProcess) => Exchange;

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Runs a code flow, and resolves to the members of its token response with these names. */
export async function obtainTokens<Name extends "access_token" | "refresh_token">(
  names: readonly Name[],
  connection: HttpConnection,
  server: ServerProcess,
  options: CodeFlowOptions,
): Promise<Readonly<Record<Name, string>>> {
  const runFlow = await prepareCodeFlow(connection, server, options);
  const answer = await runFlow();
  const members = readMembers(answer);
  if (names.every((name) => typeof members[name] === "string")) return members as Record<Name, string>;
  throw wrongAnswer("token", `200 with ${names.join(" and ")}`, answer);
}

/** Trades a refresh token for the next tokens. */
export const createRefresh: Prepare<(refreshToken: string) => Promise<Tokens>> = (connection, server) => {
  const send = createClientPost(connection, server.launch.tokenPath, confidentialClient);
  return async (current) => {
    const answer = await connection.exchange(send(`grant_type=refresh_token&refresh_token=${current}`));
    const { access_token: accessToken, id_token: idToken, refresh_token: next } = readMembers(answer);
    if (isJwt(accessToken) && isJwt(idToken) && typeof next === "string" && next !== current) {
      return { accessToken, refreshToken: next };
    }
    throw wrongAnswer("token", "200 with a JWT access token, an ID token and another refresh token", answer);
  };
};

export const createIntrospection: Prepare<(token: string) => Promise<void>> = (connection, server) => {
  const send = createClientPost(connection, server.launch.introspectionPath, confidentialClient);
  return async (token) => {
    const answer = await connection.exchange(send(`token=${token}&token_type_hint=access_token`));
    const { active, sub, client_id: clientId } = readMembers(answer);
    if (active === true && sub === person.username && clientId === confidentialClient.client_id) return;
    throw wrongAnswer("introspection", "200, active, with person and client", answer);
  };
};

export const createUserinfo: Prepare<(token: string) => Promise<void>> =
  (connection, server) => async (token) => {
    const headers = `Accept: application/json\r\nAuthorization: Bearer ${token}\r\n`;
    const answer = await connection.exchange(createGet(connection, server.launch.userinfoPath, headers));
    const { sub, email } = readMembers(answer);
    if (sub === person.username && email === person.claims.email) return;
    throw wrongAnswer("userinfo", "200 with the person and the email address", answer);
  };

/** Gets a token for the client itself. */
export const createClientCredentials: Prepare<() => Promise<void>> = (connection, server) => {
  const send = createClientPost(connection, server.launch.tokenPath, confidentialClient);
  const request = send(`grant_type=client_credentials&scope=${scopes.api}`);
  return async () => {
    const answer = await connection.exchange(request);
    if (isJwt(readMembers(answer)["access_token"])) return;
    throw wrongAnswer("token", "200 with a JWT access token", answer);
  };
};
