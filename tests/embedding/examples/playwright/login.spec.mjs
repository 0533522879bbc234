/** Playwright: a browser signs in to a web application, without a page or through the pages. */

import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { createMock } from "postern/mock";
import { createApplication } from "./application.mjs";

const as = await createMock();
const server = createServer();
let origin;

test.beforeAll(async () => {
  await as.listen();
  await new Promise((resolve) => server.listen(0, resolve));
  origin = `http://localhost:${server.address().port}`;
  server.on("request", createApplication(origin, as.env("app-confidential")));
});
test.afterAll(async () => {
  server.close();
  await as.close();
});

test("bob is signed in, and no page is shown", async ({ page }) => {
  as.nextSignIn("bob");
  await page.goto(origin);
  await expect(page.locator("body")).toHaveText("Hello, bob");
});

test("alice signs in by hand", async ({ page }) => {
  await page.goto(origin);
  await page.locator("button[value=alice]").click();
  await page.locator("#approve").click();
  await expect(page.locator("body")).toHaveText("Hello, alice");
});
