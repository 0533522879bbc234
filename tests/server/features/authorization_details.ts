/** What the tests of rich authorization requests share: two types, their objects, and a world that knows them. */

import type { AuthorizationDetailsType } from "../../../src/server/features/options.ts";
import { readTokens, type Tokens } from "../tokens/bearer.ts";
import { inWorld, redirectUri, type World, type WorldOptions } from "../../world.ts";

const amountSchema = {
  type: "object",
  required: ["currency", "value"],
  properties: { currency: { type: "string", pattern: "^[A-Z]{3}$" }, value: { type: "string" } },
};

export const types: Readonly<Record<string, AuthorizationDetailsType>> = {
  payment_initiation: {
    schema: {
      type: "object",
      required: ["instructedAmount", "creditorName"],
      properties: {
        instructedAmount: amountSchema,
        creditorName: { type: "string" },
        note: { type: "string" },
      },
    },
    title: { en: "Payment", de: "Zahlung" },
    summary: {
      en: "Pay {instructedAmount.value} {instructedAmount.currency} to {creditorName}",
      de: "{instructedAmount.value} {instructedAmount.currency} an {creditorName} zahlen",
    },
  },
  account_information: {
    schema: { properties: { actions: { items: { enum: ["list", "balance"] } }, locations: {} } },
    title: "Accounts",
    summary: "See your accounts: {actions} at {locations}",
    compare: (requested, granted) =>
      [requested["actions"] ?? []].flat().every((each) => [granted["actions"] ?? []].flat().includes(each)),
  },
};

export interface Detail {
  readonly type: string;
  readonly [member: string]: unknown;
}

export function payment(value: string, creditorName = "Shop"): Detail {
  return { type: "payment_initiation", instructedAmount: { currency: "EUR", value }, creditorName };
}

export function accounts(...actions: readonly string[]): Detail {
  return { type: "account_information", actions };
}

export const secret = "secret";

export async function inBank(options: WorldOptions, work: (world: World) => Promise<void>): Promise<void> {
  const client = { client_secret: secret, redirect_uris: [redirectUri] };
  await inWorld({
    authorizationDetails: types,
    clients: [
      { client_id: "public", redirect_uris: [redirectUri] },
      {
        client_id: "bank",
        ...client,
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        authorization_details_types: Object.keys(types),
      },
      { client_id: "payer", ...client, authorization_details_types: ["payment_initiation"] },
    ],
    ...options,
  }, work);
}

export interface DetailedTokens extends Tokens {
  readonly authorization_details?: readonly Detail[];
}

export async function detailsOf(
  response: Response,
): Promise<{ readonly tokens: DetailedTokens; readonly details: readonly Detail[] | undefined }> {
  const tokens: DetailedTokens = await readTokens(response);
  return { tokens, details: tokens.authorization_details };
}
