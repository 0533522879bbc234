/** The steps of the second factor, which a server loads at the first request that needs it. */

export { describeAuthenticator, findNextCode } from "./codes.ts";
export { describePage, prove, readCode } from "./prove_factor.ts";
