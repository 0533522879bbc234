/** A verdict says what proves it, and nothing is proved by what every client does. */

import { assertEquals, assertMatch } from "@std/assert";
import {
  createMock,
  examine,
  type ExamineTerms,
  type MisbehaviourName,
  type Mock,
  type Scenario,
} from "../../../src/kit/mod.ts";
import { authorizeUrl, requestToken } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { detailTypes } from "./clients/authorization_details.ts";
import { createClient } from "./clients/client.ts";
import { naive, quick, quickAlg, Refusal } from "./clients/habits.ts";

const client = createClient(quick);

async function findRow(name: MisbehaviourName, used = client) {
  const { rows: [row] } = await examine({
    client: used,
    only: [name],
    options: { alg: quickAlg },
    within: 60,
  });
  return row!;
}

test("misbehaviours: what is about pushed requests does not apply to a client that pushes none", async () => {
  const name = "pushed_request.login_fails";
  assertEquals((await findRow(name)).outcome, "noticed");
  // Without the name, the client works as while the server is right.
  const plain = await findRow(name, (as, scenario) => client(as, { ...scenario, name: undefined }));
  assertEquals([plain.outcome, plain.because], [
    "not_applicable",
    "The client pushes no authorization request.",
  ]);
});

test("misbehaviours: a client without PAR is not blamed where the server wants pushed requests (RFC 9126 §5)", async () => {
  const plain = createClient(naive);
  const pushesNothing: typeof plain = (as, scenario) => plain(as, { ...scenario, name: undefined });
  for (const name of ["endpoint_missing", "refused", "unavailable"] as const) {
    const row = await findRow(`pushed_request.${name}`, pushesNothing);
    const endpoints = row.requests.map(({ endpoint }) => endpoint);
    assertEquals([row.outcome, endpoints.includes("token")], ["not_applicable", true], name);
  }
});

/** Also compares the iss of the authorization response (RFC 9207 §2.4). */
const comparing: typeof client = (as, { browse, ...scenario }) =>
  client(as, {
    ...scenario,
    async browse(url) {
      const returned = await browse(url);
      if (returned.searchParams.get("iss") !== scenario.issuer) throw new Refusal("it is another issuer");
      return returned;
    },
  });

for (const name of ["authorization_response.mix_up", "metadata.token_endpoint_http"] as const) {
  test(`misbehaviours: a client that calls no second host has not noticed ${name}`, async () => {
    assertEquals((await findRow(name, comparing)).outcome, "noticed");
    const { outcome, because } = await findRow(name, (as, scenario) => {
      const fetch: typeof as.fetch = (url, init) => {
        if (new URL(`${url}`).origin === new URL(scenario.issuer).origin) return as.fetch(url, init);
        throw new Refusal("it is another host");
      };
      return comparing({ ...as, fetch }, scenario);
    });
    assertEquals([outcome, because], [
      "unknown",
      "The client did not go on with metadata.token_endpoint_host either: " +
      "The client refused: Refusal: it is another host",
    ]);
  });
}

test("misbehaviours: a slow refresh needs two callers that refresh at the same time", async () => {
  const row = await findRow("refresh.slow");
  assertEquals(row.outcome, "not_applicable");
  assertMatch(row.because, /two callers at the same time \(two_refreshes\)/);
});

test("misbehaviours: a client that cannot read userinfo as a JWT has not refused a wrong one", async () => {
  const readsJson: typeof client = async (as, scenario) => {
    await client(as, { ...scenario, name: undefined });
    const { access_token } = await as.login("alice", { client: scenario.clientId });
    const headers = { authorization: `Bearer ${access_token}` };
    JSON.parse(await (await as.fetch(`${as.issuer}/userinfo`, { headers })).text());
  };
  const row = await findRow("userinfo.jwt_unsigned", readsJson);
  assertEquals(row.outcome, "not_applicable");
  assertMatch(
    row.because,
    /^The client does not succeed with userinfo as a signed JWT while the server is right: SyntaxError: /,
  );
});

test("misbehaviours: an application that reports what its API answers has shown nothing of its library", async () => {
  const reports: typeof client = (as, scenario) =>
    client({
      ...as,
      fetch: async (input, init) => {
        const response = await as.fetch(input, init);
        const isRefused = response.status === 401 && new Headers(init?.headers).has("authorization");
        if (`${input}` === scenario.api && isRefused) throw new Error("the API answers 401");
        return response;
      },
    }, scenario);
  const { outcome, because } = await findRow("refresh.endless", reports);
  assertEquals(outcome, "unknown");
  assertMatch(because, /It refused: Error: the API answers 401$/);
});

test("misbehaviours: a client that refreshes once for a dead token, and then stops, shows it", async () => {
  const { outcome, because } = await findRow("refresh.endless");
  assertEquals([outcome, because], [
    "noticed",
    "The client refreshed, and then stopped: POST token (refresh_token).",
  ]);
});

test("misbehaviours: a client that pushes one request has not shown that it pushes a new one (RFC 9126 §4)", async () => {
  // Under this name, the client pushes a request, and does not log in again.
  const logsInOnce: typeof client = (as, scenario) =>
    client(as, { ...scenario, name: "pushed_request.refused" });
  const { outcome } = await findRow("pushed_request.login_fails", logsInOnce);
  assertEquals(outcome, "unknown");
});

test("misbehaviours: a client that revokes its token has the phase logout (RFC 7009 §2.1)", async () => {
  const revokes: typeof client = async (as, { clientId, issuer }) => {
    const { access_token: token } = await as.login("alice", { client: clientId });
    const { ok, status } = await post(as, `${issuer}/oauth2/revoke`, { token, client_id: clientId });
    if (!ok) throw new Error(`the token is not revoked: ${status}`);
  };
  const { outcome, because } = await findRow("revocation.refused", revokes);
  assertEquals([outcome, because], ["noticed", "The client refused: Error: the token is not revoked: 401"]);
});

test("misbehaviours: a redirect of the API concerns a client that discovers nothing (RFC 6750 §5.3)", async () => {
  const ends = { forwards: "fooled", follows: "unharmed", refuses: "noticed" } as const;
  for (const [habit, expected] of Object.entries(ends)) {
    const plain: typeof client = async (as, { phase, clientId, api }) => {
      const resource = phase === "call_api" ? { scope: "orders", resource: api } : {};
      const { access_token } = await as.login("alice", { client: clientId, ...resource });
      if (phase !== "call_api") return;
      const headers = { authorization: `Bearer ${access_token}` };
      // A fetch that follows the redirect leaves the token out (Fetch Standard §4.4).
      const redirect = habit === "follows" ? "follow" : "manual";
      const response = await as.fetch(api, { headers, redirect });
      const location = response.headers.get("location");
      if (location === null) return;
      if (habit === "refuses") throw new Error("the API redirects to another host");
      await as.fetch(location, { headers });
    };
    const { outcome, because, requests } = await findRow("resource.redirects_to_foreign_host", plain);
    assertEquals([habit, outcome], [habit, expected], because);
    if (habit === "forwards") {
      assertEquals(because, "With the variant another: Afterwards the client sent GET decoy.");
    }
    assertEquals(requests[0]?.status, 307);
  }
});

/** Reads the first server of an API, or the one that it is told of, and the endpoints of that server. */
async function findServer(as: Mock, api: string, own?: string) {
  const { origin, pathname } = new URL(api);
  const described = await (await as.fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`))
    .json();
  const server = own ?? described.authorization_servers[0];
  return await (await as.fetch(`${server}/.well-known/oauth-authorization-server`)).json();
}

/** Registers at the server, and begins a login there. Throws the error of the server. */
async function registerAndBegin(
  as: Mock,
  server: Awaited<ReturnType<typeof findServer>>,
  scenario: Scenario,
) {
  const { redirectUri: redirect_uri, browse } = scenario;
  const { client_id, redirect_uris } = await (await as.fetch(server.registration_endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" }),
  })).json();
  assertEquals(redirect_uris, [redirect_uri]);
  const url = authorizeUrl(new URL(server.authorization_endpoint).origin, { client_id, redirect_uri });
  const { searchParams } = await browse(`${server.authorization_endpoint}${url.search}`);
  assertEquals(searchParams.get("state"), url.searchParams.get("state"));
  if (searchParams.has("error")) {
    throw new Error(`the server says ${searchParams.get("error")}`);
  }
}

test("misbehaviours: a client that registers at a foreign server and begins a login there has not noticed it (RFC 9728 §7.6)", async () => {
  for (const isRight of [true, false]) {
    const calls: typeof client = async (as, scenario) => {
      const { phase, clientId, api, issuer } = scenario;
      const { access_token } = await as.login("alice", { client: clientId, scope: "orders", resource: api });
      if (phase !== "call_api") return;
      await registerAndBegin(as, await findServer(as, api, isRight ? issuer : undefined), scenario);
      await as.fetch(api, { headers: { authorization: `Bearer ${access_token}` } });
    };
    const { outcome, because } = await findRow("resource.servers_foreign_first", calls);
    assertEquals(
      [outcome, because],
      isRight ? ["noticed", "The client began the login at its own server: GET authorize."] : [
        "fooled",
        "Afterwards the client sent GET decoy. It ended later with Error: the server says access_denied",
      ],
    );
  }
});

test("misbehaviours: a client that registers anew at the new server of an API sends it no credential (RFC 6749 §10.4)", async () => {
  for (const isRight of [true, false]) {
    const calls: typeof client = async (as, scenario) => {
      const { phase, clientId: client, api } = scenario;
      const scope = "orders offline_access";
      const { access_token, refresh_token } = await as.login("alice", { client, scope, resource: api });
      if (phase !== "call_api") return;
      const { ok } = await as.fetch(api, { headers: { authorization: `Bearer ${access_token}` } });
      const server = await findServer(as, api);
      if (ok || isRight) return await registerAndBegin(as, server, scenario);
      const form = { grant_type: "refresh_token", refresh_token: refresh_token!, client_id: client };
      await post(as, server.token_endpoint, form);
    };
    const { outcome, because } = await findRow("resource.server_moved", calls);
    assertEquals(
      [outcome, because],
      isRight
        ? [
          "noticed",
          "The client sent no credential to the new server. It ended with " +
          "Error: the server says access_denied",
        ]
        : ["fooled", "Afterwards the client sent POST decoy."],
    );
  }
});

test("misbehaviours: a client may refresh once for each use of a token that has expired at once, and not again and again (RFC 6749 §5.1)", async () => {
  for (const [usesEach, outcome] of [[true, "unharmed"], [false, "fooled"]] as const) {
    const refreshes: typeof client = async (as, { phase, clientId: client, api, issuer }) => {
      const scope = "orders offline_access";
      let { access_token, refresh_token } = await as.login("alice", { client, scope, resource: api });
      if (phase !== "refresh") return;
      const use = () => as.fetch(api, { headers: { authorization: `Bearer ${access_token}` } });
      for (let count = 1; count <= 5; count++) {
        const form = { grant_type: "refresh_token", refresh_token: `${refresh_token}`, client_id: client };
        ({ access_token, refresh_token } = await (await post(as, `${issuer}/oauth2/token`, form)).json());
        if (usesEach || count === 5) await use();
      }
    };
    const row = await findRow("token_response.expires_in_negative", refreshes);
    assertEquals(row.outcome, outcome, row.because);
  }
});

/** Registers a public client, logs in with it, and returns the answer to its token request. */
async function registerAndLogIn(as: Mock, { issuer, redirectUri, browse }: Scenario): Promise<Response> {
  const registered = await as.fetch(`${issuer}/connect/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: "none" }),
  });
  const { client_id } = await registered.json();
  const client = { client_id, redirect_uri: redirectUri };
  const { searchParams } = await browse(authorizeUrl(issuer, { ...client, scope: "openid" }));
  return await requestToken({ issuer, fetch: as.fetch }, { ...client, code: `${searchParams.get("code")}` });
}

function post(as: Mock, url: string, form: Readonly<Record<string, string>>): Promise<Response> {
  return as.fetch(url, { method: "POST", body: new URLSearchParams(form) });
}

/** Sends the same request until it succeeds, at most so many times. Returns the last status. */
async function repeat(attempts: number, send: () => Promise<Response>): Promise<number> {
  let status = 0;
  for (let attempt = 0; attempt < attempts && status !== 200; attempt++) ({ status } = await send());
  return status;
}

/** What the code around a client does after the client has reported an error. */
const endings = {
  swallows: () => {},
  reports: (status: number) => {
    throw new Error(`the server answers ${status}`);
  },
} as const;

for (const [ending, end] of Object.entries(endings)) {
  test(`misbehaviours: an application that ${ending} the refusal of its client has not registered again, or refused to (RFC 7591 §3)`, async () => {
    const registersOnce: typeof client = async (as, scenario) => {
      if (scenario.phase !== "register") return await client(as, scenario);
      const { ok, status } = await registerAndLogIn(as, scenario);
      if (!ok) end(status);
    };
    const row = await findRow("registration.client_forgotten", registersOnce);
    assertEquals(row.outcome, "unknown", row.because);
  });

  test(`misbehaviours: an application that ${ending} a failed refresh does not show what becomes of the refresh token (RFC 6749 §6)`, async () => {
    for (const attempts of [1, 2, 5]) {
      const refreshes: typeof client = async (as, { phase, clientId, issuer }) => {
        const { refresh_token } = await as.login("alice", {
          client: clientId,
          scope: "openid offline_access",
        });
        if (phase !== "refresh") return;
        const form = { grant_type: "refresh_token", refresh_token: refresh_token!, client_id: clientId };
        const status = await repeat(attempts, () => post(as, `${issuer}/oauth2/token`, form));
        if (status !== 200) end(status);
      };
      const { outcome, because } = await findRow("refresh.unavailable", refreshes);
      const expected = attempts === 1 ? "unknown" : attempts === 2 ? "noticed" : "fooled";
      assertEquals([attempts, outcome], [attempts, expected], because);
    }
  });

  test(`misbehaviours: an application that ${ending} a failed revocation (RFC 7009 §2.2.1)`, async () => {
    for (const attempts of [1, 2]) {
      const revokes: typeof client = async (as, { clientId, issuer }) => {
        const { access_token: token } = await as.login("alice", { client: clientId });
        const form = { token, client_id: clientId };
        const status = await repeat(attempts, () => post(as, `${issuer}/oauth2/revoke`, form));
        if (status !== 200) end(status);
      };
      const { outcome, because } = await findRow("revocation.unavailable", revokes);
      const isShown = attempts === 2 || ending === "reports";
      assertEquals([attempts, outcome], [attempts, isShown ? "noticed" : "unknown"], because);
    }
  });
}

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`misbehaviours: what the token response lacks of the authorization details, the ${accessTokens} token lacks, too (RFC 9396 §9)`, async () => {
    await using as = await createMock({ accessTokens, authorizationDetails: detailTypes });
    const api = as.resource("https://api.test", {}, (_request, claims) => Response.json(claims));
    using _wrong = as.misbehave("authorization_details.less");
    const details = [1, 2, 3].map((euros) => ({ type: "transfer", euros }));
    const login = await as.login("alice", { resource: api.url, authorizationDetails: details });
    for (const tokens of [login, await as.refresh(login)]) {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      const claims = await (await as.fetch(api.url, { headers })).json();
      assertEquals([tokens.authorization_details, claims.authorization_details], [
        details.slice(0, 2),
        details.slice(0, 2),
      ]);
    }
  });
}

test("misbehaviours: a row of a phase that the client does not have has the requests of its login", async () => {
  const logsInOnly: typeof client = (as, scenario) => client(as, { ...scenario, phase: "login" });
  const { outcome, requests } = await findRow("logout.state_missing", logsInOnly);
  assertEquals([outcome, requests.length > 0], ["not_reached", true]);
});

test("misbehaviours: where the client sent nothing wrong, the row has what it sent afterwards", async () => {
  const { outcome, requests } = await findRow("id_token.aud_array", createClient(naive));
  assertEquals([outcome, requests.map(({ endpoint }) => endpoint)], ["tolerated", [
    "token",
    "userinfo",
  ]]);
});

test("misbehaviours: a server that leaves out what it never sends has not misbehaved", async () => {
  // Without the scope openid, no response has an ID token.
  const oauthOnly: typeof client = async (as, { phase, clientId, issuer }) => {
    const tokens = await as.login("alice", { client: clientId, scope: "orders offline_access" });
    if (phase !== "refresh") return;
    const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token!, client_id: clientId };
    await post(as, `${issuer}/oauth2/token`, form);
  };
  const { outcome } = await findRow("refresh.id_token_missing", oauthOnly);
  assertEquals(outcome, "not_reached");
});

test("misbehaviours: a public client whose registration is forgotten can register again (RFC 7591 §3)", async () => {
  const accepted: boolean[] = [];
  const registersAgain: typeof client = async (as, scenario) => {
    if (scenario.phase !== "register") return await client(as, scenario);
    for (let attempt = 1;; attempt++) {
      const { ok } = await registerAndLogIn(as, scenario);
      accepted.push(ok);
      if (ok) return;
      if (attempt === 2) throw new Error("the new registration is refused, too");
    }
  };
  const row = await findRow("registration.client_forgotten", registersAgain);
  assertEquals([row.outcome, accepted.slice(-2)], ["tolerated", [false, true]], row.because);
  // A client without a secret has none that can expire.
  const expired = await findRow("registration.secret_expired", registersAgain);
  assertEquals([expired.outcome, expired.because], ["not_applicable", "The client registers no secret."]);
});

test("misbehaviours: logout tokens do not apply to a client without an endpoint for them", async () => {
  const { rows } = await examine({
    client: (as, scenario) => client(as, { ...scenario, serve: () => {} }),
    only: ["logout.alg_none", "logout.claims_unknown"],
    options: { alg: quickAlg },
    within: 60,
  });
  for (const { outcome, because, requests } of rows) {
    assertEquals([outcome, because], ["not_applicable", "The client has no endpoint for logout tokens."]);
    const answers = requests.map(({ backChannelLogout: answer }) => answer).filter((answer) =>
      answer !== undefined
    );
    assertEquals(answers, [{ app: "answered 404" }]);
  }
});

test("misbehaviours: a client that refuses a login has not proved that it escapes the text of the error", async () => {
  const name = "authorization_response.error_markup";
  const page = { client, only: [name], does: ["pages"], options: { alg: quickAlg }, within: 60 } as const;
  const { rows: [row] } = await examine(page);
  assertEquals(row!.outcome, "unknown");
  assertMatch(row!.because, /this does not prove that it is right\. It refused: /);
  const { outcome, because } = await findRow(name);
  assertEquals([outcome, because], ["not_applicable", "The client opens no page with visit (pages)."]);
});

/** A client that lets its runtime refuse what it would have to look at itself. */
const byRuntime: Readonly<Record<string, ExamineTerms["client"]>> = {
  "id_token.sub_not_utf8": async (as, { clientId: client }) => {
    const { id_token: token = "" } = await as.login("alice", { client, scope: "openid" });
    const payload = Uint8Array.from(
      atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")),
      (each) => each.charCodeAt(0),
    );
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  },
  "metadata.redirect_foreign": async (as, { clientId: client, issuer }) => {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, { redirect: "error" });
    await response.json();
    await as.login("alice", { client, scope: "openid" });
  },
  "metadata.endpoint_relative": async (as, { clientId: client, issuer }) => {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`);
    const { token_endpoint: url } = await response.json();
    await (await fetch(url, { method: "POST" })).body?.cancel();
    await as.login("alice", { client, scope: "openid" });
  },
};

for (const [name, client] of Object.entries(byRuntime)) {
  test(`misbehaviours: a refusal by the means of the runtime counts: ${name}`, async () => {
    const only = [name as MisbehaviourName];
    const { rows: [row] } = await examine({ client, only, listen: name.startsWith("metadata.") });
    assertEquals(row!.outcome, "noticed", row!.because);
  });
}
