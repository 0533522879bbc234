/** The examined libraries for APIs, by the names of their cards, each in the use that its documentation shows. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import type { Area, ExamineApiTerms, MisbehaviourName, Mock } from "../../../src/kit/mod.ts";
import { type Application, type Handler, load } from "../../portable/server/clients/express_application.ts";
import type { Examined } from "./examined.ts";

/** A library in one use. */
export interface ExaminedApi extends Pick<Examined, "package" | "dependsOn" | "use" | "notes"> {
  /** What says nothing about the library, because the application does that work or does not need it. */
  readonly omits?: readonly (Area | MisbehaviourName)[];
  /** Starts an API that accepts tokens of the server for this audience, examines it, and stops it. */
  run(
    as: Mock,
    audience: string,
    examine: (api: Pick<ExamineApiTerms, "call" | "dpop">) => Promise<void>,
  ): Promise<void>;
}

export const scopeOfApi = "orders";

/** What only RFC 9068 asks for, of APIs whose tokens have its profile. A library for JWTs of any kind has options for it. */
export const ofProfile: readonly MisbehaviourName[] = [
  "access_token.client_id_missing",
  "access_token.expiry_missing",
  "access_token.id_missing",
  "access_token.issued_at_missing",
  "access_token.subject_missing",
  "access_token.type_full",
  "access_token.type_missing",
  "access_token.type_wrong",
];

/** The application writes the answers and checks the scope. */
const notOfJose = ["access_token.revoked", "access_token.scope_missing", "proof", "certificate"] as const;

const jose = (
  options: object,
  { use, ...more }: Pick<ExaminedApi, "use" | "notes" | "omits">,
): ExaminedApi => ({
  package: "jose",
  use: `\`createRemoteJWKSet(new URL(jwksUri))\`, and ${use}`,
  ...more,
  async run({ issuer }, audience, examine) {
    const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`));
    await examine({
      call: async (token) => {
        try {
          await jwtVerify(token, keys, { issuer, audience, ...options });
          return new Response("ok");
        } catch (error) {
          // Otherwise a crash of the library would count as its refusal.
          if (!(error instanceof errors.JOSEError)) return new Response(null, { status: 500 });
          return new Response(null, {
            status: 401,
            headers: { "www-authenticate": 'Bearer error="invalid_token"' },
          });
        }
      },
    });
  },
});

/** What RFC 9068 §4 asks of `jwtVerify`. */
const ofAccessTokens = {
  typ: "at+jwt",
  requiredClaims: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"],
  clockTolerance: 5,
};

interface Bearer {
  auth(options: unknown): Handler;
  requiredScopes(scope: string): Handler;
}

/** In this use, DPoP is not required. */
const notOfExpress = ["access_token.revoked", "certificate", "proof.unbound_as_bearer"] as const;

const ofItsParts = [
  "It uses jose 4, which skips characters of a signature that base64url does not have. An attacker cannot forge a " +
  "token with this, but one token then has several spellings.",
  "It compares `htm` in capitals (`htm.toUpperCase()`).",
];

const expressBearer: ExaminedApi = {
  package: "express-oauth2-jwt-bearer",
  dependsOn: ["jose"],
  use: "`auth({ issuerBaseURL, audience })`, which accepts bearer tokens and DPoP, and `requiredScopes`",
  omits: [...notOfExpress, ...ofProfile],
  notes: [
    "It demands `exp`, and accepts any `typ`, and a token without `sub`, `client_id`, `iat` or `jti`. `strict: true`, as in " +
    "the card `express_oauth2_jwt_bearer_strict`, demands them. So there are no rows about the profile of RFC 9068.",
    ...ofItsParts,
  ],
  run: serveExpress({}),
};

function serveExpress(options: object): ExaminedApi["run"] {
  return async ({ issuer }, audience, examine) => {
    const express = await load<() => Application & { set(name: string, value: unknown): void }>("express");
    const { auth, requiredScopes } = await import("express-oauth2-jwt-bearer") as unknown as Bearer;
    const app = express();
    // Otherwise Express prints each refusal.
    app.set("env", "test");
    const answer: Handler = (_request, response) => response.json({});
    app.get(
      "/orders",
      auth({ issuerBaseURL: issuer, audience, ...options }),
      requiredScopes(scopeOfApi),
      answer,
    );
    const server = await new Promise<Server>((resolve) => {
      // For a token of a million characters.
      const listening = createServer({ maxHeaderSize: 2 ** 21 }, app as never)
        .listen(0, "localhost", () => resolve(listening));
    });
    const url = `http://localhost:${(server.address() as AddressInfo).port}/orders`;
    try {
      await examine({
        dpop: { url },
        call: async (token, proof) => {
          const headers: HeadersInit = proof === undefined
            ? { authorization: `Bearer ${token}` }
            : { authorization: `DPoP ${token}`, dpop: proof };
          const response = await fetch(url, { headers });
          return new Response(await response.text(), response);
        },
      });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
}

export const examinedApis: Readonly<Record<string, ExaminedApi>> = {
  jose: jose({}, {
    use: "`jwtVerify(token, keys, { issuer, audience })`",
    omits: [...notOfJose, ...ofProfile],
    notes: [
      "It verifies JWTs of any kind: it accepts any `typ`, and a token without `exp`, `sub` and other claims. `typ` and " +
      "`requiredClaims`, as in the card `jose_access_token`, demand them. So there are no rows about the profile of RFC 9068.",
      "`clockTolerance` is 0 by default.",
    ],
  }),
  jose_access_token: jose(ofAccessTokens, {
    use: '`jwtVerify(token, keys, { issuer, audience, typ: "at+jwt", requiredClaims, clockTolerance: 5 })`',
    omits: notOfJose,
    notes: [],
  }),
  express_oauth2_jwt_bearer: expressBearer,
  express_oauth2_jwt_bearer_strict: {
    ...expressBearer,
    use: `${expressBearer.use}, with \`strict: true\``,
    omits: notOfExpress,
    notes: [
      "`strict: true` checks the type, and the claims that RFC 9068 requires: it is off by default.",
      ...ofItsParts,
    ],
    run: serveExpress({ strict: true }),
  },
};
