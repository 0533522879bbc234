/** The steps of the second factor, which a server loads at the first request that needs it. */

export { describeAuthenticator, findNextCode } from "./codes.ts";
export { answerCode, prove, showForm } from "./prove_factor.ts";
