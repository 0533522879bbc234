/** The calls of a client that few tests use, which are loaded together. */

export { dpopHeaders } from "./dpop_headers.ts";
export { endSession } from "./end_session.ts";
export { refresh } from "./refresh.ts";
export { register } from "./register.ts";
export { revoke } from "./revoke.ts";
