/** Complete code flows: authorize with automatic sign-in, then token, two exchanges on one connection. */
import { isJwt, readMembers, wrongAnswer } from "../answers.ts";
import { prepareCodeFlow } from "../authorize.ts";
import { publicClient, scopes } from "../clients.ts";
import { bareSigningContestant, peers, posternContestants } from "../contestants.ts";
import type { Scenario } from "../scenario.ts";
import { compareUnderLoad } from "../under_load.ts";

export const codeFlow: Scenario = {
  name: "code_flow",
  describes: "complete code flows a second, compared with the limit and two peers",
  run: (bench) =>
    compareUnderLoad({
      title: "Code flow",
      async flow(connection, server) {
        const terms = { client: publicClient, scope: scopes.api };
        const runFlow = await prepareCodeFlow(connection, server, terms);
        return async () => {
          const answer = await runFlow();
          const { access_token: accessToken, id_token: idToken } = readMembers(answer);
          if (!isJwt(accessToken)) throw wrongAnswer("token", "200 with a JWT access token", answer);
          return isJwt(idToken) ? 2 : 1;
        };
      },
      contestants: (bench, runtime) => [
        bareSigningContestant(scopes.api),
        ...posternContestants(bench, "jwt"),
        ...peers(runtime, ["oauth2-mock-server", "oidc-provider"]),
      ],
      comparedWith: ["postern memory", "oauth2-mock-server", "oidc-provider"],
      notes: [
        "Limit: the same two exchanges and signatures on the runtime's own server, without checks. Ratios are medians over",
        'slices of the same round. "by CPU" is the same ratio of CPU time for each flow: a slow load generator and other',
        "programs change it little, but it does not include the time that a store waits for its disk. Latency is that of a",
        "complete flow, with every connection always busy. oauth2-mock-server checks only PKCE, and always signs an ID",
        "token too; oidc-provider has its session and grant before the measured time.",
      ],
    }, bench),
};
