/** Races for one refresh chain: every interleaving has the answers and the records of some sequential order. */
import { assertEquals } from "@std/assert";
import { clients, type Params, type World } from "../../world.ts";
import type { Contestant } from "../explorer.ts";
import { createRaceList, type NamedRace } from "../race_list.ts";
import { leftOf, type Outcome, statuses, without } from "../outcome.ts";

const { races, add: addRace } = createRaceList();
export const refreshRaces: readonly NamedRace[] = races;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function begin(world: World, changed: Params = {}): Promise<Tokens> {
  const { client_secret, ...requested } = changed;
  const code = await world.code({ scope: "openid", ...requested });
  const { client_id = "public" } = changed;
  return await readTokens(await world.redeem(code, { client_id, client_secret }));
}

async function readTokens(response: Response): Promise<Tokens> {
  assertEquals(response.status, 200);
  return await response.json();
}

function send(world: World, token: string, changed?: Params): Promise<Response> {
  return world.post("/oauth2/token", {
    grant_type: "refresh_token",
    refresh_token: token,
    client_id: "public",
    ...changed,
  });
}

const refresh = (token: string, changed?: Params): Contestant => ({ world }) => send(world, token, changed);

const revoke = (token: string): Contestant => ({ world }) =>
  world.post("/oauth2/revoke", { token, client_id: "public" });

/** Collects the refresh tokens that a contestant gets, because an outcome holds no tokens. */
function keeping(kept: string[], contestant: Contestant): Contestant {
  return async (own) => {
    const response = await contestant(own);
    if (response?.status === 200) kept.push((await response.clone().json()).refresh_token);
    return response;
  };
}

function theGrant(outcome: Outcome): Readonly<Record<string, unknown>> {
  const found = leftOf("grant", outcome);
  assertEquals(found.length, 1);
  return found[0]!;
}

function endsRevoked(outcome: Outcome): void {
  assertEquals(theGrant(outcome)["status"], "revoked");
}

for (const accessTokens of ["jwt", "opaque"] as const) {
  addRace(`refresh ∥ refresh: one 200, and the grant ends, ${accessTokens} (OAuth 2.1 §4.3.1)`, {
    options: { accessTokens },
    async start(world) {
      const { refresh_token } = await begin(world);
      return { A: refresh(refresh_token), B: refresh(refresh_token) };
    },
    always(outcome) {
      assertEquals(statuses(outcome), [200, 400]);
      endsRevoked(outcome);
    },
  });
}

const graceful = { lifetimes: { refreshGrace: 10 } };

for (const accessTokens of ["jwt", "opaque"] as const) {
  const kept: string[] = [];
  addRace(`refresh ∥ refresh within grace: both get the one successor, ${accessTokens} (RFC 9700 §4.14.2)`, {
    options: { ...graceful, accessTokens },
    async start(world) {
      const { refresh_token } = await begin(world);
      const kind = refresh(refresh_token);
      return { A: keeping(kept, kind), B: keeping(kept, kind) };
    },
    beforeEach: () => void (kept.length = 0),
    // When the grant's put fails, its opaque token stays in the store, but no client gets its secret.
    compared: without("access_token"),
    always(outcome) {
      assertEquals(statuses(outcome), [200, 200]);
      assertEquals([kept.length, new Set(kept).size], [2, 1]);
      const { status, generation } = theGrant(outcome);
      assertEquals([status, generation], ["active", 2]);
    },
  });
}

addRace(
  "last ∥ current within grace: the last token is answered again or ends the chain (RFC 9700 §4.14.2)",
  {
    options: graceful,
    async start(world) {
      const first = await begin(world);
      const second = await readTokens(await send(world, first.refresh_token));
      return { last: refresh(first.refresh_token), current: refresh(second.refresh_token) };
    },
    always(outcome) {
      assertEquals(
        outcome.answers["current"]?.status === 200 || theGrant(outcome)["status"] === "revoked",
        true,
      );
      // Two generations later, grace no longer applies.
      if (outcome.answers["last"]?.status === 400) endsRevoked(outcome);
    },
  },
);

addRace("refresh ∥ revocation: the grant ends revoked in every order (OAuth 2.1 §4.3.1)", {
  async start(world) {
    const { refresh_token } = await begin(world);
    return { refresh: refresh(refresh_token), revocation: revoke(refresh_token) };
  },
  always(outcome) {
    assertEquals(outcome.answers["revocation"]?.status, 200);
    endsRevoked(outcome);
  },
});

addRace("revocation ∥ revocation: both get 200 (RFC 7009 §2.1)", {
  async start(world) {
    const { refresh_token } = await begin(world);
    return { A: revoke(refresh_token), B: revoke(refresh_token) };
  },
  always(outcome) {
    assertEquals(statuses(outcome), [200, 200]);
    endsRevoked(outcome);
  },
});

const kept = { client_id: "post", client_secret: "post-secret" };
const keepingTokens = { rotateRefreshTokens: false, clients: clients.slice(2) };

/** A use ten seconds after the login. A use in the same second has nothing to write. */
const refreshLater = (token: string): Contestant => ({ world }) => {
  world.clock.advance(10);
  return send(world, token, kept);
};

addRace(
  "refresh ∥ refresh without rotation: both succeed with one token (FAPI 2.0 §5.3.2.1-9)",
  {
    options: keepingTokens,
    async start(world) {
      const { refresh_token } = await begin(world, kept);
      return { A: refreshLater(refresh_token), B: refreshLater(refresh_token) };
    },
    always(outcome) {
      assertEquals(statuses(outcome), [200, 200]);
      const { status, generation } = theGrant(outcome);
      assertEquals([status, generation], ["active", 1]);
    },
  },
);

addRace("refresh ∥ revocation without rotation: the grant ends revoked in every order (RFC 7009 §2.1)", {
  options: keepingTokens,
  async start(world) {
    const { refresh_token } = await begin(world, kept);
    return {
      refresh: refreshLater(refresh_token),
      revocation: ({ world }) => world.post("/oauth2/revoke", { token: refresh_token, ...kept }),
    };
  },
  always(outcome) {
    assertEquals(outcome.answers["revocation"]?.status, 200);
    endsRevoked(outcome);
  },
});
