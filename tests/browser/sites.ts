/** The servers on which pages are opened, each with other clients and people. Every tour gets a new server. */

import type { Configuration } from "../../src/server/setup/configuration.ts";
import type { StartOptions } from "./start_server.ts";

export type SiteName = "demo" | "plain" | "shop" | "crowd" | "wrong" | "locked";

const publicClient = { client_id: "shop", redirect_uris: ["http://localhost:3000/callback"] };

const longName = "The Extraordinarily Comprehensive Procurement and Expenses Workspace of Northern Europe";
const longAddress =
  "https://procurement.extraordinarily-long-subdomain.internal.example.org/workspace/callback";

/** People for a picker that nobody wants to read from top to bottom. */
function createCrowd(count: number): NonNullable<Configuration["people"]> {
  return Array.from({ length: count }, (_none, index) => ({
    username: `person-${index + 1}`,
    claims: { name: `Person Number ${index + 1}`, email: `person-${index + 1}@example.com` },
  }));
}

export const sites: Readonly<Record<SiteName, StartOptions>> = {
  /** `postern start --control`, without a configuration. */
  demo: { control: true },
  /** `postern start`: a server whose pages change nothing. */
  plain: {},
  /** A configured server: clients of each kind, long names, scopes with a description, one person with a password. */
  shop: {
    control: true,
    configuration: (issuer: string) => ({
      signUp: true,
      clients: [
        { ...publicClient, client_name: "The shop" },
        {
          client_id: "walk",
          client_name: "A client of these pages",
          redirect_uris: [`${issuer}/authorized`],
          remember_consent: true,
        },
        {
          client_id: "procurement-and-expenses-workspace-production",
          client_name: longName,
          client_secret: "a secret that no page shows",
          redirect_uris: [longAddress],
        },
        { client_id: "robot", client_secret: "another", grant_types: ["client_credentials"] },
      ],
      people: [
        { username: "carol", password: "correct horse", claims: { name: "Carol Clark" } },
        { username: "dave", claims: { name: "Dave Daniels", email: "dave@example.com" } },
        {
          username: "wolfeschlegelsteinhausenbergerdorff",
          claims: { name: "Hubert Blaine Wolfeschlegelsteinhausenbergerdorff Senior" },
        },
        { username: "layla", claims: { name: "ليلى حداد" } },
      ],
      scopes: {
        orders: "See your orders",
        "orders:write": "Change and cancel your orders, and place new ones in your name",
        "urn:example:northern-europe:procurement:expenses:approve": "Approve expenses",
      },
      resources: ["https://api.example.com/orders"],
      authorizationDetails: {
        payment_initiation: {
          schema: { properties: { euros: { type: "integer" }, creditorName: { type: "string" } } },
          title: { en: "Payment", de: "Zahlung" },
          summary: { en: "Pay {euros} EUR to {creditorName}", de: "{euros} EUR an {creditorName} zahlen" },
        },
      },
    }),
  },
  /** More people than a picker shows at once. */
  crowd: { control: true, configuration: () => ({ people: createCrowd(40) }) },
  /** A server that is wrong on purpose and answers as a provider does. */
  wrong: {
    control: true,
    misbehave: ["id_token.aud_wrong", "token_response.token_type_missing"],
    like: "github",
  },
  /** A control plane with a token. */
  locked: { control: "correct-horse-battery" },
};
