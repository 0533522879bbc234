/** Logins at the bare server without a socket: two signatures, and no checks. Run as a process: `mock_login_bare COUNT`. */
import { scopes } from "../clients.ts";
import { createBareAnswers } from "./bare_answers.ts";
import { loginAlg, runLogins } from "./mock_login.ts";

const issuer = "http://localhost:9000";
const answer = await createBareAnswers({ alg: loginAlg, scope: scopes.apiPerson, issuer });
const request = { query: "", authorization: undefined, body: "" };

await runLogins(() =>
  Promise.resolve({
    async login() {
      const query = new URLSearchParams({ redirect_uri: `${issuer}/cb`, state: "state" }).toString();
      const { headers } = await answer({ ...request, path: "/oauth2/authorize", query });
      const code = new URL(headers["location"]!).searchParams.get("code")!;
      const body = new URLSearchParams({ grant_type: "authorization_code", code }).toString();
      return JSON.parse((await answer({ ...request, path: "/oauth2/token", body })).body);
    },
    dispose: () => Promise.resolve(),
  })
);
