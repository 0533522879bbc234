/**
 * Mutual TLS: a client authenticates by its certificate, and binds its tokens to it (RFC 8705). The server asks for
 * certificates at a port of their own, or reads them from a header of a trusted proxy.
 */

import { readCertificates } from "../../../ground/crypto/x509/pem.ts";
import { jwksMember, jwksUriMember } from "../../oauth/clients/authentication/client_keys.ts";
import { memberOf, type Setting, settingOf } from "../../oauth/contracts/feature_values.ts";
import { endpointUrls, withPort } from "../../oauth/requests/server_urls.ts";
import type { ClientAuthMethod, Endpoint, Feature } from "../../oauth/contracts/feature.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { present } from "../../../ground/values/present.ts";
import { refuseOption } from "../../oauth/options/set_up_mistake.ts";
import { findCertificateHeaders, headerSetting } from "./certificate_headers.ts";
import { boundMember, subjectMembers, subjectMethod } from "./subject_members.ts";
import { closedObject } from "../../../ground/schema/schema_of.ts";

/** Certificates of clients (RFC 8705). */
export interface MtlsConfiguration {
  /**
   * The port at which `start` asks clients for a certificate, and serves the endpoints for programs only. It needs TLS. Left
   * out: no such port.
   */
  readonly port?: number;
  /**
   * The authorities of clients' certificates, in PEM. Left out: clients cannot use `tls_client_auth`, but
   * `self_signed_tls_client_auth`, and tokens that are bound to a certificate.
   */
  readonly ca?: string;
}

/** The options of mutual TLS. */
export interface MtlsOptions {
  /** Clients may authenticate by a certificate, and bind tokens to it (RFC 8705). Left out: they cannot. */
  readonly mtls?: MtlsConfiguration;
  /**
   * The header in which a trusted proxy of `start` writes the client's certificate: `Client-Cert` (RFC 9440),
   * `X-Forwarded-Client-Cert` of Envoy, or any other name, with nginx's `$ssl_client_escaped_cert`. Left out: none.
   */
  readonly clientCertHeader?: string;
}

interface MtlsSettings {
  readonly port?: number;
  /** In DER. */
  readonly authorities: readonly Uint8Array[];
}

const mtlsSetting: Setting<MtlsConfiguration, MtlsSettings> = {
  name: "mtls",
  schema: closedObject({
    port: { type: "integer", minimum: 1, maximum: 65535, examples: [9443] },
    ca: { type: "string", minLength: 1 },
  }, { example: { port: 9443 } }),
  read({ port, ca } = {}, { issuer }) {
    if (port !== undefined && !issuer.startsWith("https:")) {
      refuseOption("mtls.port", "needs TLS, so that the issuer begins with https");
    }
    const authorities = ca === undefined ? [] : readCertificates(ca);
    if (ca !== undefined && authorities.length === 0) {
      refuseOption(
        "mtls.ca",
        "must be the certificates themselves in PEM, with -----BEGIN CERTIFICATE-----; --mtls-ca reads a file",
      );
    }
    return { authorities, ...present({ port }) };
  },
};

/** `moreAuthorities` returns further authorities in DER, which may be created after the server. */
export interface MtlsTerms {
  readonly moreAuthorities?: () => readonly Uint8Array[];
}

const importSteps = () => import("./loaded_late.ts");

export function mtls({ mtls, clientCertHeader, moreAuthorities }: MtlsOptions & MtlsTerms = {}): Feature {
  const hasAuthorities = mtls?.ca !== undefined || moreAuthorities !== undefined;
  const subject: ClientAuthMethod = {
    name: subjectMethod,
    ...present({ missingOption: hasAuthorities ? undefined : "mtls.ca" }),
    needs: subjectMembers.map(({ name }) => name),
    read: () => [],
    proveConnection: lazy(async () =>
      (await importSteps()).createSubjectProof(({ settings }) => [
        ...settingOf(settings, mtlsSetting).authorities,
        ...moreAuthorities?.() ?? [],
      ])
    ),
  };
  const key: ClientAuthMethod = {
    name: "self_signed_tls_client_auth",
    needs: [jwksMember.name, jwksUriMember.name],
    read: () => [],
    proveConnection: lazy(async () => (await importSteps()).createKeyProof()),
  };
  const note = lazy(async () => (await importSteps()).noteIgnoredHeaders);
  const prove = lazy(async () => (await importSteps()).proveCertificate);
  return {
    name: "mtls",
    spec: "RFC 8705",
    isOff: mtls === undefined && clientCertHeader === undefined,
    settings: [mtlsSetting, headerSetting],
    clientMembers: [boundMember, ...subjectMembers, jwksMember, jwksUriMember],
    clientAuth: [subject, key],
    senderProofs: [{
      name: "x5t#S256",
      tokenType: "Bearer",
      presentedIn: "the handshake of TLS",
      otherPort: {
        find: (settings) => settingOf(settings, mtlsSetting).port,
        serves: isForCertificates,
        purpose: "programs that show a certificate",
      },
      boundBy: boundMember.name,
      isRequired: (client) => memberOf(client, boundMember) === true,
      // It is not async, because a request without a certificate must cost nothing.
      prove: (exchange, options) =>
        exchange.request.certificate === undefined ? undefined : prove(exchange, options),
      // It is not async either, for the same reason.
      noteIgnored(exchange, endpoint, { settings }) {
        if (!isForCertificates(endpoint)) return undefined;
        const name = settingOf(settings, headerSetting);
        return findCertificateHeaders(exchange.request, name).length > 0 ? note(exchange, name) : undefined;
      },
    }],
    metadata: {
      tls_client_certificate_bound_access_tokens: true,
      // RFC 8705 §5.
      mtls_endpoint_aliases(services, programUrl) {
        const { settings: { otherPort }, slots } = services;
        if (otherPort === undefined) return undefined;
        const urls = endpointUrls(services, withPort(programUrl, otherPort.port));
        const names = slots.endpoints.filter(isForCertificates).flatMap(({ metadataName }) =>
          metadataName ?? []
        );
        return Object.fromEntries([...new Set(names)].map((name) => [name, urls.get(name)]));
      },
    },
  };
}

/** The endpoints that announce no methods of authentication, although clients authenticate or present a token there. */
const otherEndpoints: ReadonlySet<string | undefined> = new Set([
  "pushed_authorization_request_endpoint",
  "device_authorization_endpoint",
  "userinfo_endpoint",
]);

/** Where a client authenticates or presents a token: the API beside the server is such a place, too. */
function isForCertificates({ announcesClientAuth, metadataName, name }: Endpoint): boolean {
  return announcesClientAuth !== undefined || otherEndpoints.has(metadataName) || name === "resource";
}
