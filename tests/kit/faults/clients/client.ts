/** The three clients of these tests, which differ in their habits only. Each area has a file with its steps. */

import { areaOf } from "../../../../src/kit/faults/names.ts";
import type { ClientCertificate, ExamineTerms, Mock } from "../../../../src/kit/mod.ts";
import { present } from "../../../../src/ground/values/present.ts";
import { needsTwoLogins } from "../../examined/examined.ts";
import { callApi } from "./api.ts";
import { assertAs } from "./assertion.ts";
import { logInOnDevice } from "./device.ts";
import { discover, type ServerMetadata } from "./discovery.ts";
import { createDpop, requireAlgorithm } from "./dpop.ts";
import { confidentialClient, findsApi, type Habits, type Kind, type Run } from "./habits.ts";
import { type Login, logIn } from "./login.ts";
import { logOut } from "./logout.ts";
import { callWithRefresh, refreshForUse, refreshTogether, refreshTwice } from "./refresh.ts";
import { callOwnApi, hasOwnApi } from "./own_api.ts";
import { registerAndLogIn } from "./registration.ts";
import { callUnknownApi } from "./unknown_api.ts";
import { exchangeAndCall } from "./token_exchange.ts";
import { loadUserinfo } from "./userinfo.ts";

/** A client whose refresh tokens stay the same. */
const keepingClient = {
  client_secret: confidentialClient.client_secret,
  rotate_refresh_tokens: false,
} as const;

/** Returns the certificate to which the server binds the tokens of the client from now on (RFC 8705 §3). */
async function bindByCertificate(as: Mock, clientId: string): Promise<ClientCertificate> {
  as.clients.change(clientId, { tls_client_certificate_bound_access_tokens: true });
  return await as.certificate(clientId);
}

/** Creates a client that does what the phase of its run needs, after a login. */
export function createClient(habits: Habits, kind?: Kind): ExamineTerms["client"] {
  return async (as, scenario) => {
    const area = scenario.name === undefined ? undefined : areaOf(scenario.name);
    const isKept = scenario.name === "refresh.rotated";
    if (isKept) as.clients.change(scenario.clientId, keepingClient);
    const run: Run = {
      ...{ as, scenario, habits },
      ...present({ kind }),
      ...(habits.guards === undefined && !isKept ? {} : { secret: confidentialClient.client_secret }),
      ...(kind === "assertion" || scenario.name === "pushed_request.audience_foreign"
        ? { assertionKey: assertAs(as, scenario.clientId) }
        : {}),
      ...(kind === "dpop" || area === "dpop" ? { dpop: await createDpop() } : {}),
      ...(kind === "certificate" || area === "mtls"
        ? { certificate: await bindByCertificate(as, scenario.clientId) }
        : {}),
    };
    if (findsApi(kind) || area === "resource") return await callUnknownApi(run);
    let metadata = await discover(run);
    requireAlgorithm(metadata.all, run);
    // Some misbehaviours need a login before the one that they change.
    if (needsTwoLogins(scenario)) {
      await logIn(metadata, run);
      metadata = await discover(run);
    }
    // And one needs a second login, after the one that fails.
    if (scenario.name === "pushed_request.login_fails") await logIn(metadata, run).catch(() => {});
    const isRegistered = scenario.phase === "register";
    let login = isRegistered ? await registerAndLogIn(metadata, run) : await logIn(metadata, run);
    if (area === "device") login = { ...login, tokens: await logInOnDevice(metadata, run) };
    if (hasOwnApi(kind)) return await callOwnApi(login, metadata, run);
    if (scenario.phase === "login") await loadUserinfo(login, metadata, run);
    if (scenario.phase === "call_api") await callApiFor(login, metadata, run);
    // The client has restarted since the login, and has kept only the tokens.
    if (scenario.phase === "refresh") await refreshFor(login, await discover(run), run);
    if (scenario.phase === "logout") await logOut(login, metadata, run);
  };
}

/** A client that refreshes its tokens also does so if the API refuses one. Faulty tokens go to an API of the client. */
async function callApiFor(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  const { name = "" } = run.scenario;
  if (name.startsWith("token_exchange.")) await exchangeAndCall(login, metadata, run);
  else if (name.startsWith("refresh.")) await callWithRefresh(login, metadata, run);
  else if (/^(?:access_token|introspection|mtls)\./.test(name)) await callOwnApi(login, metadata, run);
  else await callApi(login.tokens, run);
}

async function refreshFor(login: Login, metadata: ServerMetadata, run: Run): Promise<void> {
  // One misbehaviour needs two callers at the same time.
  if (run.scenario.name === "refresh.slow") await refreshTogether(login, metadata, run);
  else if (run.scenario.name === "refresh.rotated") await refreshTwice(login, metadata, run);
  else await refreshForUse(login, metadata, run);
}
