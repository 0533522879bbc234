/** The steps of JWT authorization grants, which a server loads at the first request with one. */

export { createJwtReader } from "./exchangeable_jwt.ts";
export { createJwtRedemption } from "./redeem_jwt.ts";
