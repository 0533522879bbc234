/** The steps of token exchange, which a server loads at the first request for one. */

export { readOwnToken } from "./read_own_token.ts";
export { redeemExchange } from "./redeem_exchange.ts";
