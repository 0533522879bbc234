/** Tokens that are wrong by name, for tests of an API and of a server. Loaded when a test first asks for one. */

export { forge } from "./forge.ts";
export { idJag } from "./id_jag.ts";
