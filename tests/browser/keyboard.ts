/** Whether a person can use a page with the keyboard only. */

import type { Page } from "playwright-core";

// A person who presses Tab so often has seen enough of the page.
const mostTabs = 12;

/** Presses Tab from the top: each stop comes later in the document than the one before, and is seen. */
export async function findKeyboardProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    // the next Tab goes to the first stop of the document
    getSelection()?.collapse(document.body, 0);
  });
  const problems: string[] = [];
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const before = document.querySelector("[data-was-focused]");
      before?.removeAttribute("data-was-focused");
      const now = document.activeElement;
      const isAgain = now?.hasAttribute("data-first-focused");
      if (now === null || now === document.body || isAgain) return { isLast: true, problem: undefined };
      now.setAttribute("data-was-focused", "");
      if (before === null) now.setAttribute("data-first-focused", "");
      const { outlineStyle, outlineWidth } = getComputedStyle(now);
      const { width, height } = now.getBoundingClientRect();
      const isSeen = outlineStyle !== "none" && outlineWidth !== "0px" && width > 1 && height > 1;
      const isLater = before === null ||
        (before.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      const problem = !isSeen ? "the focus is not seen" : isLater ? undefined : "the focus goes back";
      return { isLast: false, problem: problem && `${problem}: ${now.outerHTML.slice(0, 200)}` };
    });
    if (found.problem !== undefined) problems.push(found.problem);
    if (found.isLast) break;
  }
  await page.evaluate(() => {
    for (const name of ["data-was-focused", "data-first-focused"]) {
      document.querySelector(`[${name}]`)?.removeAttribute(name);
    }
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  return problems;
}
