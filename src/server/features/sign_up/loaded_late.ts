/** The steps of the sign-up, which a server loads at the first request of one. */

export { answerSignUp, describePage } from "./make_account.ts";
