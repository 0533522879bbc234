/** The peer `oidc-provider`. `/bench/session` signs in. Run as a process: `oidc_provider PORT ALG`. */
import { exportJWK, generateKeyPair } from "jose";
import process from "node:process";
import { createProvider, createSession } from "./create_oidc_provider.ts";

const [portText, alg = "ES256"] = process.argv.slice(2);
const port = Number(portText);
const { privateKey } = await generateKeyPair(alg, { extractable: true });

const provider = createProvider({
  ...{ issuer: `http://127.0.0.1:${port}`, alg, key: await exportJWK(privateKey) },
  cookieKeys: [crypto.randomUUID()],
  issuesRefreshTokens: (client) => client.grantTypeAllowed("refresh_token"),
});
provider.use(async (context, next) => {
  if (context.path !== "/bench/session") return await next();
  const { id } = await createSession(provider);
  context.cookies.set(provider.cookieName("session"), id, { signed: true, httpOnly: true });
  context.body = "";
});
provider.listen(port, "127.0.0.1");
