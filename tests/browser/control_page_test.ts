/** The page of the control plane in a browser: readable at every width, in both colour schemes, without scripts. */

import { assertEquals } from "@std/assert";
import { createControl } from "../../src/control/control.ts";
import { fromRequest, toResponse } from "../../src/http/message.ts";
import { createMock } from "../../src/mock/mod.ts";
import { browserTest, findAccessProblems, overflow } from "./visit.ts";

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 1280]) {
    browserTest(
      `control page: fits and is accessible, ${width} pixels wide and ${colorScheme}`,
      async (browser) => {
        const socket = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
          const plain = fromRequest(request, "127.0.0.1");
          return toResponse(await (control.answer(plain) ?? as.answer(plain)));
        });
        const issuer = `http://localhost:${socket.addr.port}`;
        await using as = await createMock({ alg: "ES256", issuer });
        const control = createControl(as);
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 740 } });
        const page = await context.newPage();
        const errors: string[] = [];
        page.on("console", (message) => {
          if (message.type() === "error") errors.push(message.text());
        });
        await page.goto(`${issuer}/_postern`);
        assertEquals(await page.locator("#login h3").innerText(), "POST /login");
        assertEquals(await overflow(page), 0);
        assertEquals(await findAccessProblems(page), []);
        await page.locator("nav a", { hasText: "/rotate_keys" }).click();
        assertEquals(new URL(page.url()).hash, "#rotateKeys");
        await page.goto(`${issuer}/`);
        assertEquals(errors, []);
        await context.close();
        await socket.shutdown();
      },
    );
  }
}
