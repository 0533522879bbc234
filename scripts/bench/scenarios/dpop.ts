/** Tokens that are bound to a key by DPoP: a code flow, and a request to a protected resource (RFC 9449). */
import { isJwt, readMembers, wrongAnswer } from "../answers.ts";
import { prepareCodeFlow } from "../authorize.ts";
import { person, publicClient, scopes } from "../clients.ts";
import { posternContestants } from "../contestants.ts";
import { createProver } from "../dpop_client.ts";
import type { HttpAnswer, HttpConnection } from "../http_connection.ts";
import type { Flow } from "../load.ts";
import { createGet } from "../requests.ts";
import type { Scenario } from "../scenario.ts";
import type { ServerProcess } from "../server_process.ts";
import type { LoadComparison } from "../under_load.ts";
import { createScenario } from "./token_life.ts";

function urlOf({ launch: { port } }: ServerProcess, path: string): string {
  return `http://localhost:${port}${path}`;
}

async function prepareBoundFlow(
  connection: HttpConnection,
  server: ServerProcess,
  scope: string,
): Promise<() => Promise<HttpAnswer>> {
  const tokenHeaders = createProver("POST", urlOf(server, server.launch.tokenPath));
  return await prepareCodeFlow(connection, server, { client: publicClient, scope, tokenHeaders });
}

const runBoundFlow: Flow = async (connection, server) => {
  const runFlow = await prepareBoundFlow(connection, server, scopes.api);
  return async () => {
    const answer = await runFlow();
    const { access_token: accessToken, token_type: tokenType } = readMembers(answer);
    if (isJwt(accessToken) && tokenType === "DPoP") return 1;
    throw wrongAnswer("token", "200 with a JWT access token of the type DPoP", answer);
  };
};

const callResource: Flow = async (connection, server) => {
  const runFlow = await prepareBoundFlow(connection, server, scopes.person);
  const { access_token: accessToken } = readMembers(await runFlow());
  const path = server.launch.userinfoPath;
  const prove = createProver("GET", urlOf(server, path), `${accessToken}`);
  const headers = `Accept: application/json\r\nAuthorization: DPoP ${accessToken}\r\n`;
  return async () => {
    const answer = await connection.exchange(createGet(connection, path, headers + prove()));
    if (readMembers(answer)["sub"] === person.username) return 0;
    throw wrongAnswer("userinfo", "200 with the person", answer);
  };
};

const bindingTokens: LoadComparison = {
  title: "Code flow with DPoP",
  flow: runBoundFlow,
  contestants: (bench) => posternContestants(bench, "jwt"),
  comparedWith: ["postern memory"],
  notes: [
    "The code flow of a public client whose token request has a DPoP proof. The server verifies one EdDSA signature more,",
    "and stores one record more, than without DPoP. The load generator signs the proofs.",
  ],
};

const provingKey: LoadComparison = {
  title: "Userinfo with DPoP",
  flow: callResource,
  contestants: (bench) => posternContestants(bench, "jwt"),
  comparedWith: ["postern memory"],
  notes: [
    "One exchange: GET with a bound token and a new proof. Beside the work for a bearer token, the server verifies the",
    "proof and stores a record, so that the proof is not accepted again.",
  ],
};

export const dpop: readonly Scenario[] = [
  createScenario("dpop_flow", "complete code flows with a DPoP proof a second", bindingTokens),
  createScenario("dpop_userinfo", "userinfo answers with a DPoP proof a second", provingKey),
];
