/** The client metadata that names the subject of a client's certificate (RFC 8705 §2.1.2), and the binding of tokens (§3.4). */

import { parseName } from "../../../ground/crypto/x509/distinguished_name.ts";
import { readIpAddress } from "../../../ground/values/ip_address.ts";
import type { ClientMember } from "../../oauth/contracts/feature.ts";
import { memberOf } from "../../oauth/contracts/feature_values.ts";
import { subjectText, uriText } from "../../oauth/clients/metadata/metadata_texts.ts";
import { type Client, methodOf } from "../../oauth/contracts/client.ts";

/** The client metadata of mutual TLS. */
export interface MtlsClientMembers {
  /** `true`: the client gets tokens only with its certificate, to which they are bound (RFC 8705 §3.4). Default: `false`. */
  readonly tls_client_certificate_bound_access_tokens?: boolean;
  /** The subject of the client's certificate, for `tls_client_auth`, as text (RFC 4514): `CN=app,O=Example`. */
  readonly tls_client_auth_subject_dn?: string;
  /** The host name in the client's certificate, instead of its subject (RFC 8705 §2.1.2). */
  readonly tls_client_auth_san_dns?: string;
  /** The URI in the client's certificate, instead of its subject. */
  readonly tls_client_auth_san_uri?: string;
  /** The IP address in the client's certificate, instead of its subject. */
  readonly tls_client_auth_san_ip?: string;
  /** The email address in the client's certificate, instead of its subject. */
  readonly tls_client_auth_san_email?: string;
}

export const boundMember: ClientMember<boolean> = {
  name: "tls_client_certificate_bound_access_tokens",
  schema: { type: "boolean" },
  check: (isBound, client) =>
    isBound && client.members["dpop_bound_access_tokens"] === true
      ? "must be left out, because the client has dpop_bound_access_tokens"
      : undefined,
};

export const subjectMethod = "tls_client_auth";

type SubjectKind = "subject_dn" | "san_dns" | "san_uri" | "san_ip" | "san_email";

interface SubjectForm {
  /** What the value must be, in a refusal: "a host name". */
  readonly expected: string;
  readonly fits: (value: string) => boolean;
}

const forms: Readonly<Record<SubjectKind, SubjectForm>> = {
  subject_dn: {
    expected:
      "a distinguished name (RFC 4514): CN=app,O=Example, or 1.2.3=x for a type whose name the server does not know",
    fits: (value) => parseName(value) !== undefined,
  },
  san_dns: { expected: "a host name", fits: (value) => /^[\w*.-]+$/.test(value) },
  san_uri: { expected: "an absolute URI", fits: URL.canParse },
  san_ip: { expected: "an IP address", fits: (value) => readIpAddress(value) !== undefined },
  san_email: { expected: "an email address", fits: (value) => /^\S+$/.test(value) && /.@./.test(value) },
};

const names = Object.keys(forms).map((kind) => `tls_client_auth_${kind}`);

/** The members, of which a client has exactly one. */
export const subjectMembers: readonly ClientMember<string>[] = Object.entries(forms).map(
  ([kind, { expected, fits }]) => {
    const name = `tls_client_auth_${kind}`;
    return {
      name,
      schema: kind === "san_uri" ? uriText : subjectText,
      check(value, client) {
        // Otherwise the client would work without any certificate.
        if (methodOf(client) !== subjectMethod) {
          return `must be left out, or token_endpoint_auth_method must be ${subjectMethod} (RFC 8705 §2.1.2)`;
        }
        const other = names.find((each) => each !== name && client.members[each] !== undefined);
        if (other !== undefined) return `must be left out, because the client has ${other} (RFC 8705 §2.1.2)`;
        return fits(value) ? undefined : `must be ${expected}`;
      },
    };
  },
);

export function findSubject(
  client: Client,
): { readonly kind: SubjectKind; readonly value: string } | undefined {
  const member = subjectMembers.find((each) => memberOf(client, each) !== undefined);
  return member && {
    kind: member.name.slice("tls_client_auth_".length) as SubjectKind,
    value: memberOf(client, member)!,
  };
}
