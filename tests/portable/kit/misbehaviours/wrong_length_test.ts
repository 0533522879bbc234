/** A wrong Content-Length on a socket: what a listener writes, and what the fetch of the runtime reads. */

import { assertEquals, assertMatch } from "@std/assert";
import { connect } from "node:net";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { authorizeUrl, requestToken, tokenForm } from "../../../kit/mock/authorize_url.ts";
import { test } from "../../../runner.ts";

const issueCode = async (as: Mock) =>
  `${(await as.authorize(authorizeUrl(as.issuer, { scope: "openid" }))).searchParams.get("code")}`;

/** Sends a token request, and resolves to all that the server writes until it closes the connection. */
async function exchange(as: Mock): Promise<string> {
  const form = `${tokenForm({ code: await issueCode(as) })}`;
  const { host, hostname, port } = new URL(as.issuer);
  return await new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    socket.setEncoding("utf8").on("data", (part) => {
      text += part;
      // A server that keeps the connection would wait for the next request.
      if (text.endsWith("}") || text.endsWith("\r\n0\r\n\r\n")) socket.end();
    }).once("close", () => resolve(text));
    socket.once("error", reject).write(
      `POST /oauth2/token HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
        `Content-Length: ${form.length}\r\n\r\n${form}`,
    );
  });
}

const lengths = {
  greater: (right: number) => right + 20,
  smaller: (right: number) => Math.ceil(right / 2),
};

for (const variant of ["greater", "smaller"] as const) {
  test(`wrong length: the Content-Length of a token response is ${variant} than its body (RFC 9112 §6.3)`, async () => {
    await using as = await createMock();
    await as.listen();
    using wrong = as.misbehave("transport.length_wrong", { variant });
    const [head = "", body = ""] = (await exchange(as)).split("\r\n\r\n");
    assertMatch(head, /^connection: close$/im);
    assertMatch(body, /^\{.*\}$/s, head);
    assertEquals(Number(/^content-length: (\d+)$/im.exec(head)?.[1]), lengths[variant](body.length));
    assertEquals(wrong.count, 1);
  });
}

test("wrong length: fetch reads no whole response over a socket, and as.fetch none either", async () => {
  await using as = await createMock();
  await as.listen();
  const isWhole = async (fetch: Mock["fetch"]) => {
    try {
      const response = await requestToken({ issuer: as.issuer, fetch }, { code: await issueCode(as) });
      return "access_token" in await response.json();
    } catch {
      return false;
    }
  };
  const isRead = async () => [await isWhole(globalThis.fetch as Mock["fetch"]), await isWhole(as.fetch)];
  assertEquals(await isRead(), [true, true]);
  for (const variant of ["greater", "smaller"] as const) {
    using _wrong = as.misbehave("transport.length_wrong", { variant });
    assertEquals(await isRead(), [false, false]);
  }
});
