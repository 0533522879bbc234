/** Reads the certificate of a client in the header of a proxy that has ended the TLS connection. */

import { Buffer } from "node:buffer";
import { readCertificates } from "../../ground/crypto/x509/pem.ts";
import type { IncomingRequest, PeerCertificate } from "../../ground/http/message.ts";
import { decodePercent } from "../../ground/http/address.ts";

/** Returns `undefined` without the header. The chain is empty if the header is malformed, or was sent more than once. */
export function readCertificateHeader(request: IncomingRequest, header: string): PeerCertificate | undefined {
  const name = header.toLowerCase();
  const value = request.header(name);
  if (value === undefined || value === "") return undefined;
  const read = name === "client-cert"
    ? readClientCert
    : name === "x-forwarded-client-cert"
    ? readEnvoy
    : readNginx;
  return { chain: read(value, request) ?? [], header: name };
}

type Chain = readonly Uint8Array[] | undefined;

/** RFC 9440 §2.2, §2.3: a byte sequence, and a list of byte sequences in another header. */
function readClientCert(value: string, request: IncomingRequest): Chain {
  const own = readByteSequence(value);
  const chain = request.header("client-cert-chain") ?? "";
  // RFC 9651 §4.2: an empty field is a list without members.
  const others = chain === "" ? [] : chain.split(",").map(readByteSequence);
  const all = [own, ...others];
  return all.every((each) => each !== undefined) ? all : undefined;
}

/** RFC 9651 §3.3.5. */
function readByteSequence(text: string): Uint8Array | undefined {
  const [, base64] = /^[ \t]*:([A-Za-z\d+/]+={0,2}):[ \t]*$/.exec(text) ?? [];
  return base64 === undefined ? undefined : new Uint8Array(Buffer.from(base64, "base64"));
}

const envoyValue = String.raw`(?:"(?:[^"\\]|\\.)*"|[^";,]*)`;
const envoyElement = new RegExp(`^[A-Za-z]+=${envoyValue}(?:;[A-Za-z]+=${envoyValue})*$`);
const envoyPair = new RegExp(`;?([A-Za-z]+)=(${envoyValue})`, "gy");

/** Several elements are refused: the proxy has not replaced what the client sent. */
function readEnvoy(value: string): Chain {
  if (!envoyElement.test(value)) return undefined;
  const pairs = [...value.matchAll(envoyPair)].map(([, name, text]) =>
    [name!.toLowerCase(), text!.replace(/^"(.*)"$/s, "$1").replace(/\\(.)/g, "$1")] as const
  );
  const find = (name: string) => pairs.filter(([each]) => each === name).map(([, text]) => text);
  const [[cert = "", secondCert], [chain = "", secondChain]] = [find("cert"), find("chain")];
  // Envoy writes the alternative names of a certificate without quotes, so that a client could add a pair in its own.
  if ((secondCert ?? secondChain) !== undefined) return undefined;
  const own = readNginx(cert);
  const others = readCertificates(decodePercent(chain) ?? "");
  // The chain begins with the certificate of the client.
  return own && [...own, ...others.slice(1)];
}

const onePem = /^-----BEGIN CERTIFICATE-----[A-Za-z\d+/=\s]+-----END CERTIFICATE-----\s*$/;

/** Reads one certificate in PEM with the escapes of URLs, as `$ssl_client_escaped_cert` of nginx has it. */
function readNginx(value: string): Chain {
  const pem = decodePercent(value);
  return pem !== undefined && onePem.test(pem) ? readCertificates(pem) : undefined;
}
