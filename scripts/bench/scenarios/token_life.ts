/** Single exchanges with tokens, each a scenario: refresh, introspection, userinfo, client credentials. */
import { isJwt, readMembers, wrongAnswer } from "../answers.ts";
import { prepareCodeFlow } from "../authorize.ts";
import { confidentialClient, person, scopes } from "../clients.ts";
import { bareSigningContestant, peers, posternContestants } from "../contestants.ts";
import type { HttpConnection } from "../http_connection.ts";
import type { Flow } from "../load.ts";
import { createClientPost, createGet } from "../requests.ts";
import type { Runtime } from "../../runtimes.ts";
import type { Bench, Scenario } from "../scenario.ts";
import type { ServerProcess } from "../server_process.ts";
import { compareUnderLoad, type Contestant, type LoadComparison } from "../under_load.ts";

function tokenSigners(scope: string, bench: Bench, runtime: Runtime): readonly Contestant[] {
  return [
    bareSigningContestant(scope),
    ...posternContestants(bench, "jwt"),
    ...peers(runtime, ["oidc-provider"]),
  ];
}

/** Beside a peer that reads opaque tokens, Postern runs with them as well. */
function tokenReaders(bench: Bench, runtime: Runtime): readonly Contestant[] {
  const found = peers(runtime, ["oidc-provider"]);
  const opaque = found.length === 0 ? [] : posternContestants(bench, "opaque");
  return [...posternContestants(bench, "jwt"), ...opaque, ...found];
}

const prepareRefresh: Flow = async (connection, server) => {
  const request = createClientPost(connection, server.launch.tokenPath, confidentialClient);
  let current = await obtainToken("refresh_token", connection, server, scopes.apiOffline);
  return async () => {
    const parameters = `grant_type=refresh_token&refresh_token=${current}`;
    const answer = await connection.exchange(request(parameters));
    const { access_token: accessToken, id_token: idToken, refresh_token: next } = readMembers(answer);
    if (!isJwt(accessToken) || !isJwt(idToken) || typeof next !== "string" || next === current) {
      throw wrongAnswer(
        "token",
        "200 with a JWT access token, an ID token and another refresh token",
        answer,
      );
    }
    current = next;
    return 2;
  };
};

const prepareIntrospection: Flow = async (connection, server) => {
  const token = await obtainToken("access_token", connection, server, scopes.person);
  const send = createClientPost(connection, server.launch.introspectionPath, confidentialClient);
  const request = send(`token=${token}&token_type_hint=access_token`);
  return async () => {
    const answer = await connection.exchange(request);
    const { active, sub, client_id: clientId } = readMembers(answer);
    if (active !== true || sub !== person.username || clientId !== confidentialClient.client_id) {
      throw wrongAnswer("introspection", "200, active, with person and client", answer);
    }
    return 0;
  };
};

const prepareUserinfo: Flow = async (connection, server) => {
  const token = await obtainToken("access_token", connection, server, scopes.person);
  const headers = `Accept: application/json\r\nAuthorization: Bearer ${token}\r\n`;
  const request = createGet(connection, server.launch.userinfoPath, headers);
  return async () => {
    const answer = await connection.exchange(request);
    const { sub, email } = readMembers(answer);
    if (sub !== person.username || email !== person.claims.email) {
      throw wrongAnswer("userinfo", "200 with the person and the email address", answer);
    }
    return 0;
  };
};

const prepareClientCredentials: Flow = (connection, server) => {
  const send = createClientPost(connection, server.launch.tokenPath, confidentialClient);
  const request = send(`grant_type=client_credentials&scope=${scopes.api}`);
  return Promise.resolve(async () => {
    const answer = await connection.exchange(request);
    if (!isJwt(readMembers(answer).access_token)) {
      throw wrongAnswer("token", "200 with a JWT access token", answer);
    }
    return 1;
  });
};

/** Runs a code flow of the confidential client. */
async function obtainToken(
  member: "access_token" | "refresh_token",
  connection: HttpConnection,
  server: ServerProcess,
  scope: string,
): Promise<string> {
  const runFlow = await prepareCodeFlow(connection, server, { client: confidentialClient, scope });
  const answer = await runFlow();
  const token = readMembers(answer)[member];
  if (typeof token !== "string") throw wrongAnswer("token", `200 with ${member}`, answer);
  return token;
}

const comparedWith = ["postern memory", "oidc-provider"];

const refreshing: LoadComparison = {
  title: "Refresh",
  flow: prepareRefresh,
  contestants: (bench, runtime) => tokenSigners(scopes.apiOffline, bench, runtime),
  comparedWith,
  notes: [
    "One exchange: a confidential client trades its refresh token for the next one, a JWT access token and an ID token.",
    "Each connection has one chain. Limit: one exchange and the two signatures. oidc-provider stores every refresh token,",
    "Postern one record for the chain; both refuse a token that is used again. The JWTs of oidc-provider are shorter:",
    "they lack auth_time and at_hash, and its access token names the scope of the API only.",
  ],
};

const introspecting: LoadComparison = {
  title: "Introspection",
  flow: prepareIntrospection,
  contestants: tokenReaders,
  comparedWith,
  notes: [
    "One exchange: a confidential client asks about a live access token of a person. oidc-provider introspects opaque",
    'tokens only, so "opaque" is Postern with the same work; otherwise Postern checks the signature of a JWT and reads',
    "whether it was revoked. Nothing is signed, so there is no limit.",
  ],
};

const showingPerson: LoadComparison = {
  title: "Userinfo",
  flow: prepareUserinfo,
  contestants: tokenReaders,
  comparedWith,
  notes: [
    "One exchange: GET with a bearer token of the scopes openid and email, answered in JSON. oidc-provider takes opaque",
    'tokens only, so "opaque" is Postern with the same work; otherwise Postern checks the signature of a JWT and reads',
    "whether it was revoked. Nothing is signed, so there is no limit.",
  ],
};

const actingForItself: LoadComparison = {
  title: "Client credentials",
  flow: prepareClientCredentials,
  contestants: (bench, runtime) => tokenSigners(scopes.api, bench, runtime),
  comparedWith,
  notes: [
    "One exchange: a confidential client gets a JWT access token for itself. Limit: one exchange and one signature.",
    "Neither Postern nor oidc-provider stores such a token. For each client authentication with a secret, Postern reads",
    "the number of wrong secrets before from its store; oidc-provider does not count them.",
  ],
};

export const tokenLife: readonly Scenario[] = [
  createScenario(
    "refresh",
    "refresh token rotations a second, compared with the limit and oidc-provider",
    refreshing,
  ),
  createScenario(
    "introspection",
    "introspected access tokens a second, compared with oidc-provider",
    introspecting,
  ),
  createScenario("userinfo", "userinfo answers a second, compared with oidc-provider", showingPerson),
  createScenario(
    "client_credentials",
    "tokens for the client itself a second, compared with the limit and oidc-provider",
    actingForItself,
  ),
];

/** Runs with the first algorithm only: the code flow compares the algorithms. */
export function createScenario(name: string, describes: string, comparison: LoadComparison): Scenario {
  return {
    name,
    describes,
    run: (bench) => compareUnderLoad(comparison, { ...bench, algs: bench.algs.slice(0, 1) }),
  };
}
