/** Complete code flows: authorize with automatic sign-in, then token; also with a DPoP proof, and with a pushed request. */
import { codeFlows } from "../authorize.ts";
import { confidentialClient, publicClient, scopes } from "../clients.ts";
import { bareSigningContestant, peers, posternContestants } from "../servers.ts";
import { createProver } from "../dpop_client.ts";
import type { Scenario } from "../scenario.ts";
import { urlOf } from "../server_process.ts";
import { compareUnderLoad, createScenario } from "../under_load.ts";

export const codeFlow: Scenario = {
  name: "code_flow",
  describes: "complete code flows a second, compared with the limit and two peers",
  run: (bench) =>
    compareUnderLoad({
      title: "Code flow",
      flow: codeFlows({ client: publicClient, scope: scopes.api }),
      contestants: (bench, runtime) => [
        bareSigningContestant(scopes.api),
        ...posternContestants(bench, "jwt"),
        ...peers(runtime, ["oauth2-mock-server", "oidc-provider"]),
      ],
      notes: [
        "Limit: the same two exchanges and signatures on the runtime's own server, without checks. Ratios are medians over",
        'slices of the same round. "by CPU" is the same ratio of CPU time for each flow: a slow load generator and other',
        "programs change it little, but it does not include the time that a store waits for its disk. Latency is that of a",
        "complete flow, with every connection always busy. oauth2-mock-server checks only PKCE, and always signs an ID",
        "token too; oidc-provider has its session and grant before the measured time.",
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
