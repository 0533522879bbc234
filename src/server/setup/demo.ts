/** The demo clients and people of a server whose configuration has no clients or no people. */

import type { Client } from "../oauth/contracts/client.ts";
import { isLoopbackUri } from "../oauth/clients/metadata/redirect_uri.ts";
import { paths } from "../oauth/contracts/paths.ts";
import type { Slots } from "../oauth/contracts/feature.ts";
import type { ClientMetadata } from "./client_metadata.ts";
import type { Configuration } from "./configuration.ts";
import { present } from "../../ground/values/present.ts";

/** Alice has each claim of the standard scopes (OpenID Connect Core §5.1). Bob lacks most of them, as many people do. */
export const demoPeople: NonNullable<Configuration["people"]> = [
  {
    username: "alice",
    secondFactor: "totp",
    claims: {
      name: "Alice Adams",
      given_name: "Alice",
      family_name: "Adams",
      middle_name: "Mary",
      nickname: "Ali",
      preferred_username: "alice",
      profile: "https://alice.example/about",
      picture: "https://alice.example/picture.png",
      website: "https://alice.example/",
      gender: "female",
      birthdate: "1990-05-17",
      zoneinfo: "Europe/Amsterdam",
      locale: "en-GB",
      updated_at: 1_767_225_600,
      email: "alice@example.com",
      email_verified: true,
      address: {
        street_address: "Main Street 1",
        locality: "Utrecht",
        postal_code: "3511 AB",
        country: "NL",
      },
      phone_number: "+31 30 555 0100",
      phone_number_verified: true,
    },
  },
  {
    username: "bob",
    secondFactor: "code",
    claims: { name: "Bob Brown", email: "bob@example.com", email_verified: true },
  },
];

const demoSecret = "demo-secret";

/** Returns a public client and a confidential client, if the server accepts their methods. */
export function demoClients(baseUrl: string, slots: Slots): readonly ClientMetadata[] {
  const members = {
    redirect_uris: [baseUrl + paths.authorized],
    // The issuer was accepted, so its own page is a fit redirect URI.
    ...present({
      allow_private_http: baseUrl.startsWith("http:") && !isLoopbackUri(baseUrl) ? true : undefined,
    }),
  };
  const publicClient = { client_id: "demo", client_name: "Demo application", ...members };
  const confidentialClient = {
    client_id: "demo-confidential",
    client_name: "Demo application with a secret",
    client_secret: demoSecret,
    ...members,
  };
  return [
    ...(slots.acceptsPublicClients ? [publicClient] : []),
    ...(slots.clientAuth.has("client_secret_basic") ? [confidentialClient] : []),
  ];
}

/** A registered client with the id of a demo client and another secret stays as it is. */
export function markDemoClients(
  clients: ReadonlyMap<string, Client>,
  registered: readonly ClientMetadata[],
  demo: readonly ClientMetadata[],
): ReadonlyMap<string, Client> {
  const published = registered.filter((client) =>
    demo.some((each) => each.client_id === client.client_id && each.client_secret === client.client_secret)
  );
  const secrets = new Map(published.map((client) => [client.client_id, client.client_secret]));
  return new Map([...clients].map(([id, client]) => {
    if (!secrets.has(id)) return [id, client];
    return [id, { ...client, isDemo: true, ...present({ demoSecret: secrets.get(id) }) }];
  }));
}
