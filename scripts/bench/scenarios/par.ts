/** Code flows whose authorization request the client pushes first: three exchanges on one connection (RFC 9126). */
import { isJwt, readMembers, wrongAnswer } from "../answers.ts";
import { prepareCodeFlow } from "../authorize.ts";
import { confidentialClient, scopes } from "../clients.ts";
import { peers, posternContestants } from "../contestants.ts";
import type { Scenario } from "../scenario.ts";
import { createScenario } from "./token_life.ts";

export const par: Scenario = createScenario(
  "par",
  "complete code flows with a pushed request a second, compared with oidc-provider",
  {
    title: "Code flow with a pushed request",
    async flow(connection, server) {
      // The server limits how many requests a client without a secret may push.
      const terms = { client: confidentialClient, scope: scopes.api, pushed: true } as const;
      const runFlow = await prepareCodeFlow(connection, server, terms);
      return async () => {
        const answer = await runFlow();
        if (isJwt(readMembers(answer)["access_token"])) return 1;
        throw wrongAnswer("token", "200 with a JWT access token", answer);
      };
    },
    contestants: (bench, runtime) => [
      ...posternContestants(bench, "jwt"),
      ...peers(runtime, ["oidc-provider"]),
    ],
    comparedWith: ["postern memory", "oidc-provider"],
    notes: [
      "One exchange and one record more than the code flow, and the client authenticates twice.",
    ],
  },
);
