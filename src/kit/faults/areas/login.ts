/** Values that a client has to create for each login. The server is right, so no server can have these faults. */

import { type FaultsOf, faultsOf } from "../faults_of.ts";

export const login: FaultsOf<"login"> = faultsOf("login", {
  level: "must",
  phase: "login",
  server: "The server is right, and the client logs in twice.",
  watch: {},
  acts: () => ({}),
}, {
  nonce_repeated: {
    client: "Sends a new nonce in each login.",
    rule: "OpenID Connect Core §15.5.2; RFC 9700 §2.1.1",
    needs: ["nonce"],
    repeats: "nonce",
  },
  state_repeated: {
    client: "Sends a new state in each login, unless a new code_verifier or a new nonce protects it.",
    rule: "RFC 6749 §10.12; RFC 9700 §2.1, §4.7.1",
    needs: ["state"],
    repeats: "state",
  },
  verifier_repeated: {
    client: "Creates a new code_verifier for each login.",
    rule: "RFC 7636 §4.1, §7.1; RFC 9700 §2.1.1",
    needs: ["pkce"],
    repeats: "verifier",
  },
});
