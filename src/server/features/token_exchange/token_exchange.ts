/**
 * Token exchange: a client exchanges a token for one with another audience or fewer scopes, or for an assertion that
 * another server accepts (ID-JAG). The configuration of the client says which tokens, and for what.
 */

import type { Feature } from "../../oauth/contracts/feature.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import {
  announcesIdJag,
  exchangeGrant,
  idJagType,
  ownTypes,
  tokenExchangeMember,
} from "./exchange_options.ts";

const importSteps = () => import("./loaded_late.ts");

export function tokenExchange(): Feature {
  return {
    name: "token_exchange",
    spec: "RFC 8693",
    clientMembers: [tokenExchangeMember],
    grantTypes: [{
      name: exchangeGrant,
      params: [
        "subject_token",
        "subject_token_type",
        "actor_token",
        "actor_token_type",
        "requested_token_type",
        "audience",
        "resource",
        "scope",
      ],
      repeatable: ["audience"],
      redeem: lazy(async () => (await importSteps()).redeemExchange),
    }],
    exchangeable: [{ types: ownTypes, read: lazy(async () => (await importSteps()).readOwnToken) }],
    metadata: {
      // draft-ietf-oauth-identity-chaining §2.3.
      identity_chaining_requested_token_types_supported: ({ settings }) =>
        announcesIdJag(settings) ? [idJagType] : undefined,
    },
  };
}
