/** The calls that make or change tokens without a login, which a test loads together. */

export { expire } from "./expire.ts";
export { forge } from "./forge.ts";
export { idJag } from "./id_jag.ts";
export { mint } from "./mint.ts";
export { rotateRefreshToken } from "./rotate_refresh_token.ts";
