/** The sign-in page with many people: a field filters them. */

import { assert, assertEquals } from "@std/assert";
import { heading, visitTest } from "./visit.ts";

const server = () => ({
  people: Array.from({ length: 30 }, (_, at) => ({
    username: `user${at}`,
    claims: { name: at === 17 ? "Grace Hopper" : `Person ${at}`, ...at === 2 && { email: "user2" } },
  })),
});

visitTest("sign-in: with many people, typing a name filters the list", async (visit) => {
  const { page, issuer } = visit;
  await page.goto(`${issuer}/start?client_id=demo`);
  assertEquals(await page.locator("form.pick li:visible").count(), 30);
  await page.fill("#find-person", " Grace ");
  assertEquals(await page.locator("form.pick li:visible bdi").allInnerTexts(), ["Grace Hopper"]);
  await page.locator("form.pick li:visible button").click();
  assertEquals(await heading(page), "Allow Demo application?");
}, { server });

visitTest("sign-in: with many people, the button fits beside the field", async (visit) => {
  const { page, issuer } = visit;
  await page.goto(`${issuer}/start?client_id=demo`);
  const [field, button, form] = await Promise.all(
    ["#find-person", "#find", "form.find"].map(async (each) => (await page.locator(each).boundingBox())!),
  );
  assert(field!.width > button!.width, `${field!.width} > ${button!.width}`);
  assert(button!.x + button!.width <= form!.x + form!.width);
}, { server });

for (const [width, height] of [[1440, 900], [390, 844]] as const) {
  visitTest(`sign-in: with many people, Deny is in sight at ${width} pixels`, async (visit) => {
    const { page, issuer } = visit;
    await page.goto(`${issuer}/start?client_id=demo`);
    const { y, height: own } = (await page.getByRole("button", { name: "Deny" }).boundingBox())!;
    assert(y + own <= height, `${y}`);
    assertEquals(await page.locator(".find label").count(), 0);
    assertEquals(await page.getByLabel("Name, username or email").count(), 1);
    // A username that is also the email address is shown once.
    assertEquals(await page.locator("form.pick li:nth-child(3) .detail").innerText(), "user2");
  }, { server, viewport: { width, height } });
}
