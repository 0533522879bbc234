/** The steps of the sign-up, which a server loads at the first request of one. */

export { answerSignUp, showForm } from "./make_account.ts";
