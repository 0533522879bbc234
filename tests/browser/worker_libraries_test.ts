/** Client libraries, unchanged, against the service worker: by redirect, in a window, and with a silent renew. */

import { assertEquals } from "@std/assert";
import { libraries, runLibrary } from "./worker_libraries.ts";
import { approve, workerTest } from "./worker_site.ts";

for (const [name, library] of Object.entries(libraries)) {
  workerTest(`worker: ${name} signs in by redirect, and renews its tokens silently`, async ({ page }) => {
    await runLibrary(page, library, "void library.redirect();");
    await approve(page);
    await page.waitForURL(/\/callback[?#]/);
    assertEquals(await runLibrary(page, library, "return await library.finish();"), "alice");
    const tokens = new Set<string>();
    for (const step of [...library.renews, ...library.renews]) {
      tokens.add(await runLibrary(page, library, `return await library.${step}();`));
    }
    assertEquals(tokens.size, library.renews.length * 2);
  });

  if (!library.hasPopup) continue;
  workerTest(`worker: ${name} signs in in a window`, async ({ page }) => {
    const opening = page.waitForEvent("popup");
    const signing = runLibrary(page, library, "return await library.popup();");
    const popup = await opening;
    await popup.getByRole("button", { name: /Alice/ }).waitFor();
    assertEquals(await popup.evaluate("opener !== null"), true);
    await approve(popup);
    assertEquals(await signing, "alice");
  });
}
