/** `--proxy-others`: to which addresses of other hosts the proxy connects. */

import { assertEquals, assertRejects } from "@std/assert";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { connectToOther, Refused } from "../../../../src/tools/cli/proxy/other_hosts.ts";
import { formsOfLocalTranslators, formsWithIpv4 } from "../../../portable/server/http/ipv4_in_ipv6.ts";
import { test } from "../../../runner.ts";

const proxyPort = 9001;

/** Resolves to the status of the refusal. The caller is gone, so an allowed address is not reached either: 502. */
async function statusFor(addresses: readonly string[], isElsewhere: boolean, port = 80): Promise<number> {
  const caller = { proxyPort, isElsewhere, signal: AbortSignal.abort() };
  const findAddresses = () => Promise.resolve(addresses);
  const connecting = connectToOther({ host: "other.example", port }, { ...caller, findAddresses });
  return (await assertRejects(() => connecting, Refused)).status;
}

const plain = { plain: (ipv4: string) => ipv4 };
const metadata = ["169.254.169.254", "169.254.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192"];
const own = Object.values(networkInterfaces()).flatMap((all = []) => all)
  .filter(({ address }) => !/^(fe80|169\.254\.)/.test(address));
const ownIpv4 = own.filter(({ family }) => family === "IPv4").map(({ address }) => address);
const here = ["127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", ...ownIpv4];

test("proxy: in no form does it connect to link-local addresses and metadata (RFC 6890)", async () => {
  const forms = { ...plain, ...formsWithIpv4, ...formsOfLocalTranslators };
  for (const [name, form] of Object.entries(forms)) {
    for (const address of metadata.map(form)) {
      for (const isElsewhere of [true, false]) {
        assertEquals([name, address, await statusFor([address], isElsewhere)], [name, address, 403]);
      }
    }
  }
  const others = ["fe80::1", "febf::1", "fe80::1%eth0", "fd00:ec2::254", "fd20:ce::254", "example.com", ""];
  for (const address of others) {
    assertEquals([address, await statusFor([address], false)], [address, 403]);
  }
});

test("proxy: of several addresses of a host, it takes the first that answers", async () => {
  const server = createServer((socket) => socket.destroy());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const findAddresses = () => Promise.resolve(["127.0.0.2", "127.0.0.1"]);
  const caller = { proxyPort, isElsewhere: false, signal: new AbortController().signal, findAddresses };
  const socket = await connectToOther({ host: "other.example", port }, caller);
  assertEquals(socket.remoteAddress, "127.0.0.1");
  socket.destroy();
  await once(server.close(), "close");
});

test("proxy: in no form do other machines reach its machine, and the own one reaches all but the proxy", async () => {
  for (const [name, form] of Object.entries({ ...plain, ...formsWithIpv4 })) {
    for (const address of here.map(form)) {
      const statuses = [
        await statusFor([address], true),
        await statusFor([address], false, proxyPort),
        await statusFor([address], false),
      ];
      assertEquals([name, address, statuses], [name, address, [403, 403, 502]]);
    }
  }
  const others = ["::", "::1", "0:0:0:0:0:0:0:0", ...own.map(({ address }) => address.toUpperCase())];
  for (const address of others) {
    const statuses = [await statusFor([address], true), await statusFor([address], false, proxyPort)];
    assertEquals([address, statuses], [address, [403, 403]]);
  }
});

test("proxy: one forbidden address is enough, also behind one that answers", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connecting = connectToOther({ host: "other.example", port }, {
    ...{ proxyPort, isElsewhere: false, signal: new AbortController().signal },
    findAddresses: () => Promise.resolve(["127.0.0.1", "169.254.169.254"]),
  });
  assertEquals((await assertRejects(() => connecting, Refused)).status, 403);
  server.close();
});

test("proxy: other machines do not reach an address of its machine that the system does not list", async () => {
  for (const address of ownIpv4.filter((each) => !each.startsWith("127."))) {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const { port } = server.address() as AddressInfo;
    const { signal } = new AbortController();
    const terms = { signal, listOwn: () => [], findAddresses: () => Promise.resolve([address]) };
    const target = { host: "other.example", port };
    for (const caller of [{ isElsewhere: true, proxyPort }, { isElsewhere: false, proxyPort: port }]) {
      const { status } = await assertRejects(() => connectToOther(target, { ...caller, ...terms }), Refused);
      assertEquals(status, 403);
    }
    (await connectToOther(target, { isElsewhere: false, proxyPort, ...terms })).destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("proxy: the IPv4 address in 64:ff9b:1::/48 is known to the translator only, so no caller reaches it (RFC 8215)", async () => {
  for (const form of Object.values(formsOfLocalTranslators)) {
    for (const address of ["127.0.0.1", "0.0.0.0", "10.0.0.1", "8.8.8.8"].map(form)) {
      for (const isElsewhere of [true, false]) {
        assertEquals([address, await statusFor([address], isElsewhere)], [address, 403]);
      }
    }
  }
});

test("proxy: addresses of others pass in each form, and one forbidden address of a host is enough", async () => {
  const others = ["8.8.8.8", "126.255.255.255", "128.0.0.0", "1.0.0.0", "100.100.100.201", "10.1.2.3"];
  for (const form of Object.values({ ...plain, ...formsWithIpv4 })) {
    for (const address of others.map(form).filter((each) => !ownIpv4.includes(each))) {
      assertEquals([address, await statusFor([address], true)], [address, 502]);
      assertEquals([address, await statusFor([address], true, proxyPort)], [address, 502]);
      for (const forbidden of ["::1", "169.254.169.254", "64:ff9b:1::1"]) {
        assertEquals(await statusFor([address, forbidden], true), 403);
      }
    }
  }
  for (const address of ["2606:4700:4700::1111", "64:ff9b:2::1", "64:ff9a:ffff::1", "2001:1::1"]) {
    assertEquals([address, await statusFor([address], true)], [address, 502]);
  }
});
