/** A listener that asks clients for a certificate (RFC 8705 §2). */

import { assertEquals, assertRejects } from "@std/assert";
import { Agent, request } from "node:https";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { createCertificate } from "../../../../src/ground/crypto/x509/certificate.ts";
import { readCertificates, toPem } from "../../../../src/ground/crypto/x509/pem.ts";
import { createPlainServer } from "../../../../src/server/server.ts";
import type { PeerCertificate } from "../../../../src/ground/http/message.ts";
import type { Respond } from "../../../../src/server/runtime/listener.ts";
import { test } from "../../../runner.ts";
import { buildCertificate, readKey } from "../../ground/crypto/build_certificate.ts";
import { saying, withSite } from "./site.ts";

const now = Date.now() / 1000;

test("listener: a client shows its certificate, and the handshake passes with any or none (RFC 8705 §2)", async () => {
  const own = await createCertificate({ hosts: ["localhost"], now });
  const client = await createCertificate({ hosts: ["client"], now });
  const seen: (PeerCertificate | undefined)[] = [];
  const answer: Respond = (request) => {
    seen.push(request.certificate);
    return Promise.resolve(saying("ok"));
  };
  await withSite(answer, async ({ port }) => {
    assertEquals(await get(port, own.ca, client), "ok");
    assertEquals(await get(port, own.ca), "ok");
    const [shown, none] = seen;
    assertEquals(
      shown?.chain.map((each) => [...each]),
      readCertificates(client.cert).map((each) => [...each]),
    );
    assertEquals(none, undefined);
  }, { tls: { cert: own.cert, key: own.key }, asksForCertificate: true });
});

test("listener: a certificate does not count without its key, whatever its form (RFC 8705 §2, RFC 8446 §4.4.3)", async () => {
  const own = await createCertificate({ hosts: ["localhost"], now });
  const [victim, attacker] = await Promise.all(
    [1, 2].map(() => createCertificate({ hosts: ["client"], now })),
  );
  const shown: number[] = [];
  const answer: Respond = ({ certificate }) => {
    shown.push(certificate?.chain.length ?? 0);
    return Promise.resolve(saying("ok"));
  };
  const version1 = buildCertificate({ version: 1, key: readKey(victim!.cert) });
  await withSite(answer, async ({ port }) => {
    for (const cert of [victim!.cert, toPem("CERTIFICATE", version1)]) {
      // Most clients refuse to do that, and so do most servers.
      await get(port, own.ca, { cert, key: attacker!.key }).catch(() => {});
    }
    assertEquals(shown.filter((count) => count > 0), []);
  }, { tls: own, asksForCertificate: true });
});

test("listener: a resumed connection shows the whole chain again (RFC 8705 §2.1, RFC 8446 §2.2)", async () => {
  const own = await createCertificate({ hosts: ["localhost"], now });
  const { ca, cert, key } = await createCertificate({ hosts: ["client"], now });
  const seen: (number | undefined)[] = [];
  const answer: Respond = (request) => {
    seen.push(request.certificate?.chain.length);
    return Promise.resolve(saying("ok"));
  };
  // An agent keeps the sessions of TLS for its next connections.
  const agent = new Agent({ keepAlive: false });
  await withSite(answer, async ({ port, replaceCertificate }) => {
    const connect = () => get(port, own.ca, { cert: cert + ca, key }, agent);
    await connect();
    await connect();
    replaceCertificate(own);
    await connect();
    await connect();
    assertEquals(seen, [2, 2, 2, 2]);
    agent.destroy();
  }, { tls: own, asksForCertificate: true });
});

test("listener: a connection that stops sending is ended, before and after the handshake", async () => {
  const own = await createCertificate({ hosts: ["localhost"], now });
  const answer: Respond = async (request) => {
    await request.readBody(100);
    return saying("ok");
  };
  const endOf = (socket: Socket) =>
    new Promise<void>((resolve) => {
      const end = () => resolve(void socket.destroy());
      socket.on("error", end).once("end", end).once("close", end).resume();
    });
  const starts = [
    "",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\na",
  ];
  await withSite(answer, async ({ port }) => {
    await Promise.all([
      ...["", "\x16\x03\x01\x02\x00\x01\x00"].map((start) => {
        const socket = connect(port, "127.0.0.1", () => socket.write(start, "latin1"));
        return endOf(socket);
      }),
      ...starts.map((start) => {
        const terms = { host: "127.0.0.1", port, servername: "localhost", ca: own.ca };
        const socket = connectTls(terms, () => socket.write(start));
        return endOf(socket);
      }),
    ]);
  }, { tls: own, asksForCertificate: true, limits: { header: 0.5, request: 1 } });
});

test("listener: a client that asks nothing of certificates is not asked for one", async () => {
  const own = await createCertificate({ hosts: ["localhost"], now });
  const seen: (PeerCertificate | undefined)[] = [];
  const answer: Respond = (request) => {
    seen.push(request.certificate);
    return Promise.resolve(saying("ok"));
  };
  await withSite(answer, async ({ port }) => {
    assertEquals(await get(port, own.ca, own), "ok");
    assertEquals(seen, [undefined]);
  }, { tls: own });
});

test("fetch: the certificate of a request must be PEM", async () => {
  const server = createPlainServer();
  const call = new Request("http://localhost:9000/health");
  await server.fetch(call, { certificate: await createCertificate({ hosts: ["app"], now }) });
  const asked = () => server.fetch(call, { certificate: { cert: "DER" } });
  await assertRejects(asked, TypeError, "a certificate in PEM");
  await server.close();
});

function get(
  port: number,
  ca: string,
  shown?: { readonly cert: string; readonly key: string },
  agent: Agent | false = false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const terms = {
      host: "127.0.0.1",
      servername: "localhost",
      port,
      ca,
      agent,
      cert: shown?.cert,
      key: shown?.key,
    };
    const sent = request(terms, (response) => {
      let text = "";
      response.on("data", (chunk) => text += chunk).once("end", () => resolve(text));
    });
    sent.once("error", reject).end();
  });
}
