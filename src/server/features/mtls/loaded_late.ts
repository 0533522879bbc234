/** The steps of mutual TLS, which a server loads for the first certificate. */

export { noteIgnoredHeaders } from "./ignored_headers.ts";
export { createKeyProof, createSubjectProof, proveCertificate } from "./prove_connection.ts";
