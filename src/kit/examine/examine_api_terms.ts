/** The terms of the examination of an API. */

import type { Level } from "../faults/misbehaviour.ts";
import type { Area, MisbehaviourName } from "../faults/names.ts";
import type { ClientCertificate } from "../mock/client/client_certificates.ts";
import type { Tenant } from "../mock/tenant.ts";
import type { RefusedBy } from "./refused_by.ts";

/** What to examine, and how. */
export interface ExamineApiTerms {
  /** The server whose tokens the API accepts. */
  readonly as: Tenant;
  /**
   * Sends a request to the API and resolves to its answer. With a proof, the request has the scheme `DPoP` and the header
   * `DPoP`. Without a proof, it has the scheme `Bearer`. With a certificate, the request shows it.
   */
  readonly call: (
    token: string,
    proof?: string,
    certificate?: ClientCertificate,
  ) => Response | Promise<Response>;
  /** The scope that the request needs. */
  readonly scope?: string | readonly string[];
  /** The `aud` that names the API. Default: the only configured resource, or the issuer. */
  readonly audience?: string;
  /** The username of the person of the tokens. */
  readonly username?: string;
  /** @deprecated Use `username`. */
  readonly person?: string;
  /** The id of the client of the tokens. */
  readonly client?: string;
  /** Claims that the API needs in each token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The request, if the API supports DPoP: then all tokens are bound to a key, and faulty proofs are sent, too. */
  readonly dpop?: { readonly url: string; readonly method?: string };
  /**
   * The certificate of the client, if the API supports mutual TLS (RFC 8705): then all tokens are bound to it, and faulty
   * requests are sent, too. Not together with `dpop`.
   */
  readonly certificate?: ClientCertificate;
  /** Names of misbehaviours or of areas. Default: all that are about APIs. */
  readonly only?: readonly (MisbehaviourName | Area)[];
  /** The levels of the misbehaviours. Default: all. */
  readonly level?: Level | readonly Level[];
  /**
   * What the API answers in place of a refusal with the status 400, 401 or 403. For example, `redirect`, `status:404`, or
   * `body:access denied` for an answer with this text.
   */
  readonly refusedBy?: RefusedBy | readonly RefusedBy[];
  /** The time for one request, in seconds of real time. Default: 3. @exclusiveMinimum 0 */
  readonly within?: number;
}
