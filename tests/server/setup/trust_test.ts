/** The option `trust`: each mistake is refused at start, with its place. */

import { createServer, type ServerOptions } from "../../../src/mod.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { sampleKey } from "../../world.ts";
import { forPeople, idpKeys, jwtBearer, platformKeys } from "../tokens/jwt_grants.ts";

const { jwks: _jwks, ...keyless } = forPeople;
const [key] = idpKeys.keys;

// Each row: the entry, the place below `trust[0]`, and the beginning of the sentence about it.
const mistakes: readonly (readonly [entry: unknown, place: string, sentence: string])[] = [
  [{ ...forPeople, issuer: "" }, ".issuer", "must not be empty"],
  [{ ...forPeople, issuer: "https://as.test" }, ".issuer", "must not be this server itself"],
  [{ ...forPeople, iss: "https://idp.example" }, ".iss", "is not known: did you mean issuer?"],
  [keyless, "", "must have the keys of the issuer: jwks or jwks_uri"],
  [{ ...forPeople, jwks_uri: "https://idp.example/jwks" }, "", "must have jwks or jwks_uri, and not both"],
  [{ ...keyless, jwks: {} }, ".jwks.keys", "is required"],
  [{ ...keyless, jwks: { keys: [] } }, ".jwks.keys", "must"],
  [{ ...keyless, jwks: { keys: key } }, ".jwks.keys", "must be an array"],
  [{ ...keyless, jwks: { keys: [key, null] } }, ".jwks.keys[1]", "must be an object"],
  [
    { ...keyless, jwks: { keys: [key, { ...key, d: "canary" }] } },
    ".jwks.keys[1]",
    "must be a public RSA key",
  ],
  [
    { ...keyless, jwks: { keys: [{ kty: "oct", k: "canary" }] } },
    ".jwks.keys[0]",
    "must be a public RSA key",
  ],
  [
    { ...keyless, jwks_uri: "http://idp.example.com/jwks" },
    ".jwks_uri",
    "must be https: http is for this machine",
  ],
  [{ ...keyless, jwks_uri: "file:///etc/passwd" }, ".jwks_uri", "must"],
  [{ ...keyless, jwks_uri: "com.example.app:/jwks" }, ".jwks_uri", "must be https"],
  [{ ...forPeople, audiences: [] }, ".audiences", "must"],
  [{ ...forPeople, subjects: [] }, ".subjects", "must"],
  [{ ...keyless, jwks_uri: "/jwks" }, ".jwks_uri", "must be an absolute URI"],
  [{ ...forPeople, person: {} }, ".person", "must have one of sub, username and email"],
  [{ ...forPeople, person: { sub: "a", email: "b" } }, ".person", "must have one of sub, username and email"],
  [{ ...forPeople, person: { sub: undefined } }, ".person", "must have one of sub, username and email"],
  [{ ...forPeople, person: undefined }, ".subjects", 'must be given for workloads: ["*"] accepts each'],
  [{ ...forPeople, scope: "read  write" }, ".scope", "must be scope names separated by single spaces"],
  [{ ...forPeople, idJag: true, once: false }, ".once", "must be left out: an ID-JAG is accepted once"],
  [
    { ...forPeople, idJag: true, audiences: ["a"] },
    ".audiences",
    "must be left out: an ID-JAG is for the issuer",
  ],
];

const quick = { alg: "ES256", signingKeys: [sampleKey] } as const;

const create = (trust: unknown) => () =>
  createServer({ ...quick, issuer: "https://as.test", exposeDemo: true, trust } as ServerOptions);

for (const [entry, place, sentence] of mistakes) {
  test(`trust: ${JSON.stringify(entry).slice(0, 60)}… is refused at start: ${place} ${sentence}`, () =>
    assertCannotCreate(create([entry]), `trust[0]${place} ${sentence}`));
}

test("trust: entries of one issuer have the same keys", () =>
  assertCannotCreate(
    create([forPeople, { ...forPeople, jwks: platformKeys }]),
    "trust[1] must have the same keys as the other entries of https://idp.example",
  ));

test("trust: keys may be at a private address, for example in a network of containers", async () => {
  const uris = [
    "http://localhost:9001/jwks",
    "http://idp:9000/oauth2/jwks",
    "https://idp.example/jwks",
    "HTTPS://idp.example/jwks",
  ];
  for (const jwks_uri of uris) {
    await create([{ ...keyless, jwks_uri }])().close();
  }
});

test("trust: without it, a client cannot have the grant type", () =>
  assertCannotCreate(
    () => createServer({ clients: [{ client_id: "agent", grant_types: [jwtBearer] }] }),
    "clients[0].grant_types[0] must be one of authorization_code",
  ));
