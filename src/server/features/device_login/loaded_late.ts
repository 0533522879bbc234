/** The steps of device logins, which a server loads at the first request of one. */

export { answerCodeForm, showCodeForm } from "./answer_device.ts";
export { createBeginHandler } from "./begin_login.ts";
export { redeemDeviceCode } from "./redeem_device_code.ts";
