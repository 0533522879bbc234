/** Single exchanges with tokens, each a scenario: refresh, introspection, userinfo, client credentials. */
import { readMembers, wrongAnswer } from "../answers.ts";
import type { CodeFlowOptions } from "../authorize.ts";
import { confidentialClient, person, publicClient, scopes } from "../clients.ts";
import { createProver } from "../dpop_client.ts";
import {
  createClientCredentials,
  createIntrospection,
  createRefresh,
  createUserinfo,
  obtainTokens,
} from "../exchanges.ts";
import type { Flow } from "../load.ts";
import { createGet } from "../requests.ts";
import type { Runtime } from "../../runtimes.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { bareContestants, peers, posternContestants } from "../servers.ts";
import { type ServerProcess, urlOf } from "../server_process.ts";
import { type Contestant, createScenario } from "../under_load.ts";

function tokenSigners(scope: string, bench: Bench, runtime: Runtime): readonly Contestant[] {
  return [
    ...bareContestants(scope),
    ...posternContestants(bench, "jwt"),
    ...peers(runtime, ["oidc-provider"]),
  ];
}

/** Beside a peer that reads opaque tokens, Postern runs with them as well. */
function tokenReaders(bench: Bench, runtime: Runtime): readonly Contestant[] {
  const found = peers(runtime, ["oidc-provider"]);
  const opaque = found.length === 0 ? [] : posternContestants(bench, "opaque");
  return [...bareContestants(scopes.person), ...posternContestants(bench, "jwt"), ...opaque, ...found];
}

const ofReaders = [
  'oidc-provider reads opaque tokens only, so "opaque" is Postern with the same work; otherwise Postern checks the',
  "signature of a JWT and reads whether it was revoked. The limit verifies the signature for userinfo only.",
];

const asPerson: CodeFlowOptions = { client: confidentialClient, scope: scopes.person };

const prepareRefresh: Flow = async (connection, server) => {
  const terms = { client: confidentialClient, scope: scopes.apiOffline };
  let { refresh_token: current } = await obtainTokens(["refresh_token"], connection, server, terms);
  const refresh = createRefresh(connection, server);
  return async () => {
    ({ refreshToken: current } = await refresh(current));
  };
};

type PrepareReading = typeof createIntrospection;

/** Each connection sends one token again and again. */
const repeatedly = (prepare: PrepareReading): Flow => async (connection, server) => {
  const { access_token: token } = await obtainTokens(["access_token"], connection, server, asPerson);
  const send = prepare(connection, server);
  return () => send(token);
};

// More than Postern remembers.
const freshTokens = 4096;
// Few, because a connection that waits for the others is closed.
const tokensOfConnection = 64;

/** The connections share tokens, and send each in its turn, so that the server no longer remembers it. */
function freshly(prepare: PrepareReading): Flow {
  const pools = new WeakMap<ServerProcess, string[]>();
  let next = 0;
  return async (connection, server) => {
    const tokens = pools.get(server) ?? [];
    pools.set(server, tokens);
    for (let own = 0; own < tokensOfConnection && tokens.length < freshTokens; own++) {
      const { access_token: token } = await obtainTokens(["access_token"], connection, server, asPerson);
      tokens.push(token);
    }
    const send = prepare(connection, server);
    return () => send(tokens[next++ % tokens.length]!);
  };
}

const prepareProvenUserinfo: Flow = async (connection, server) => {
  const path = server.launch.userinfoPath;
  const { access_token: token } = await obtainTokens(["access_token"], connection, server, {
    ...{ client: publicClient, scope: scopes.person },
    tokenHeaders: (server) => createProver("POST", urlOf(server, server.launch.tokenPath)),
  });
  const prove = createProver("GET", urlOf(server, path), token);
  const headers = `Accept: application/json\r\nAuthorization: DPoP ${token}\r\n`;
  return async () => {
    const answer = await connection.exchange(createGet(connection, path, headers + prove()));
    if (readMembers(answer)["sub"] === person.username) return;
    throw wrongAnswer("userinfo", "200 with the person", answer);
  };
};

const prepareClientCredentials: Flow = (connection, server) =>
  Promise.resolve(createClientCredentials(connection, server));

export const refresh: Scenario = createScenario(
  "refresh",
  "refresh token rotations a second, compared with the limit and oidc-provider",
  {
    title: "Refresh",
    flow: prepareRefresh,
    contestants: (bench, runtime) => tokenSigners(scopes.apiOffline, bench, runtime),
    notes: [
      "One exchange: a confidential client trades its refresh token for the next one, a JWT access token and an ID token.",
      "Each connection has one chain. Limit: one exchange and the two signatures. oidc-provider stores every refresh token,",
      "Postern one record for the chain; both refuse a token that is used again. The JWTs of oidc-provider are shorter:",
      "they lack auth_time and at_hash, and its access token names the scope of the API only.",
    ],
  },
);

/** Introspection and userinfo, each with one token for each connection and with many tokens in turn. */
export const tokenReadings: readonly Scenario[] = [
  {
    name: "introspection",
    title: "Introspection",
    describes: "introspected access tokens a second",
    prepare: createIntrospection,
    note: "One exchange: a confidential client asks about a live access token of a person.",
  },
  {
    name: "userinfo",
    title: "Userinfo",
    describes: "userinfo answers a second",
    prepare: createUserinfo,
    note: "One exchange: GET with a bearer token of the scopes openid and email, answered in JSON.",
  },
].flatMap(({ name, title, describes, prepare, note }) => [
  createScenario(name, `${describes}, compared with oidc-provider`, {
    title: `${title}, a repeated token`,
    flow: repeatedly(prepare),
    contestants: tokenReaders,
    notes: [note, "Each connection sends one token again and again, as a busy client does.", ...ofReaders],
  }),
  createScenario(`${name}_fresh`, `${describes}, with many tokens in turn`, {
    title: `${title}, fresh tokens`,
    flow: freshly(prepare),
    contestants: (bench, runtime) =>
      tokenReaders(bench, runtime).filter(({ label }) => label !== "oidc-provider"),
    notes: [
      note,
      `${freshTokens} tokens are sent in turn, so that the server no longer remembers one that comes again.`,
      "oidc-provider is left out, because its memory store forgets tokens before their turn.",
      ...ofReaders,
    ],
  }),
]);

export const dpopUserinfo: Scenario = createScenario(
  "dpop_userinfo",
  "userinfo answers with a DPoP proof a second",
  {
    title: "Userinfo with DPoP",
    flow: prepareProvenUserinfo,
    contestants: (bench) => posternContestants(bench, "jwt"),
    notes: [
      "One exchange: GET with a bound token and a new proof. Beside the work for a bearer token, the server verifies the",
      "proof and stores a record, so that the proof is not accepted again.",
    ],
  },
);

export const clientCredentials: Scenario = createScenario(
  "client_credentials",
  "tokens for the client itself a second, compared with the limit and oidc-provider",
  {
    title: "Client credentials",
    flow: prepareClientCredentials,
    contestants: (bench, runtime) => tokenSigners(scopes.api, bench, runtime),
    notes: [
      "One exchange: a confidential client gets a JWT access token for itself. Limit: one exchange and one signature.",
      "Neither Postern nor oidc-provider stores such a token. For each client authentication with a secret, Postern reads",
      "the number of wrong secrets before from its store; oidc-provider does not count them.",
    ],
  },
);
