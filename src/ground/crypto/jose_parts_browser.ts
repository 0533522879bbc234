/** The functions of jose that the server uses. A bundle leaves out the others. */

export { compactDecrypt, CompactEncrypt, compactVerify, decodeProtectedHeader, errors } from "jose";
