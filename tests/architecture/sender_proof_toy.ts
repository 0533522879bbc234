/** A proof of possession: one header holds the key, and the address and the token that it is used for. */

import { assertEquals } from "@std/assert";
import { sha256 } from "../../src/crypto/platform.ts";
import type { AddedErrorCode } from "../../src/oauth/error.ts";
import { refusals } from "../../src/oauth/refusals.ts";
import { claimsOf, introspect, readTokens, refresh, refusalOf, type Tokens } from "../tokens/bearer.ts";
import { basic, clients, type World } from "../world.ts";
import type { Toy } from "./toys.ts";

const invalidProof: AddedErrorCode = { code: "invalid_toy_proof", status: 400 };

const refusal = refusals({
  toy_proof_elsewhere: {
    error: invalidProof,
    sentence: "The proof is for another request",
    change: "Make a proof for this request.",
  },
});

export const senderProofToy: Toy = {
  kind: "a proof of possession",
  feature: {
    name: "toy_proof",
    spec: "none",
    senderProofs: [{
      name: "toy",
      tokenType: "Toy",
      presentedIn: "the header Toy-Proof",
      challengeParams: () => ({ keys: "any" }),
      isRequired: ({ id }) => id === "post",
      prove({ request }, { urls, audience, accessToken }) {
        const [key, ...use] = request.header("toy-proof")?.split(" ") ?? [];
        if (key === undefined) return undefined;
        if (urls.some((url) => use.join(" ") === useAt(url, audience, accessToken))) {
          return { thumbprint: sha256(key) };
        }
        return { refusal: refusal("toy_proof_elsewhere") };
      },
    }],
    requestParams: [{
      name: "toy_key",
      read: (thumbprint) => ({ confirmation: { method: "toy", thumbprint } }),
    }],
  },
  options: {
    clients: [...clients, {
      client_id: "api",
      client_secret: "api-secret",
      introspects: ["https://as.test"],
    }],
  },
  async works(world) {
    await bindsAccessTokens(world);
    await opensUserinfo(world);
    await bindsCodes(world);
    await bindsRefreshTokens(world);
    await requiresProofs(world);
  },
};

function useAt(url: string, audience: string, accessToken?: string): string {
  return [url, audience, ...(accessToken === undefined ? [] : [accessToken])].join(" ");
}

type Proof = Readonly<Record<"toy-proof", string>>;

const tokenUrl = "https://as.test/oauth2/token";
const asApi = basic("api", "api-secret");
const asBasic = basic("basic", "basic secret: a+b%c");

function prove(key: string, url: string = tokenUrl, accessToken?: string): Proof {
  return { "toy-proof": `${key} ${useAt(url, "https://as.test", accessToken)}` };
}

async function boundTokens(world: World, key: string): Promise<Tokens> {
  const code = await world.code({ scope: "openid" });
  return await readTokens(await world.redeem(code, {}, prove(key)));
}

async function bindsAccessTokens(world: World): Promise<void> {
  const { token_type, access_token } = await boundTokens(world, "k1");
  const cnf = { toy: sha256("k1") };
  assertEquals([token_type, claimsOf(access_token)["cnf"]], ["Toy", cnf]);
  const said = await (await introspect(world, access_token, asApi)).json();
  assertEquals([said.active, said.token_type, said.cnf], [true, "Toy", cnf]);
  const code = await world.code();
  const refused = await refusalOf(world, world.redeem(code, {}, prove("k1", "https://elsewhere.test/")));
  assertEquals(refused, [400, "invalid_toy_proof", "toy_proof_elsewhere"]);
  // A wrong proof does not use the code up. Without a proof it gives a bearer token.
  const unbound = await readTokens(await world.redeem(code));
  assertEquals([unbound.token_type, claimsOf(unbound.access_token)["cnf"]], ["Bearer", undefined]);
}

async function opensUserinfo(world: World): Promise<void> {
  const url = `${world.issuer}/userinfo`;
  const { access_token: token } = await boundTokens(world, "k1");
  const unbound = await readTokens(await world.redeem(await world.code({ scope: "openid" })));
  /** The status, the reason of a refusal and the schemes of its challenges. */
  const show = async (authorization: string, proof?: Proof): Promise<string> => {
    const response = await world.get("/userinfo", { authorization, ...proof });
    await response.body?.cancel();
    const schemes = response.headers.get("www-authenticate")?.match(/(?<=^|, )\w+(?= )/g) ?? [];
    return [response.status, world.lastRefusal()?.reason ?? "", ...schemes].join(" ").trim();
  };
  const proof = prove("k1", url, token);
  assertEquals(await show(`toy ${token}`, proof), "200");
  assertEquals(await show(`Bearer ${token}`), "401 token_scheme_differs Bearer DPoP Toy");
  assertEquals(await show(`Bearer ${token}`, proof), "401 token_scheme_differs Bearer DPoP Toy");
  assertEquals(await show(`Toy ${token}`), "401 token_key_unproven Toy Bearer DPoP");
  assertEquals(await show(`Toy ${token}`, prove("k2", url, token)), "401 token_key_differs Toy Bearer DPoP");
  assertEquals(await show(`Toy ${token}`, prove("k1", url)), "401 toy_proof_elsewhere Toy Bearer DPoP");
  assertEquals(await show(`Bearer ${unbound.access_token}`), "200");
  const unboundProof = prove("k1", url, unbound.access_token);
  assertEquals(
    await show(`Toy ${unbound.access_token}`, unboundProof),
    "401 token_scheme_differs Toy Bearer DPoP",
  );
  const challenge = (await world.get("/userinfo")).headers.get("www-authenticate");
  assertEquals(
    challenge?.replace(/algs="[^"]*"/, "…"),
    'Bearer realm="postern", DPoP realm="postern", …, Toy realm="postern", keys="any"',
  );
}

async function bindsCodes(world: World): Promise<void> {
  const code = await world.code({ client_id: "basic", toy_key: sha256("k1") });
  const redeem = (proof: Proof | undefined) =>
    world.redeem(code, { client_id: undefined }, { ...asBasic, ...proof });
  assertEquals(await refusalOf(world, redeem(undefined)), [400, "invalid_grant", "key_unproven"]);
  assertEquals(await refusalOf(world, redeem(prove("k2"))), [400, "invalid_grant", "key_differs"]);
  assertEquals((await redeem(prove("k1"))).status, 200);
}

/** A refresh token that becomes bound: a thief's key does not hide that the client's own token was used. */
async function bindsRefreshTokens(world: World): Promise<void> {
  const asPublic = (token: string, proof?: Proof) =>
    refresh(world, token, { client_id: "public" }, { ...proof });
  const { refresh_token: stolen } = await readTokens(await world.redeem(await world.code()));
  const { refresh_token: next } = await readTokens(await asPublic(stolen, prove("thief")));
  assertEquals(await refusalOf(world, asPublic(next)), [400, "invalid_grant", "key_unproven"]);
  assertEquals(await refusalOf(world, asPublic(stolen)), [400, "invalid_grant", "refresh_reused"]);
  assertEquals(await refusalOf(world, asPublic(next, prove("thief"))), [
    400,
    "invalid_grant",
    "refresh_revoked",
  ]);
}

/** A refresh token of a confidential client is not bound to a key, but its use needs a proof as well. */
async function requiresProofs(world: World): Promise<void> {
  const code = await world.code({ client_id: "post" });
  const asPost = { client_id: "post", client_secret: "post-secret" };
  const redeem = (proof: Proof | undefined) => world.redeem(code, asPost, { ...proof });
  assertEquals(await refusalOf(world, redeem(undefined)), [400, "invalid_request", "proof_missing"]);
  const tokens = await readTokens(await redeem(prove("k1")));
  assertEquals(tokens.token_type, "Toy");
  const again = (proof: Proof | undefined) => refresh(world, tokens.refresh_token, asPost, { ...proof });
  assertEquals(await refusalOf(world, again(undefined)), [400, "invalid_request", "proof_missing"]);
  assertEquals((await again(prove("k2"))).status, 200);
}
