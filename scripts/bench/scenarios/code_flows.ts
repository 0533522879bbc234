/** Complete code flows: authorize with automatic sign-in, then token; also with a DPoP proof, and with a pushed request. */
import { codeFlows } from "../authorize.ts";
import { confidentialClient, publicClient, scopes } from "../clients.ts";
import { bareContestants, peers, posternContestants, withoutInspector } from "../servers.ts";
import { createProver } from "../dpop_client.ts";
import type { Scenario } from "../scenario.ts";
import { urlOf } from "../server_process.ts";
import { compareUnderLoad, createScenario } from "../under_load.ts";

export const codeFlowTitle = "Code flow";

export const codeFlow: Scenario = {
  name: "code_flow",
  describes: "complete code flows a second, compared with the limit and two peers",
  run: (bench) =>
    compareUnderLoad({
      title: codeFlowTitle,
      flow: codeFlows({ client: confidentialClient, scope: scopes.apiPerson }),
      contestants: (bench, runtime) => [
        ...bareContestants(scopes.apiPerson),
        ...posternContestants(bench, "jwt"),
        withoutInspector,
        ...peers(runtime, ["oauth2-mock-server", "oidc-provider"]),
      ],
      notes: [
        "A flow gets an access token and an ID token, both signed, and a refresh token. Limit: a server that parses the same",
        "two requests, signs and answers, without checks, on the runtime's own server or on the listener of Postern.",
        '"own µs" is CPU time of a flow above that of the better limit, "share" that of its flows/s, "by CPU" the',
        "same in CPU time: a slow load generator and other programs change it little, but it does not include the time that",
        "a store waits for its disk. Ratios are medians over slices of the same round. Latency is that of a complete flow,",
        'with every connection always busy; "MB" is the memory after the last one. "as started" has the inspector and writes',
        "a line for each request to a file; the other servers write nothing. oauth2-mock-server checks only PKCE;",
        "oidc-provider has its session and grant before the measured time.",
      ],
    }, bench),
};

export const dpopFlow: Scenario = createScenario(
  "dpop_flow",
  "complete code flows with a DPoP proof a second",
  {
    title: "Code flow with DPoP",
    flow: codeFlows({
      ...{ client: publicClient, scope: scopes.api, tokenType: "DPoP" },
      tokenHeaders: (server) => createProver("POST", urlOf(server, server.launch.tokenPath)),
    }),
    contestants: (bench) => posternContestants(bench, "jwt"),
    notes: [
      "The code flow of a public client whose token request has a DPoP proof. The server verifies one EdDSA signature more,",
      "and stores one record more, than without DPoP. The load generator signs the proofs.",
    ],
  },
);

export const par: Scenario = createScenario(
  "par",
  "complete code flows with a pushed request a second, compared with oidc-provider",
  {
    title: "Code flow with a pushed request",
    // The server limits how many requests a client without a secret may push.
    flow: codeFlows({ client: confidentialClient, scope: scopes.api, pushed: true }),
    contestants: (bench, runtime) => [
      ...posternContestants(bench, "jwt"),
      ...peers(runtime, ["oidc-provider"]),
    ],
    notes: ["One exchange and one record more than the code flow, and the client authenticates twice."],
  },
);
