/** Clients with certificates, and their requests. */

import {
  type Authority,
  createAuthority,
  createClientCertificate,
} from "../../../../src/ground/crypto/x509/certificate.ts";
import { readCertificates } from "../../../../src/ground/crypto/x509/pem.ts";
import { certificateThumbprint } from "../../../../src/ground/crypto/platform.ts";
import { parseName } from "../../../../src/ground/crypto/x509/distinguished_name.ts";
import { encodeForm, type Params, type World } from "../../../world.ts";

/** When the world of a test begins. */
export const validity = { from: 0, until: 4_000_000_000 };

export const authority: Authority = await createAuthority({
  name: "Test authority",
  validity,
  keepsKey: false,
});

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export function certify(
  subject: string,
  terms: Partial<Parameters<typeof createClientCertificate>[0]> & { readonly by?: Authority | "itself" } = {},
): Promise<Certificate> {
  const { by = authority, ...more } = terms;
  return createClientCertificate(
    { subject: parseName(subject)!, validity, ...more },
    by === "itself" ? undefined : by,
  );
}

/** RFC 8705 §3.1. */
export function thumbprintOf({ cert }: Certificate): string {
  return certificateThumbprint(readCertificates(cert)[0]!);
}

/** Sends a form with this certificate. */
export function post(
  world: World,
  path: string,
  form: Params,
  certificate?: Pick<Certificate, "cert">,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const request = new Request(world.issuer + path, {
    method: "POST",
    body: encodeForm(form),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
  return world.fetch(request, certificate === undefined ? {} : { certificate });
}

/** Opens userinfo with this token and this certificate. */
export function openUserinfo(
  world: World,
  token: string,
  certificate?: Pick<Certificate, "cert">,
): Promise<Response> {
  const request = new Request(`${world.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return world.fetch(request, certificate === undefined ? {} : { certificate });
}
