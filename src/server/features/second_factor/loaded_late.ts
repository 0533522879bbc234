/** The steps of the second factor, which a server loads at the first request that needs it. */

export { describeAuthenticator, findNextCode } from "./codes.ts";
export { answerCode, describePage, prove } from "./prove_factor.ts";
