/** Logins with the peer `oauth2-mock-server`, as its README sets it up. Run as a process: `… COUNT [ALGORITHM]`. */
import { OAuth2Server } from "oauth2-mock-server";
import { loginAlg, programArgs, runLogins } from "./mock_login.ts";
import { loginByFetch } from "./mock_login_by_fetch.ts";

const alg = programArgs[1] ?? loginAlg;

await runLogins(async () => {
  const server = new OAuth2Server();
  await server.issuer.keys.generate(alg);
  await server.start(0, "127.0.0.1");
  const { url } = server.issuer;
  return {
    login: () => loginByFetch({ authorize: `${url}/authorize`, token: `${url}/token`, scope: "openid" }),
    dispose: () => server.stop(),
  };
}, alg);
