/** What happens to tokens after a sign-in, and without one: single exchanges, each a scenario of its own. */
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

function signersOfTokens(scope: string, bench: Bench, runtime: Runtime): readonly Contestant[] {
  return [
    bareSigningContestant(scope),
    ...posternContestants(bench, "jwt"),
    ...peers(runtime, ["oidc-provider"]),
  ];
}

/** Where a peer reads opaque tokens, Postern runs with them as well. */
function readersOfTokens(bench: Bench, runtime: Runtime): readonly Contestant[] {
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

/** Of a code flow by the confidential client. */
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
  contestants: (bench, runtime) => signersOfTokens(scopes.apiOffline, bench, runtime),
  comparedWith,
  notes: [
    "One exchange: a confidential client trades its refresh token for the next one, a JWT access token and an ID token.",
    "Each connection has one chain. Limit: one exchange and the two signatures. oidc-provider keeps every refresh token",
    "that it gave, Postern one record of the whole chain; either refuses one that comes back. The JWTs of",
    "oidc-provider are shorter: they lack auth_time and at_hash, and its access token names the scope of the API only.",
  ],
};

const introspecting: LoadComparison = {
  title: "Introspection",
  flow: prepareIntrospection,
  contestants: readersOfTokens,
  comparedWith,
  notes: [
    "One exchange: a confidential client asks about a live access token of a person. oidc-provider introspects opaque",
    'tokens only, so "opaque" is Postern at the same work; otherwise Postern checks the signature of a JWT and reads',
    "whether it was revoked. Nothing is signed, so there is no limit.",
  ],
};

const showingPerson: LoadComparison = {
  title: "Userinfo",
  flow: prepareUserinfo,
  contestants: readersOfTokens,
  comparedWith,
  notes: [
    "One exchange: GET with a bearer token of the scopes openid and email, answered in JSON. oidc-provider takes opaque",
    'tokens only, so "opaque" is Postern at the same work; otherwise Postern checks the signature of a JWT and reads',
    "whether it was revoked. Nothing is signed, so there is no limit.",
  ],
};

const actingForItself: LoadComparison = {
  title: "Client credentials",
  flow: prepareClientCredentials,
  contestants: (bench, runtime) => signersOfTokens(scopes.api, bench, runtime),
  comparedWith,
  notes: [
    "One exchange: a confidential client gets a JWT access token for itself. Limit: one exchange and one signature.",
    "Neither Postern nor oidc-provider keeps such a token. Postern reads in its store whether too many wrong secrets",
    "came before, here and wherever a client authenticates with one; oidc-provider does not count them.",
  ],
};

export const tokenLife: readonly Scenario[] = [
  createScenario(
    "refresh",
    "refresh token rotations a second, beside the limit and oidc-provider",
    refreshing,
  ),
  createScenario("introspection", "introspected access tokens a second, beside oidc-provider", introspecting),
  createScenario("userinfo", "userinfo answers a second, beside oidc-provider", showingPerson),
  createScenario(
    "client_credentials",
    "tokens for the client itself a second, beside the limit and oidc-provider",
    actingForItself,
  ),
];

/** With the first algorithm only: what another one costs shows in the code flow. */
function createScenario(name: string, describes: string, comparison: LoadComparison): Scenario {
  return {
    name,
    describes,
    run: (bench) => compareUnderLoad(comparison, { ...bench, algs: bench.algs.slice(0, 1) }),
  };
}
