/** The steps of mutual TLS, which a server loads for the first certificate. */

export { noteIgnoredHeaders } from "./ignored_headers.ts";
export { proveCertificate } from "./prove_certificate.ts";
export { createKeyProof, createSubjectProof } from "./prove_connection.ts";
