/** The steps of the sign-up, which a server loads at the first request of one. */

export { describePage, readSignUp } from "./make_account.ts";
